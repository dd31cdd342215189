import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { retry } from '../../core/deliveries/retry-deliveries.ts'
import { listFailed } from '../../core/deliveries/stores/failed-jobs.ts'
import { deleteLead, purgeExpiredLeads } from '../../core/leads/change-lead.ts'
import { countRows } from '../../core/platform/db.ts'
import * as erasures from '../../core/privacy/stores/erasures.ts'
import { startBulk } from '../../core/staff/stores/bulk.ts'
import { retention } from '../../worker/retention.ts'
import { bulkServices } from '../support/bulk.ts'
import { useDatabase } from '../support/database.ts'
import { PERSON_KEY, testEnv } from '../support/env.ts'
import { createApplication, createLead, createProvider, createSyncRun, jobsOf } from '../support/factories.ts'
import { found } from '../support/found.ts'
import { attempt } from '../support/lead-jobs.ts'
import { addPurge, createExpiredLeads, purgeOld } from '../support/purges.ts'

const database = useDatabase()

const run = (id: string, stopping?: AbortSignal) => attempt([id], bulkServices(database.app, stopping))
const rowOf = async (id: string) => found(await database.db('jobs').where({ id }).first())
const countLeads = () => countRows(database.db('leads'))

describe('the job of the purge', () => {
  const addNightly = () => erasures.addNightly(database.app, 'America/Chicago')

  it('is added once a night, however many workers look, and replaces the one before', async () => {
    const addByMany = async () => (await Promise.all(Array.from({ length: 10 }, addNightly))).filter(Boolean)
    expect(await addByMany()).toEqual([true])
    await run(found(await database.db('jobs').first('id')).id)
    expect(await addByMany()).toEqual([])

    await database.db('jobs').update({ created_at: database.db.raw(`now() - interval '24 hours'`) })
    expect(await addByMany()).toEqual([true])
    expect(await database.db('jobs')).toMatchObject([{ name: 'purge', state: 'waiting' }])
  })

  it('is begun again by staff once, where it has failed', async () => {
    const id = await addPurge(database.app)
    await database.db('jobs').update({ state: 'failed', finished_at: new Date(), last_cause: 'our_side' })
    expect(await listFailed(database.app, { name: 'purge' }, 10)).toMatchObject([{ id }])
    const byAda = (jobId: string) => retry(database.app, jobId, { actor: 'Ada' })
    const outcomes = await Promise.allSettled([byAda(id), byAda(id)])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await database.db('audit_log')).toMatchObject([{ actor: 'Ada', action: 'retry-job', details: { job: id } }])
    expect(await database.db('jobs').orderBy('generation').pluck('state')).toEqual(['failed', 'waiting'])
  })
})

describe('a purge', () => {
  let old: number
  let young: number[]
  let id: string
  /** Leads are deleted in batches of a hundred. */
  const begin = async (count: number) => {
    old = count
    young = [await createLead(database.db), await createLead(database.db)]
    await createExpiredLeads(database.db, old)
    id = await addPurge(database.app)
  }
  /** Every old lead has gone once, and no other. */
  const expectAllGone = async () => {
    expect(await rowOf(id)).toMatchObject({ state: 'done' })
    expect(await database.db('leads').orderBy('id').pluck('id')).toEqual(young)
    const lines = await database.db('audit_log').where({ action: 'purge' }).pluck('entity_id')
    expect([lines.length, new Set(lines).size]).toEqual([old, old])
  }

  it('hands back when the worker stops, and goes on where it was', async () => {
    await begin(205)
    const stopping = new AbortController()
    const attempted = run(id, stopping.signal)
    await expect.poll(countLeads, { interval: 5, timeout: 20_000 }).toBeLessThan(old + young.length)
    stopping.abort()
    await expect(attempted).rejects.toThrow('The worker stops.')
    const { state, created_at, next_attempt_at, enqueued_at } = await rowOf(id)
    expect(state).toBe('waiting')
    // A sign of life: neither alerts nor the sweep take a long run for a late or lost one.
    for (const time of [next_attempt_at, enqueued_at]) expect(Number(time)).toBeGreaterThan(Number(created_at))
    expect(await countLeads()).toBeGreaterThan(young.length)

    await run(id)
    await expectAllGone()
  })

  it('goes on with the rest where something cannot be deleted, says what, and tries again later', async () => {
    await begin(105)
    const [broken] = await database.db('leads').orderBy('created_at').offset(102).limit(1).pluck('id')
    await database.db.raw(`alter table audit_log add constraint unwritable check (entity_id <> '${broken}') not valid`)
    await database.db('sign_in_attempts').insert({ key: 'old', points: 1, expire: 1 })
    try {
      await run(id)
      expect(await rowOf(id)).toMatchObject({ state: 'waiting', attempts: 1, last_error: 'Could not delete: leads.' })
      expect(await countLeads()).toBe(old + young.length - 100)
      expect(await database.db('sign_in_attempts')).toEqual([])
    } finally {
      await database.db.raw('alter table audit_log drop constraint unwritable')
    }
    await run(id)
    await expectAllGone()
  })

  it('deletes nothing twice where several workers have it', async () => {
    await begin(105)
    await Promise.all([run(id), run(id), run(id)])
    await expectAllGone()
  })
})

