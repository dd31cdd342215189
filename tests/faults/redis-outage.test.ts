import { expect, it } from 'vitest'
import { JOBS } from '../../core/deliveries/jobs.ts'
import * as dueJobs from '../../core/deliveries/stores/attempts.ts'
import {
  compareDeliveries,
  countOpenJobs,
  EXACTLY_ONCE,
  slowMail,
  submitMany,
  waitUntilSettled,
} from '../support/deliveries.ts'
import { leadForm } from '../support/factories.ts'
import { type ApiProcess, describeOnRedis, type Site, startSite } from '../support/site.ts'
import { waitFor } from '../support/wait.ts'

const SECOND = 1000
const LEADS = 20

describeOnRedis('While Redis is away', () => {
  it('stopped, twice: leads are answered at once, and the worker goes on by itself when it is back', async () => {
    const site = await startSite()
    const api = await site.startApi()
    const worker = await site.startWorker()
    for (let round = 1; round <= 2; round++) {
      await submitMany(api, 5)
      await waitUntilSettled(site.db)
      await site.redis.stop()
      await expectFastAnswers(site, api)
      expect(await site.db('jobs').where('state', 'waiting')).toHaveLength(3 * LEADS)

      await site.redis.start()
      await waitUntilSettled(site.db)
    }
    expect(worker.isRunning()).toBe(true)
    expect(await compareDeliveries(site)).toEqual(EXACTLY_ONCE)
  })

  it('hung in the middle of work: leads are answered at once, and the worker goes on by itself when it does', async () => {
    const site = await startSite()
    const api = await site.startApi()
    const worker = await site.startWorker()
    await submitMany(api, LEADS)
    site.redis.freeze()

    await expectFastAnswers(site, api)
    await waitFor('the relay to give up waiting for an answer', () => api.output().includes('relay waits'))
    expect(await countOpenJobs(site.db)).toBeGreaterThan(0)

    // What the relay sent into the frozen socket is taken now, and what it sends again changes nothing.
    site.redis.thaw()
    await waitUntilSettled(site.db)
    expect(worker.isRunning()).toBe(true)
    expect(await compareDeliveries(site)).toEqual(EXACTLY_ONCE)
  })

  it('at the start of API and worker: both run, leads are answered, and delivered when it is there', async () => {
    const site = await startSite()
    await site.redis.stop()
    const api = await site.startApi()
    const worker = site.launchWorker()

    await expectFastAnswers(site, api)
    expect(worker.isRunning()).toBe(true)

    await site.redis.start()
    await waitUntilSettled(site.db)
    expect(await compareDeliveries(site)).toEqual(EXACTLY_ONCE)
  })

  it('hung at the start of the API: it runs all the same', async () => {
    const site = await startSite()
    site.redis.freeze()
    const api = await site.startApi()
    const worker = site.launchWorker()

    await expectFastAnswers(site, api)

    site.redis.thaw()
    await waitUntilSettled(site.db)
    expect(worker.isRunning()).toBe(true)
    expect(await compareDeliveries(site)).toEqual(EXACTLY_ONCE)
  })
})

describeOnRedis('Redis forgets its jobs', () => {
  it('emptied with jobs waiting: the sweep brings back each one, and none twice', async () => {
    const site = await startSite()
    const api = await site.startApi()
    await submitMany(api, LEADS)
    await waitFor('the relay to hand over every job', async () => (await statesOf(site)).join() === 'enqueued')
    expect(await site.redis.size()).toBeGreaterThan(LEADS)
    await site.redis.empty()

    await site.startWorker()
    await dueJobs.sweep(site.db, 0)
    await waitUntilSettled(site.db)
    expect(await compareDeliveries(site)).toEqual(EXACTLY_ONCE)
  })

  it('emptied while a worker is busy: everything is delivered, and nothing twice', async () => {
    const site = await startSite()
    const api = await site.startApi()
    await site.startWorker()
    site.smtp.answer(slowMail(() => 200))
    // Two emails for each: more than the worker takes out of the queue at once.
    await submitMany(api, JOBS['send-email'].concurrency)
    await waitFor('the first mails', () => site.smtp.mails.length > 2)
    await site.redis.empty()
    const later = await submitMany(api, LEADS)
    await waitFor('the later leads to be delivered', async () => (await openJobsOf(site, later)) === 0)

    // What was under way when Redis forgot is finished by now. The rest is lost to the queue, but not to us.
    expect((await statesOf(site)).includes('enqueued')).toBe(true)
    await dueJobs.sweep(site.db, 0)
    await waitUntilSettled(site.db)
    expect(await compareDeliveries(site)).toEqual(EXACTLY_ONCE)
  })

  it('restarted with its append-only file: what it held is done without any sweep', async () => {
    const site = await startSite({ persist: true })
    const api = await site.startApi()
    await submitMany(api, LEADS)
    await waitFor('the relay to hand over every job', async () => (await statesOf(site)).join() === 'enqueued')

    await site.redis.stop()
    await site.redis.start()
    await site.startWorker()
    await waitUntilSettled(site.db)
    expect(await compareDeliveries(site)).toEqual(EXACTLY_ONCE)
  })
})

/**
 * Sends leads one after the other and expects the provider in each answer. A command to Redis is given up after a
 * second; had each answer waited for one, they would take a second each.
 */
async function expectFastAnswers(site: Site, api: ApiProcess): Promise<void> {
  const started = performance.now()
  for (let sent = 0; sent < LEADS; sent++) {
    const { status, body } = await api.call('POST', '/api/leads', leadForm())
    expect({ status, body }).toEqual({ status: 201, body: { id: expect.any(Number), providerId: site.providerId } })
  }
  expect(performance.now() - started).toBeLessThan((LEADS * SECOND) / 2)
}

async function openJobsOf({ db }: Site, references: number[]): Promise<number> {
  const open = await db('jobs')
    .select('id')
    .where('subject_kind', 'lead')
    .whereIn('subject_id', db('leads').select('id').whereIn('reference', references))
    .whereIn('state', ['waiting', 'enqueued'])
  return open.length
}

async function statesOf({ db }: Site): Promise<string[]> {
  return db('jobs').distinct().pluck('state')
}
