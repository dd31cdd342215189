import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  compareDeliveries,
  countOpenJobs,
  EXACTLY_ONCE,
  ledger,
  retryNow,
  slowCrm,
  slowMail,
  submit,
  submitMany,
  waitUntilSettled,
} from '../support/deliveries.ts'
import { staffHeaders } from '../support/factories.ts'
import { startSite } from '../support/site.ts'
import { waitFor } from '../support/wait.ts'
import { clinicPost, startWordPress } from '../support/wordpress-server.ts'

const SECOND = 1000

describe('A worker that is told to stop in the middle of its work', () => {
  it('exits by itself with code 0 within 20 seconds, and the next one delivers the rest, all of it once, and exits', async () => {
    const site = await startSite()
    site.smtp.answer(slowMail(() => 300))
    site.crm.answer(slowCrm(() => 300))
    const api = await site.startApi()
    const worker = await site.startWorker()
    await submitMany(api, 40)
    await waitFor('the worker to be in the middle', () => site.smtp.mails.length >= 10)

    const stopped = performance.now()
    const ending = await worker.kill('SIGTERM')
    const took = performance.now() - stopped
    const mailsByThen = site.smtp.mails.length

    expect(ending).toEqual({ code: 0, signal: null })
    expect(took).toBeLessThan(20 * SECOND)
    expect(worker.output().includes('stopped with unfinished work')).toBe(false)
    expect(mailsByThen).toBeLessThan(80)
    const next = await site.startWorker()
    await waitUntilSettled(site.db)
    expect(await compareDeliveries(site)).toEqual(EXACTLY_ONCE)

    // With nothing left to do.
    expect(await next.kill('SIGTERM')).toEqual({ code: 0, signal: null })
    expect(next.output().includes('stopped with unfinished work')).toBe(false)
  })

  it('exits within 20 seconds though the CRM and the mail server never answer, and nothing is lost', async () => {
    const site = await startSite()
    site.smtp.answer('hang')
    site.crm.answer('hang')
    const api = await site.startApi()
    const worker = await site.startWorker()
    await submitMany(api, 10)
    await waitFor('ten calls of the CRM to hang', () => site.crm.events.length === 10)

    const stopped = performance.now()
    const ending = await worker.kill('SIGTERM')
    const took = performance.now() - stopped
    expect(ending).toEqual({ code: 0, signal: null })
    expect(took).toBeLessThan(20 * SECOND)

    site.smtp.answer('accept')
    site.crm.answer({ status: 200 })
    site.crm.events.length = 0
    await site.startWorker()
    await waitFor(
      'every job to be done',
      async () => {
        await retryNow(site.db)
        return (await countOpenJobs(site.db)) === 0
      },
      { within: 60_000 },
    )
    expect(await compareDeliveries(site)).toEqual(EXACTLY_ONCE)
  })
})

it('A worker stopped while its sync waits for the database takes no more jobs, and finishes the sync', async () => {
  const wordpress = await startWordPress()
  onTestFinished(() => wordpress.close())
  wordpress.posts.push(clinicPost(1))
  const site = await startSite()
  const settings = { WORDPRESS_URL: wordpress.url }
  const api = await site.startApi(settings)
  const worker = await site.startWorker(settings)
  await submit(api)
  await waitUntilSettled(site.db)

  const lock = await site.db.transaction()
  await lock.raw('lock table providers in share mode')
  const click = api.call('POST', '/api/sync', undefined, await staffHeaders(site.db))
  await waitFor('the sync to wait', async () => {
    const { rows } = await site.db.raw(`select from pg_locks where relation = 'providers'::regclass and not granted`)
    return rows.length > 0
  })
  worker.child.kill('SIGTERM')
  await waitFor('the worker to stop', () => worker.output().includes('stopping'))
  await submit(api)
  await waitFor('its jobs to be in the queue', async () =>
    (await ledger(site.db)).every(({ state }) => state !== 'waiting'),
  )
  // Far longer than a worker needs to take up a job.
  await sleep(2 * SECOND)
  const open = await countOpenJobs(site.db)
  await lock.rollback()

  expect((await click).body).toMatchObject({ success: true, run: { counts: { created: 1 } } })
  // Those of the lead, and that of the sync.
  expect(open).toBe(4)
  expect(await worker.ended).toEqual({ code: 0, signal: null })
  expect(worker.output().includes('stopped with unfinished work')).toBe(false)
})