it('notifies the CRM of many deletions one after the other, so that new leads do not wait behind them', async () => {
  for (let n = 0; n < 3; n++) await createLead(database.db)
  const ago = database.db.raw(`now() - interval '3 years'`)
  await database.db('leads').update({ created_at: ago })
  await database.db('jobs').update({ state: 'done', attempts: 1, finished_at: ago })
  expect(await purgeExpiredLeads(database.app, 730, PERSON_KEY, 1000)).toBe(3)
  const notices = await database.db('jobs').where({ purpose: 'deleted' }).orderBy('next_attempt_at')
  const delays = notices.map(({ next_attempt_at, created_at }) => next_attempt_at.getTime() - created_at.getTime())
  expect(delays).toEqual([20_000, 20_020, 20_040])
})

type Row = [old: string, young: string, add: (age: string) => PromiseLike<unknown>]
const row = (...of: Row) => of
/** The ages of a row that is deleted and of one that is not, and how to add a row of an age. */
const ROWS: Record<string, Row> = {
  'deleted leads': row('31 days', '29 days', async (age) => {
    const id = await createLead(database.db)
    await deleteLead(database.db, id, { actor: 'Ada' })
    await update('all_leads', { id }, 'deleted_at', age)
  }),
  leads: row('731 days', '729 days', async (age) => {
    const id = await createLead(database.db)
    await jobsOf(database.db, id).delete()
    await update('leads', { id }, 'created_at', age)
  }),
  applications: row('731 days', '729 days', async (age) =>
    update('provider_applications', { id: await createApplication(database.db) }, 'created_at', age),
  ),
  'addresses in consents': ['366 days', '364 days', (age) => addConsent(age)],
  consents: ['1827 days', '1825 days', (age) => addConsent(age)],
  'hashes of erasures': row('1827 days', '1825 days', (age) =>
    add('erasures', {
      ...{ kind: 'lead', row_id: number(), reference: 1, sent_at: ago(age), reason: 'deleted' },
      ...{ email_hash: 'a', erased_at: ago(age) },
    }),
  ),
  sessions: ['1 s', '-1 hour', (age) => add('staff_sessions', { ...token(), shared_fingerprint: 'a', ...ends(age) })],
  'pending sign-ins': row('1 s', '-1 hour', async (age) => {
    const [{ id: account_id } = { id: 0 }] = await database
      .db('staff_accounts')
      .insert({ name: 'Ada', email: `${randomUUID()}@leadwell.example`, role: 'agent' })
      .returning('id')
    await add('staff_pending_sign_ins', { ...token(), account_id, ...ends(age) })
  }),
  'sign-in attempts': row('1', '-1', (age) =>
    add('sign_in_attempts', { key: randomUUID(), points: 1, expire: Math.round(Date.now() - Number(age) * 60_000) }),
  ),
  'clinic sessions': ['1 s', '-1 hour', (age) => addOfClinic('clinic_sessions', { ...token(), ...MAIL, ...ends(age) })],
  'clinic links': row('49 hours', '47 hours', (age) =>
    addOfClinic('one_time_tokens', { purpose: 'clinic_link', job_id: randomUUID(), ...MAIL, requested_at: ago(age) }),
  ),
  'match changes': row('25 hours', '23 hours', (age) =>
    add('match_changes', {
      ...{ lead_id: number(), before: '{}', added_jobs: [], replaced_jobs: [], changed_at: ago(age) },
    }),
  ),
  attempts: ['367 days', '365 days', (age) => add('job_attempts', { job_id: randomUUID(), started_at: ago(age) })],
  'bulk actions': ['31 days', '29 days', (age) => addBulk(age)],
  'rows of bulk actions': row('31 days', '29 days', async (age) => {
    const { job_id } = await addBulk(age)
    if (age === '31 days') await database.db('bulk_actions').where({ job_id }).delete()
  }),
  syncs: row('91 days', '89 days', (age) =>
    createSyncRun(database.db, { dry_run: true, finished_at: database.db.raw(ago(age)) }),
  ),
  'setup checks': row('31 days', '29 days', async (age) => {
    const { job_id: id } = await addJob('send-email')
    await update('jobs', { id }, 'created_at', age)
    await database.db('jobs').where({ id }).update({ payload: '{"to":"a"}' })
  }),
  'sent alerts': row('91 days', '89 days', async (age) => {
    const { job_id: id } = await addJob('send-alert')
    await update('jobs', { id }, 'created_at', age)
  }),
  'ended alerts': row('91 days', '89 days', (age) =>
    add('alert_states', {
      ...{
        event: 'worker',
        subject: randomUUID(),
        title: 'a',
        path: '/',
        opened_at: ago(age),
        last_seen_at: ago(age),
        recovered_at: ago(age),
      },
    }),
  ),
  'audit log': row('2197 days', '2195 days', (age) =>
    add('audit_log', { actor: 'a', action: 'sign-in', entity: 'session', entity_id: 'all', at: ago(age) }),
  ),
  'access log': row('2197 days', '2195 days', (age) =>
    add('access_log', { actor: 'a', ip: '::1', call: 'a', entity: 'lead', row_ids: [1], at: ago(age) }),
  ),
}
const MAIL = { email: 'a' }
let last = 0
const number = () => ++last
const token = () => ({ token_hash: randomUUID() })
const ago = (age: string) => `now() - interval '${age}'`
const ends = (age: string) => ({ expires_at: ago(age) })

