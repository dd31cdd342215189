import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished } from 'vitest'
import { openDbToPrepare } from '../../../core/migrate.ts'
import { type Db, openDb } from '../../../core/platform/db.ts'
import { it } from '../../support/empty-database.ts'
import { startPostgresGateway } from '../../support/postgres-gateway.ts'
import { waitFor } from '../../support/wait.ts'

describe('how long a statement may take', () => {
  const readLimit = async (db: Db) => (await db.raw('show statement_timeout')).rows[0].statement_timeout

  it('has a limit that PostgreSQL keeps', async ({ url, db }) => {
    expect(await readLimit(db)).toBe('15s')
    const hasty = openDb(url, { statementTimeout: 50 })
    await expect(hasty.raw('select pg_sleep(10)')).rejects.toThrow('statement timeout')
    await hasty.destroy()
  })

  it('has none while a database is prepared, whatever the limit of the role is', async ({ url, db }) => {
    await db.raw(`alter database ${new URL(url).pathname.slice(1)} set statement_timeout = '1s'`)
    const patient = openDbToPrepare(url, { poolSize: 1, name: 'test' })
    expect(await readLimit(patient)).toBe('0')
    await patient.destroy()
  })
})

describe('a connection that has gone silent', () => {
  const openHastily = async (url: string, poolSize: number) => {
    const gateway = await startPostgresGateway(url)
    const db = openDb(gateway.url, { poolSize, statementTimeout: 300, grace: 100 })
    onTestFinished(async () => {
      await db.destroy()
      gateway.close()
    })
    return { db, gateway }
  }

  it('is given up, and so are those that went with it; new ones take their place', async ({ url }) => {
    const { db, gateway } = await openHastily(url, 3)
    const three = () =>
      Promise.all([1, 2, 3].map((number) => db.raw('select ?::integer as number, pg_sleep(0.1)', number)))
    await three()
    gateway.silence()

    await expect(db.raw('select 1')).rejects.toMatchObject({ code: 'ETIMEDOUT' })
    const answers = await three()
    expect(answers.map(({ rows }) => rows[0].number)).toEqual([1, 2, 3])
  })

  it('in the middle of a transaction, fails that transaction and nothing else', async ({ url }) => {
    const { db, gateway } = await openHastily(url, 1)
    const lost = db.transaction(async (trx) => {
      await trx.raw('create table things (id integer)')
      gateway.silence()
      await trx.raw('insert into things values (1)')
    })
    await expect(lost).rejects.toThrow()
    expect((await db.raw('select 1 as number')).rows).toEqual([{ number: 1 }])
  })

  it('is noticed also by those who borrow a connection and ask it with promises', async ({ url }) => {
    const { db, gateway } = await openHastily(url, 1)
    const connection = await db.client.acquireConnection()
    expect((await connection.query({ text: 'select $1::integer as number', values: [7] })).rows).toEqual([
      { number: 7 },
    ])
    gateway.silence()
    await expect(connection.query('select 1')).rejects.toMatchObject({ code: 'ETIMEDOUT' })
    await db.client.releaseConnection(connection)
  })

  it('is not one that was asked nothing for a while', async ({ url }) => {
    const { db } = await openHastily(url, 1)
    const [first, second] = await db.transaction(async (trx) => {
      const before = await trx.raw('select pg_backend_pid()')
      await sleep(600)
      return [before.rows, (await trx.raw('select pg_backend_pid()')).rows]
    })
    expect(second).toEqual(first)
  })
})

it('a transaction whose process is silent is ended, so that others get its locks', async ({ url, db }) => {
  const { rows } = await db.raw('show idle_in_transaction_session_timeout')
  expect(rows).toEqual([{ idle_in_transaction_session_timeout: '20s' }])
  await db.raw('create table things (id integer)')
  await db('things').insert({ id: 1 })
  const hasty = openDb(url, { idleTransactionTimeout: 200 })
  onTestFinished(() => hasty.destroy())
  const silent = await hasty.transaction()
  await silent('things').forUpdate()
  await expect(db('things').forUpdate().noWait()).rejects.toThrow('could not obtain lock')
  const isFree = () =>
    db('things')
      .forUpdate()
      .noWait()
      .then(
        () => true,
        () => false,
      )
  await waitFor('the lock', isFree)
  await expect(silent('things')).rejects.toThrow()
  await silent.rollback().catch(() => {})
})
