import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { describe, expect, onTestFinished } from 'vitest'
import { DEFAULT_TIME_ZONE } from '../../core/env.ts'
import { openDbToPrepare, prepareDatabase } from '../../core/migrate.ts'
import { type Db, migrate, openDb, pendingMigrations } from '../../core/platform/db.ts'
import { createTestDatabase } from '../support/database.ts'
import { it } from '../support/empty-database.ts'
import { createLead, createProvider, leadForm } from '../support/factories.ts'

const tables = (db: Db) =>
  db('information_schema.tables')
    .where('table_schema', 'public')
    .whereRaw(`table_name not like 'knex%'`)
    .orderBy('table_name')
    .pluck('table_name')

const OF_TOMORROW = '20991231120000-of-tomorrow'
const MIGRATIONS = new URL('../../migrations/', import.meta.url)

/** Every migration, the oldest first. */
async function readMigrations(): Promise<{ name: string; up(db: Db): Promise<void>; down(db: Db): Promise<void> }[]> {
  const names = (await readdir(MIGRATIONS)).sort()
  return Promise.all(names.map(async (name) => ({ name, ...(await import(new URL(name, MIGRATIONS).href)) })))
}

describe('migrate', () => {
  it('brings an empty database up to date, once', async ({ db }) => {
    expect(await pendingMigrations(db)).toBeGreaterThan(0)
    const applied = await migrate(db)
    expect(applied).toContain('20261120120000-leads')
    expect(await pendingMigrations(db)).toBe(0)
    expect(await migrate(db)).toEqual([])
    expect(await tables(db)).toEqual(expect.arrayContaining(['consents', 'jobs', 'leads', 'providers', 'zip_codes']))
  })

  it('takes turns with another run', async ({ db }) => {
    const runs = await Promise.all([migrate(db), migrate(db), migrate(db)])
    expect(runs.flat()).toEqual([...new Set(runs.flat())])
    expect(await pendingMigrations(db)).toBe(0)
  })

  it('does not wait for long for what somebody else uses, because others wait behind it', async ({ url, db }) => {
    await migrate(db)
    const other = await db.transaction()
    await other.raw('lock table knex_migrations_lock')
    const patient = openDbToPrepare(url, { poolSize: 1, name: 'test' })
    await expect(migrate(patient, { lockTimeout: 200 })).rejects.toThrow('lock timeout')

    await other.rollback()
    expect(await migrate(patient)).toEqual([])
    await patient.destroy()
  })

  it('can be undone and done again', async ({ db }) => {
    await migrate(db)
    const migrations = await readMigrations()
    for (const { down } of migrations.toReversed()) await down(db)
    expect(await tables(db)).toEqual([])
    expect(await db('pg_proc').whereRaw("pronamespace = 'public'::regnamespace and proname = 'zip_location'")).toEqual(
      [],
    )

    for (const { up } of migrations) await up(db)
    expect(await createLead(db)).toBe(1)
  })
})

describe('the failures of the first release', () => {
  /** What senders said then, taken apart: our words, theirs, and the cause. */
  const FAILURES: [
    job: string,
    status: number | null,
    error: string,
    ours: string,
    theirs: string | null,
    cause: string,
  ][] = [
    [
      'send-email',
      550,
      'The mail server refused the e-mail. The mailbox does not exist: 550 5.1.1 <a@b.example> could not be reached',
      'The mail server refused the e-mail. The mailbox does not exist.',
      '550 5.1.1 <a@b.example> could not be reached',
      'unknown_mailbox',
    ],
    [
      'send-email',
      554,
      'The mail server refused our connection: 554 no: go away We have stopped trying.',
      'The mail server refused our connection. We have stopped trying.',
      '554 no: go away',
      'blocked',
    ],
    [
      'send-email',
      null,
      'The recipient has no valid e-mail address.',
      'The recipient has no valid e-mail address.',
      null,
      'bad_address',
    ],
    [
      'send-email',
      503,
      'The mail server could not take the e-mail yet: 503 5.5.1 bad sequence',
      'The mail server could not take the e-mail yet.',
      '503 5.5.1 bad sequence',
      'server_error',
    ],
    [
      'sync-crm',
      422,
      'The CRM refused the lead: it answered 422.',
      'The CRM refused the lead: it answered 422.',
      null,
      'refused',
    ],
    [
      'sync-crm',
      400,
      'The CRM refused the lead: it answered 400. It said: Email: is bad',
      'The CRM refused the lead: it answered 400.',
      'Email: is bad',
      'refused',
    ],
    [
      'sync-crm',
      200,
      'The CRM answered with more than 1 MB, which is no answer to a lead. It may have taken the lead, which is sent again.',
      'The CRM answered with more than 1 MB, which is no answer to a lead. It may have taken the lead, which is sent again.',
      null,
      'server_error',
    ],
    [
      'sync-crm',
      401,
      'HubSpot refused our credentials. Have HUBSPOT_TOKEN and its scopes checked. It said: Expired',
      'HubSpot refused our credentials. Have HUBSPOT_TOKEN and its scopes checked.',
      'Expired',
      'credentials',
    ],
    [
      'sync-crm',
      null,
      'Something went wrong on our side: insert failed',
      'Something went wrong on our side.',
      'insert failed',
      'our_side',
    ],
  ]

  it('keep their words and get a cause', async ({ db }) => {
    const migrations = await readMigrations()
    const split = migrations.findIndex(({ name }) => name.includes('failure-causes'))
    for (const { up } of migrations.slice(0, split)) await up(db)
    for (const [leadId, [name, status, error]] of FAILURES.entries()) {
      const purpose = name === 'sync-crm' ? 'created' : 'visitor'
      const job = { name, purpose, lead_id: leadId, state: 'failed', last_error: error, finished_at: db.fn.now() }
      const [{ id }] = await db('jobs')
        .insert({ ...job, result: JSON.stringify({ status }) })
        .returning('id')
      await db('job_attempts').insert({ job_id: id, duration_ms: 5, outcome: 'failed', status, error })
    }
    await migrations[split]?.up(db)

    const jobs = await db('jobs').orderBy('lead_id').select('id', 'last_error', 'last_detail', 'last_cause')
    const expected = FAILURES.map(([, , , ours, theirs, cause]) => [ours, theirs, cause])
    expect(jobs.map((job) => [job.last_error, job.last_detail, job.last_cause])).toEqual(expected)
    const attempts = await db('job_attempts').join('jobs', 'jobs.id', 'job_id').orderBy('lead_id')
    expect(attempts.map(({ error, detail, cause }) => [error, detail, cause])).toEqual(expected)
  })
})