/** Adds a row. Values that begin with `now()` are SQL. */
const add = (table: string, row: Record<string, unknown>) =>
  database
    .db(table)
    .insert(
      Object.fromEntries(
        Object.entries(row).map(([column, value]) => [
          column,
          String(value).startsWith('now()') ? database.db.raw(String(value)) : value,
        ]),
      ),
    )
const addOfClinic = async (table: string, row: Record<string, unknown>) =>
  add(table, { provider_id: (await createProvider(database.db)).id, ...row })
/** Makes a row older. The owner of the database can do so with evidence, too. */
const update = (table: string, where: object, column: string, age: string) =>
  database.db.transaction(async (trx) => {
    await trx.raw('set local session_replication_role = replica')
    await trx(table)
      .where(where)
      .update({ [column]: trx.raw(ago(age)) })
  })
async function addJob(name: 'send-email' | 'send-alert') {
  const [{ id } = { id: '' }] = await database
    .db('jobs')
    .insert({ name, purpose: 'test', state: 'done', finished_at: new Date() })
    .returning('id')
  await add('job_attempts', { job_id: id })
  return { job_id: id }
}
async function addConsent(age: string) {
  await update('consents', { lead_id: await createLead(database.db) }, 'given_at', age)
}
async function addBulk(age: string) {
  const limit = { of: [], most: 1, sentence: '' }
  const action = { purpose: 'delete' as const, items: [{ lead_id: 1 }], limit }
  const job_id = await startBulk(database.db, action, { actor: 'staff' })
  await database.db('jobs').where({ id: job_id }).update({ state: 'done', finished_at: new Date() })
  await update('bulk_actions', { job_id }, 'created_at', age)
  return { job_id }
}

it('the table of retention has a row in this test for each of its lines', () => {
  expect(Object.keys(ROWS)).toEqual(Object.keys(retention(testEnv())))
})

it.each(Object.entries(ROWS))(
  'deletes %s after their time, with their jobs, and no others',
  async (name, [old, young, addRow]) => {
    await addRow(old)
    await addRow(young)
    expect(await purgeOld(database.app, name)).toBe(1)
    expect(await purgeOld(database.app, name)).toBe(0)
    // The role of the app, which does not own the tables, can do all of it.
    const id = await addPurge(database.app)
    await run(id)
    expect(await rowOf(id)).toMatchObject({ state: 'done' })
    const ofJobs = ['setup checks', 'sent alerts', 'bulk actions'].includes(name)
    if (ofJobs) expect(await countRows(database.db('jobs').whereNot({ id }))).toBe(1)
  },
)
