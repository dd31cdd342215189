import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { HOUR, SECOND } from '../../core/contract/time.ts'
import { DEFAULT_TIME_ZONE } from '../../core/env.ts'
import { prepareDatabase } from '../../core/migrate.ts'
import { type Db, openDb } from '../../core/platform/db.ts'
import { type Postgres, startPostgres } from '../../local/postgres.ts'
import type { ApiClient } from '../support/api-client.ts'
import {
  compareDeliveries,
  EXACTLY_ONCE,
  halfStoredLeads,
  slowCrm,
  slowMail,
  submit,
  submitMany,
  waitUntilSettled,
} from '../support/deliveries.ts'
import { createLead, leadForm } from '../support/factories.ts'
import { startPostgresGateway } from '../support/postgres-gateway.ts'
import { describeOnRedis, type Site, startSite } from '../support/site.ts'
import { waitFor } from '../support/wait.ts'

const CUTS = 5

it('PostgreSQL is gone for a few seconds in the middle of work and at the start: the API answers 503, both processes go on by themselves, nothing is lost, nothing is sent twice', async () => {
  const postgres = await startOwnPostgres()
  const site = await startSite({ database: postgres })
  site.smtp.answer(slowMail(() => 300))
  site.crm.answer(slowCrm(() => 300))

  await postgres.stop()
  const api = await site.startApi()
  expect((await submit(api)).status).toBe(503)
  await postgres.start()
  await waitFor('the API to be ready', async () => (await api.call('GET', '/readyz')).status === 200)
  const worker = await site.startWorker()
  await submitMany(api, 30)
  await waitFor('the worker to be in the middle', () => site.smtp.mails.length >= 10)

  await postgres.stop()
  for (let asked = 0; asked < 6; asked++) {
    const { status, body, headers } = await submit(api)
    expect({ status, body }).toEqual({ status: 503, body: { error: expect.any(String), code: 'unavailable' } })
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    // Three seconds in all: long enough for every attempt that is under way to end without a database.
    await sleep(SECOND / 2)
  }
  expect((await api.call('GET', '/healthz')).status).toBe(200)
  // Ready all the same: the database is away for all APIs, and a proxy without one would answer with a page of its own.
  expect((await api.call('GET', '/readyz')).status).toBe(200)

  await postgres.start()
  await waitFor('the API to reach it', async () => (await api.call('GET', '/api/providers')).status === 200)
  await submitMany(api, 5)
  await waitUntilSettled(site.db)
  expect([api.isRunning(), worker.isRunning()]).toEqual([true, true])
  expect(await site.db('leads').pluck('id')).toHaveLength(35)
  expect(await halfStoredLeads(site.db)).toEqual([])
  expect(await compareDeliveries(site)).toEqual(EXACTLY_ONCE)
})