describe('leads of an earlier release', () => {
  it('keep that nobody was in reach, and those that are held have pending e-mails', async ({ db }) => {
    const migrations = await readMigrations()
    const split = migrations.findIndex(({ name }) => name.includes('unreached-leads'))
    for (const { up } of migrations.slice(0, split)) await up(db)
    const { id: provider } = await createProvider(db)
    const [byHand, found, fresh] = [
      await createEarlyLead(db),
      await createEarlyLead(db, { provider_id: provider, matched_at: db.fn.now(), match_kind: 'nearest' }),
      await createEarlyLead(db),
    ]
    const [held, old] = [await createEarlyLead(db, { held_reason: 'honeypot' }), await createEarlyLead(db)]
    const done = { state: 'done', finished_at: '2026-03-02T12:00:00Z' }
    const looked = { ...done, result: JSON.stringify({ providerId: null, nearestMiles: 183 }) }
    await db('jobs').where({ lead_id: byHand, name: 'match-lead' }).update(looked)
    await db('leads')
      .where({ id: byHand })
      .update({ provider_id: provider, matched_at: db.fn.now(), match_kind: 'staff' })
    await db('jobs').where({ lead_id: old, name: 'match-lead' }).delete()
    await db('jobs').where({ lead_id: held }).update(done)
    await db('leads').where({ id: held }).update({ email_status: 'success' })
    for (const { up } of migrations.slice(split)) await up(db)

    const unreached = await db('leads').whereNotNull('unreached_at').orderBy('id').select('id', 'unreached_at')
    expect(unreached.map(({ id }) => id)).toEqual([byHand, old])
    expect(unreached[0].unreached_at).toEqual(new Date(done.finished_at))
    expect(await db('leads').whereIn('id', [found, fresh, held]).pluck('email_status')).toEqual(
      Array(3).fill('pending'),
    )
  })
})

/** Stores a lead, and a job that looks for its provider where it has none, in a schema that this code does not write to. */
async function createEarlyLead(db: Db, columns: Record<string, unknown> = {}): Promise<number> {
  const { first_name, last_name, email, phone, zip_code } = leadForm()
  const [{ id }] = await db('leads')
    .insert({
      ...{ first_name, last_name, email, phone, zip_code, request_hash: '', repeat_window: 'empty' },
      ...{ person_key: randomUUID(), ...columns },
    })
    .returning('id')
  const job = columns.held_reason ? { name: 'send-email', purpose: 'team' } : { name: 'match-lead', purpose: 'nearest' }
  if (!columns.provider_id) await db('jobs').insert({ lead_id: id, ...job })
  return id
}

describe('a database that is ahead of this code', () => {
  it('has nothing pending, and is left as it is', async () => {
    const { db, drop } = await createTestDatabase()
    onTestFinished(drop)
    await db('knex_migrations').insert({ name: OF_TOMORROW, batch: 2 })
    const before = await db('knex_migrations').orderBy('id')

    expect(await pendingMigrations(db)).toBe(0)
    expect((await prepareDatabase(db, DEFAULT_TIME_ZONE)).migrations).toEqual([])
    expect(await db('knex_migrations').orderBy('id')).toEqual(before)
  })
})

describe('pendingMigrations', () => {
  it('makes nothing in an empty database', async ({ db }) => {
    await pendingMigrations(db)
    expect(await db('pg_tables').where('schemaname', 'public')).toEqual([])
  })

  it('throws when the database is out of reach', async () => {
    const db = openDb('postgres://nobody@127.0.0.1:1/none')
    await expect(pendingMigrations(db)).rejects.toThrow('ECONNREFUSED')
    await db.destroy()
  })
})
