import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../core/platform/db.ts'
import type { ApiClient } from './api-client.ts'
import type { TestCrmServer } from './crm-server.ts'
import {
  compareDeliveries,
  countOpenJobs,
  halfStoredLeads,
  labelOf,
  ledger,
  messageIdOf,
  slowCrm,
  slowMail,
  submitMany,
  waitUntilSettled,
} from './deliveries.ts'
import { seededRandom } from './random.ts'
import type { TestSmtpServer } from './smtp-server.ts'
import { waitFor } from './wait.ts'

/** Milliseconds that mail server and CRM take at most for each call, so that kills fall in the middle of many. */
const LATENCY = 40

export type KillSite = {
  db: Db
  smtp: TestSmtpServer
  crm: TestCrmServer
  startWorker(): Promise<{ kill(signal: 'SIGKILL'): Promise<unknown> }>
}

/** Jobs are named as in `labelOf`. */
export type KillReport = {
  leads: number
  /** E-mails and CRM calls that were owed. */
  deliveries: number
  /** Kills that left work undone. */
  interruptions: number
  /** Deliveries that were lost, leads that were stored by halves, and jobs that did not end well. */
  losses: string[]
  repeatedMails: string[]
  /** Mails that the server had taken at a kill, and the ledger did not know. Only these may be repeated. */
  unrecordedMails: string[]
  repeatedCalls: string[]
  /** For each lead, milliseconds from its form until the last of its jobs was done. */
  delays: number[]
}

/**
 * Sends forms, and kills worker after worker in the middle of its work; without a kill, one worker does it all. Ends when
 * the last worker has nothing left to do.
 */
export async function killWorkers(
  site: KillSite,
  api: ApiClient,
  { leads, kills, within }: { leads: number; kills: number; within: number },
): Promise<KillReport> {
  const random = seededRandom(20_261_120)
  const takeMail = slowMail(() => LATENCY * random())
  let onMail = () => {}
  site.smtp.answer((recipient, stage) => {
    if (stage === 'data') onMail()
    return takeMail(recipient, stage)
  })
  site.crm.answer(slowCrm(() => LATENCY * random()))

  const share = Math.floor(leads / Math.max(1, kills))
  const unrecordedMails: string[] = []
  let interruptions = 0
  for (let kill = 1; kill <= kills; kill++) {
    const mailsBefore = site.smtp.mails.length
    const worker = await site.startWorker()
    // Each of these leads owes two mails, so there are more to come.
    let mailsToGo = 1 + Math.floor(share * random())
    let isKilled = false
    onMail = () => {
      mailsToGo -= 1
      if (mailsToGo === 0) worker.kill('SIGKILL').then(() => (isKilled = true))
    }
    await submitMany(api, share)
    await waitFor('the worker to be killed in the middle', () => isKilled)
    if ((await countOpenJobs(site.db)) > 0) interruptions += 1
    unrecordedMails.push(...(await mailsNotRecorded(site, mailsBefore)))
  }
  const worker = site.startWorker()
  await submitMany(api, leads - kills * share)
  await worker
  await waitUntilSettled(site.db, { within })

  const { missing, unexpected, notDone, repeated } = await compareDeliveries(site)
  const isMail = (label: string) => label.includes('send-email')
  return {
    leads: (await site.db('leads').pluck('id')).length,
    deliveries: (await ledger(site.db)).filter(({ name }) => name !== 'match-lead').length,
    interruptions,
    losses: [...missing, ...unexpected, ...notDone, ...(await halfStoredLeads(site.db)).map((id) => `lead ${id}`)],
    repeatedMails: repeated.filter(isMail).toSorted(),
    unrecordedMails: unrecordedMails.toSorted(),
    repeatedCalls: repeated.filter((label) => !isMail(label)),
    delays: await delaysOfLeads(site.db),
  }
}

/** Right after a kill: jobs whose mail the server has taken since `mailsBefore`, while the ledger does not know. */
async function mailsNotRecorded({ db, smtp }: KillSite, mailsBefore: number): Promise<string[]> {
  await waitFor("the end of the killed worker's transactions", async () => {
    const sessions = await db('pg_stat_activity')
      .where({ application_name: 'leadwell-worker' })
      .andWhereRaw('datname = current_database()')
    return sessions.length === 0
  })
  // The mail server still accepts what it has received, although the client has given up.
  for (let known = -1; known < smtp.mails.length; await sleep(3 * LATENCY)) known = smtp.mails.length
  const received = new Set(smtp.mails.slice(mailsBefore).map(({ messageId }) => messageId))
  const mails = (await ledger(db)).filter(({ name, state }) => name === 'send-email' && state !== 'done')
  return mails.filter(({ id }) => received.has(messageIdOf(id))).map(labelOf)
}

async function delaysOfLeads(db: Db): Promise<number[]> {
  const { rows } = await db.raw(
    'select extract(epoch from max(finished_at) - min(created_at)) * 1000 as delay from jobs group by lead_id',
  )
  return rows.map(({ delay }: { delay: string }) => Number(delay))
}
