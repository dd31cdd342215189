import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { JOBS } from '../../core/jobs/index.ts'
import * as jobs from '../../core/stores/jobs.ts'
import {
  compareDeliveries,
  EXACTLY_ONCE,
  labelOf,
  ledger,
  messageIdOf,
  slowCrm,
  slowMail,
  submitMany,
  waitUntilSettled,
} from '../support/deliveries.ts'
import { seededRandom } from '../support/random.ts'
import { describeOnBestBackend, describeOnEachBackend, type Site, startSite } from '../support/site.ts'
import { waitFor } from '../support/wait.ts'

const KILLS = 20
/** More than BullMQ forgives unless told to (1). */
const CRASHES = 3
const LEADS = 500
/** Milliseconds that mail server and CRM take for each call, so that kills fall in the middle of many. */
const LATENCY = 40
/** A worker with its share of the leads is busy for about as long. */
const LONGEST_LIFE = 1500

describeOnEachBackend('A worker that is killed again and again', (backend) => {
  it('20 times in 500 leads: all are delivered, and only what was accepted but not recorded comes twice', async () => {
    const random = seededRandom(20_261_120)
    const site = await startSite({ backend })
    site.smtp.answer(slowMail(() => LATENCY * random()))
    site.crm.answer(slowCrm(() => LATENCY * random()))
    const api = await site.startApi()

    const leadIds: number[] = []
    const excused: string[] = []
    for (let kill = 1; kill <= KILLS; kill++) {
      const mailsBefore = site.smtp.mails.length
      const [worker, ids] = await Promise.all([site.startWorker(), submitMany(api, LEADS / KILLS)])
      leadIds.push(...ids)
      await sleep(LONGEST_LIFE * random())
      await worker.kill('SIGKILL')
      excused.push(...(await acceptedButNotRecorded(site, mailsBefore)))
    }

    const lastKill = performance.now()
    await site.startWorker()
    await waitUntilSettled(site.db)
    const recovery = performance.now() - lastKill

    const { repeated, ...deliveries } = await compareDeliveries(site)
    expect(deliveries).toEqual({ missing: [], unexpected: [], notDone: [] })
    expect(new Set(leadIds).size).toBe(LEADS)
    const rows = await ledger(site.db)
    const providerMails = rows.filter(({ purpose }) => purpose === 'provider').map(({ id }) => messageIdOf(id))
    const received = new Set(site.smtp.mails.map(({ messageId }) => messageId))
    expect(providerMails.filter((id) => received.has(id))).toHaveLength(LEADS)
    expect(new Set(site.crm.events.map(({ data }) => data.lead.id)).size).toBe(LEADS)

    const repeatedMails = repeated.filter((label) => label.includes('send-email'))
    expect(repeatedMails.length).toBeLessThanOrEqual(KILLS * JOBS['send-email'].concurrency)
    expect(repeatedMails.toSorted()).toEqual(excused.toSorted())
    console.info(
      `Queue on ${backend}, ${KILLS} kills, ${LEADS} leads: ${repeatedMails.length} mails twice ` +
        '(each accepted but not recorded at a kill), ' +
        `${repeated.length - repeatedMails.length} CRM calls twice, all done ${Math.round(recovery)} ms after the last kill`,
    )
  })

  it('in the middle of its work: another takes over within 20 seconds', async () => {
    const site = await startSite({ backend })
    const api = await site.startApi()
    const worker = await site.startWorker()
    let hung = 0
    site.smtp.answer((_recipient, stage) => {
      if (stage === 'data') hung += 1
      return 'hang'
    })
    await submitMany(api, 10)
    await waitFor('the worker to have its hands full', () => hung === JOBS['send-email'].concurrency)

    const successor = await site.startWorker()
    await worker.kill('SIGKILL')
    site.smtp.answer('accept')
    const killed = performance.now()
    await waitUntilSettled(site.db, { within: 20_000 })
    console.info(`Queue on ${backend}: taken over ${Math.round(performance.now() - killed)} ms after the kill`)

    expect(successor.isRunning()).toBe(true)
    expect((await compareDeliveries(site)).missing).toEqual([])
  })
})

describeOnBestBackend('A worker that crashes at the same job again and again', (backend) => {
  it('never makes it a failed one: it is delivered once a worker lives, and each attempt is in the ledger', async () => {
    const site = await startSite({ backend })
    const api = await site.startApi()
    let hung = 0
    site.smtp.answer((_recipient, stage) => {
      if (stage === 'data') hung += 1
      return 'hang'
    })
    await submitMany(api, 1)
    for (let crash = 1; crash <= CRASHES; crash++) {
      const worker = await site.startWorker()
      // Two e-mails for each lead.
      await waitFor(`attempt ${crash}`, () => hung >= 2 * crash, { within: 40_000 })
      await worker.kill('SIGKILL')
    }
    const mails = (rows: Awaited<ReturnType<typeof ledger>>) => rows.filter(({ name }) => name === 'send-email')
    for (const mail of mails(await ledger(site.db))) expect(mail).toMatchObject({ state: 'enqueued', attempts: 0 })

    site.smtp.answer('accept')
    await site.startWorker()
    await waitUntilSettled(site.db)
    expect(await compareDeliveries(site)).toEqual(EXACTLY_ONCE)
    const [lead] = await site.db('leads')
    for (const job of await jobs.list(site.db, { leadId: lead.id })) {
      if (job.name !== 'send-email') continue
      const outcomes = job.attempt_log.map(({ outcome }) => outcome)
      expect(outcomes).toEqual([...Array(CRASHES).fill('interrupted'), 'done'])
      expect(job.attempts).toBe(1)
    }
  })
})

/**
 * Right after a kill: jobs whose mail the server has taken since `mailsBefore`, while the ledger does not know. These,
 * and only these, may come a second time.
 */
async function acceptedButNotRecorded({ db, smtp }: Site, mailsBefore: number): Promise<string[]> {
  await waitFor("the end of the killed worker's transactions", async () => {
    const sessions = await db('pg_stat_activity')
      .where({ application_name: 'leadwell-worker' })
      .andWhereRaw('datname = current_database()')
    return sessions.length === 0
  })
  // The mail server still takes what it has got, though nobody waits for its answer.
  for (let known = -1; known < smtp.mails.length; await sleep(3 * LATENCY)) known = smtp.mails.length
  const received = new Set(smtp.mails.slice(mailsBefore).map(({ messageId }) => messageId))
  const mails = (await ledger(db)).filter(({ name, state }) => name === 'send-email' && state !== 'done')
  return mails.filter(({ id }) => received.has(messageIdOf(id))).map(labelOf)
}
