import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import * as jobs from '../../core/deliveries/stores/jobs.ts'
import { CONNECTIONS } from '../../worker/senders/mailer.ts'
import type { ApiClient } from '../support/api-client.ts'
import {
  compareDeliveries,
  countOpenJobs,
  EXACTLY_ONCE,
  halfStoredLeads,
  labelOf,
  ledger,
  messageIdOf,
  slowCrm,
  slowMail,
  submitMany,
  waitUntilSettled,
} from '../support/deliveries.ts'
import { seededRandom } from '../support/random.ts'
import { type Site, startSite } from '../support/site.ts'
import { waitFor } from '../support/wait.ts'

const SECOND = 1000
/** Each falls in the middle of the work. */
const KILLS = 5
const LEADS = 100
/** More than BullMQ forgives unless told to (1). */
const CRASHES = 2

describe('A worker that is killed again and again', () => {
  it('in the middle of its work: all is delivered, and only what was accepted but not recorded comes twice', async () => {
    const site = await startSite()
    const api = await site.startApi()
    const { leads, interruptions, losses, repeatedMails, unrecordedMails } = await killWorkers(site, api, {
      leads: LEADS,
      kills: KILLS,
    })

    expect({ leads, interruptions, losses }).toEqual({ leads: LEADS, interruptions: KILLS, losses: [] })
    expect(repeatedMails).toEqual(unrecordedMails)
  })

  it('at the same jobs: another takes over within 20 seconds, none fails, and each attempt is in the ledger', async () => {
    const site = await startSite()
    const api = await site.startApi()
    let worker = await site.startWorker()
    let hung = 0
    site.smtp.answer((_recipient, stage) => {
      if (stage === 'data') hung += 1
      return 'hang'
    })
    // Two emails for each lead: as many as it sends at once.
    const mails = CONNECTIONS
    await submitMany(api, mails / 2)
    for (let crash = 1; crash <= CRASHES; crash++) {
      // A job is taken over once its lock of 10 s has run out and the next look for such jobs, every 5 s, has found it.
      await waitFor(`attempt ${crash} at every email`, () => hung >= crash * mails, { within: 20 * SECOND })
      // Before the next one starts: a slow start would outlast the patience of the first with the silent mail server.
      await worker.kill('SIGKILL')
      worker = await site.startWorker()
    }
    const mailJobs = (await ledger(site.db)).filter(({ name }) => name === 'send-email')
    expect(mailJobs.map(({ state, attempts }) => ({ state, attempts }))).toEqual(
      Array(mails).fill({ state: 'enqueued', attempts: 0 }),
    )

    site.smtp.answer('accept')
    await waitUntilSettled(site.db, { within: 20 * SECOND })
    expect(worker.isRunning()).toBe(true)
    expect(await compareDeliveries(site)).toEqual(EXACTLY_ONCE)
    const [lead] = await site.db('leads')
    const [mail] = (await jobs.list(site.db, `lead:${lead?.id ?? 0}`)).filter(({ name }) => name === 'send-email')
    expect(mail?.attempts).toBe(1)
    expect(mail?.attempt_log.map(({ outcome }) => outcome)).toEqual([...Array(CRASHES).fill('interrupted'), 'done'])
  })
})

/** Milliseconds that mail server and CRM take at most for each call, so that kills fall in the middle of many. */
const LATENCY = 40

/**
 * Sends forms, and kills worker after worker in the middle of its work; the last one delivers the rest.
 * Jobs are named as in `labelOf`: `unrecordedMails` are those that the server had taken at a kill and the ledger did not know.
 * Only these may be repeated.
 */
async function killWorkers(site: Site, api: ApiClient, { leads, kills }: { leads: number; kills: number }) {
  const random = seededRandom(20_261_120)
  const takeMail = slowMail(() => LATENCY * random())
  let onMail = () => {}
  site.smtp.answer((recipient, stage) => {
    if (stage === 'data') onMail()
    return takeMail(recipient, stage)
  })
  site.crm.answer(slowCrm(() => LATENCY * random()))

  const share = Math.floor(leads / kills)
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
  await waitUntilSettled(site.db)

  const { missing, unexpected, notDone, repeated } = await compareDeliveries(site)
  return {
    leads: (await site.db('leads').pluck('id')).length,
    interruptions,
    losses: [...missing, ...unexpected, ...notDone, ...(await halfStoredLeads(site.db)).map((id) => `lead ${id}`)],
    repeatedMails: repeated.filter((label) => label.includes('send-email')).toSorted(),
    unrecordedMails: unrecordedMails.toSorted(),
  }
}

/** Right after a kill: jobs whose mail the server has taken since `mailsBefore`, while the ledger does not know. */
async function mailsNotRecorded({ db, smtp }: Site, mailsBefore: number): Promise<string[]> {
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