describeOnRedis('PostgreSQL cuts every connection, again and again', () => {
  it('the API and the worker survive, and every form that was taken is delivered', async () => {
    const site = await startSite()
    site.smtp.answer(slowMail(() => 50))
    const api = await site.startApi()
    const worker = await keepWorkerRunning(site)

    const answered: number[] = []
    for (let cut = 1; cut <= CUTS; cut++) {
      const sending = Promise.all(Array.from({ length: 10 }, () => submitUntilTaken(api)))
      await site.db.raw(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`)
      answered.push(...(await sending))
    }
    await waitUntilSettled(site.db)

    const stored = (await site.db('leads').pluck('reference')).map(Number)
    expect(answered.filter((id) => !stored.includes(id))).toEqual([])
    expect(await halfStoredLeads(site.db)).toEqual([])
    const { repeated, ...deliveries } = await compareDeliveries(site)
    expect(deliveries).toEqual({ missing: [], unexpected: [], notDone: [] })
    expect(api.isRunning()).toBe(true)
    expect(worker.ends()).toBe(0)
    expect(repeated).toEqual([])
  })
})

it('PostgreSQL goes silent on every connection that is open the form that was being stored is answered, later ones are taken, and the relay goes on', async () => {
  const site = await startSite()
  const gateway = await startPostgresGateway(site.env.DATABASE_URL as string)
  onTestFinished(() => gateway.close())
  await createLead(site.db, { providerId: site.providerId })
  await relayIn(site.db, HOUR)
  const api = await site.startApi({ DATABASE_URL: gateway.url })
  // A queue that is still being opened holds a lock, and a connection that goes silent would hold it forever.
  await submit(api)
  await waitFor('the queue to take jobs', async () => (await site.db('jobs').where('state', 'enqueued')).length > 0)

  // The relay may lock its rows, but neither it nor a form may write any.
  await relayIn(site.db, 3 * SECOND)
  const lock = await site.db.transaction()
  await lock.raw('lock table jobs in share mode')
  await waitFor('the relay to be in its transaction', async () => (await countLockWaits(site.db)) === 1)
  const forms = [submit(api)]
  await waitFor('the form to be in flight', async () => (await countLockWaits(site.db)) === 2)
  gateway.silence()
  await lock.rollback()
  for (let n = 0; n < 5; n++) forms.push(submit(api))

  // They are given up after 17 s; what is checked here is that they do not wait for TCP.
  const statuses = (await inTime(Promise.all(forms))).map(({ status }) => status)
  expect([201, 503]).toContain(statuses[0])
  expect(statuses.slice(1)).toEqual([201, 201, 201, 201, 201])
  expect((await inTime(submit(api))).status).toBe(201)

  await site.startWorker()
  await waitUntilSettled(site.db)
  expect(await halfStoredLeads(site.db)).toEqual([])
  expect(await compareDeliveries(site)).toEqual(EXACTLY_ONCE)
})

/** Makes every waiting job due after some milliseconds. */
async function relayIn(db: Db, ms: number): Promise<void> {
  await db('jobs')
    .where('state', 'waiting')
    .update({ next_attempt_at: db.raw(`now() + ? * interval '1 ms'`, [ms]) })
}

async function countLockWaits(db: Db): Promise<number> {
  const waiting = await db('pg_stat_activity').whereRaw(`datname = current_database() and wait_event_type = 'Lock'`)
  return waiting.length
}

function inTime<Value>(promise: Promise<Value>): Promise<Value> {
  const late = sleep(60 * SECOND, null, { ref: false }).then(() => Promise.reject(new Error('no answer in a minute')))
  return Promise.race([promise, late])
}

/** Runs a worker, and a new one whenever it ends by itself with an error, as the launcher does. */
async function keepWorkerRunning(site: Site): Promise<{ ends(): number }> {
  let ends = 0
  const start = async () => {
    const worker = await site.startWorker()
    worker.ended.then(({ code }) => {
      if (code === null) return
      ends += 1
      start().catch(() => {})
    })
  }
  await start()
  return { ends: () => ends }
}

/** A PostgreSQL of this test's own, migrated, which may stop and start again on the same data and port. */
async function startOwnPostgres() {
  const dataDir = await mkdtemp(join(tmpdir(), 'leadwell-postgres-'))
  // What it holds must outlive its stop, so fsync stays on.
  let server: Postgres = await startPostgres({ dataDir })
  const { url, port } = server
  const db = openDb(url)
  onTestFinished(async () => {
    await db.destroy()
    await server.stop()
    await rm(server.dataDir, { recursive: true, force: true })
    await rm(dataDir, { recursive: true, force: true })
  })

  await prepareDatabase(db, DEFAULT_TIME_ZONE)
  return {
    db,
    url,
    stop: () => server.stop(),
    async start() {
      server = await startPostgres({ dataDir, port })
    },
  }
}

/** Sends the same form until it is taken. What is refused meanwhile is refused with 503. */
async function submitUntilTaken(api: ApiClient): Promise<number> {
  const form = leadForm()
  const key = randomUUID()
  const taken = await waitFor('a form to be taken', async () => {
    const { status, body } = await submit(api, form, key)
    if (status !== 201) expect({ status, body }).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    return status === 201 && body
  })
  return taken.id
}
