import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { createReadiness } from '../../api/readiness.ts'
import { ErrorAnswer } from '../../core/contract/call.ts'
import { SECOND } from '../../core/contract/time.ts'
import { openDb } from '../../core/platform/db.ts'
import { readDatabaseState } from '../../core/platform/process.ts'
import { startApiServer } from '../support/api-server.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { applicationForm, createProvider, leadForm } from '../support/factories.ts'
import { found } from '../support/found.ts'
import { startPostgresGateway } from '../support/postgres-gateway.ts'
import { waitFor } from '../support/wait.ts'

async function apiOn(url: string, { connectTimeout = 300 } = {}) {
  const db = openDb(url, { connectTimeout })
  const api = await startApiServer(db)
  onTestFinished(async () => {
    await api.close()
    await db.destroy()
  })
  return api
}

async function migratedDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase()
  onTestFinished(database.drop)
  return database
}

/** A server that takes every connection and never says a word. */
async function startSilentServer(): Promise<string> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `postgres://nobody@127.0.0.1:${(server.address() as AddressInfo).port}/none`
}

const UNREACHABLE = async () => 'postgres://nobody@127.0.0.1:1/none'
const OUTAGES = [
  { outage: 'refuses connections', database: UNREACHABLE },
  { outage: 'takes connections and never answers', database: startSilentServer },
]

async function timed<Answer>(call: Promise<Answer>): Promise<{ answer: Answer; ms: number }> {
  const started = performance.now()
  const answer = await call
  return { answer, ms: performance.now() - started }
}

describe.each(OUTAGES)('while the database $outage', ({ database }) => {
  it('the process says that it is alive', async () => {
    const api = await apiOn(await database())
    expect(await api.call('GET', '/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } })
  })

  it('it says within two seconds that it is not ready, and again when asked again', async () => {
    // Longer than the answer may take: it is not the connection that ends the wait.
    const api = await apiOn(await database(), { connectTimeout: 2 * SECOND })
    for (let n = 0; n < 2; n++) {
      const { answer, ms } = await timed(api.call('GET', '/readyz'))
      expect(answer).toMatchObject({ status: 503, body: { status: 'unready' } })
      expect(Object.keys(answer.body)).toEqual(['status'])
      expect(ms).toBeLessThan(2 * SECOND)
    }
  })

  it('a lead is refused with a sentence, so that the visitor sends it again', async () => {
    const api = await apiOn(await database())
    const { status, headers, body } = await api.call('POST', '/api/leads', leadForm())

    expect({ status, ...ErrorAnswer.strict().parse(body) }).toEqual({
      status: 503,
      code: 'unavailable',
      error: expect.stringMatching(/try again/),
    })
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('other calls say the same, and none is a 500', async () => {
    const api = await apiOn(await database())
    const cookie = { cookie: 'leadwell_session=anything' }
    const answers = await Promise.all([
      api.call('GET', '/api/providers'),
      api.call('GET', '/api/providers/1'),
      api.call('GET', '/api/leads', undefined, cookie),
      api.call('DELETE', '/api/leads/1', undefined, cookie),
      api.call('GET', '/api/session', undefined, cookie),
    ])
    expect(answers.map(({ status, body }) => ({ status, code: body.code }))).toEqual(
      answers.map(() => ({ status: 503, code: 'unavailable' })),
    )
  })
})

it.each([
  ['is read-only', 'alter database ?? set default_transaction_read_only = on'],
  ['has no room left', 'alter database ?? set temp_file_limit = 0'],
])('a database that takes no writes and %s is refused with a sentence, and never with 500', async (what, sql) => {
  const { db: before, url } = await migratedDatabase()
  await createProvider(before)
  const owner = openDb(inject('postgresUrl'))
  await owner.raw(sql, [new URL(url).pathname.slice(1)])
  await owner.destroy()
  const api = await apiOn(url)

  const db = openDb(url)
  onTestFinished(() => db.destroy())
  const trouble = what === 'is read-only' ? 'read_only' : 'full'
  expect(await readDatabaseState(db)).toMatchObject({ trouble, sentence: expect.stringMatching(/Forms are refused/) })
  if (trouble === 'full') return
  for (const [method, path, body] of [
    ['POST', '/api/leads', leadForm()],
    ['POST', '/api/provider-applications', applicationForm()],
    ['POST', '/api/session', { password: 'a password for tests' }],
  ] as const) {
    const { status, headers, body: answer } = await api.call(method, path, body)
    expect({ path, status, ...ErrorAnswer.strict().parse(answer) }).toEqual({
      path,
      status: 503,
      code: 'unavailable',
      error: expect.stringMatching(/try again/),
    })
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  }
})

describe('/readyz', () => {
  it('says which database has not been migrated, and recovers by itself', async () => {
    const { db, url } = await migratedDatabase()
    const newest = found(await db('knex_migrations').orderBy('id', 'desc').first())
    await db('knex_migrations').where('id', newest.id).delete()
    const api = await apiOn(url)
    const { status, body } = await api.call('GET', '/readyz')
    expect({ status, body }).toEqual({ status: 503, body: { status: 'unready' } })
    expect(await createReadiness(db)()).toEqual({ status: 'unready', reason: expect.stringContaining('migrations') })
    await db('knex_migrations').insert(newest)
    expect(await api.call('GET', '/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } })
  })

  it('stays ready while the database is away, so that a proxy keeps the process that says so', async () => {
    const { url } = await migratedDatabase()
    const gateway = await startPostgresGateway(url)
    onTestFinished(() => gateway.close())
    const api = await apiOn(gateway.url)
    expect((await api.call('GET', '/readyz')).status).toBe(200)

    gateway.block()
    for (const path of ['/readyz', '/healthz']) expect((await api.call('GET', path)).status).toBe(200)
    expect((await api.call('POST', '/api/leads', leadForm())).status).toBe(503)

    gateway.unblock()
    const isTaken = async () => (await api.call('POST', '/api/leads', leadForm())).status === 201
    await waitFor('the API to take leads again', isTaken)
  })
})
