import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { purgeExpiredLeads } from '../../core/commands/leads/purge-leads.ts'
import { retryDeliveries } from '../../core/commands/retry-deliveries.ts'
import { startBulk } from '../../core/commands/start-bulk.ts'
import type { PurposeOf } from '../../core/jobs/jobs.ts'
import { countRows, queryRows } from '../../core/platform/db.ts'
import * as bulk from '../../core/stores/bulk.ts'
import * as consentChain from '../../core/stores/consent-chain.ts'
import { countFailed, listFailed } from '../../core/stores/failed-jobs.ts'
import * as jobs from '../../core/stores/jobs.ts'
import * as metrics from '../../core/stores/metrics.ts'
import * as purges from '../../core/stores/purges.ts'
import { HANDLERS } from '../../worker/handlers/index.ts'
import { purgesOf } from '../../worker/purges.ts'
import { bulkServices } from '../support/bulk.ts'
import { emptyDatabase, useDatabase } from '../support/database.ts'
import { CHAIN_KEY, PERSON_KEY, testEnv } from '../support/env.ts'
import { createApplication, createLead, createProvider, createStaff, createSyncRun } from '../support/factories.ts'
import { found } from '../support/found.ts'
import { attempt } from '../support/lead-jobs.ts'
import { addPurge, createExpiredLeads } from '../support/purges.ts'

const database = useDatabase()
afterEach(() => emptyDatabase(database.db))

const services = (stopping?: AbortSignal) => bulkServices(database.app, stopping)
const run = (id: string) => attempt([id], services())
const ledger = () =>
  database.db('jobs').where({ name: 'purge' }).orderBy('created_at').select('id', 'state', 'result', 'last_cause')
const rowOf = async (id: string) => found(await database.db('jobs').where({ id }).first())
const countLeads = () => countRows(database.db('leads'))
const failNow = (id: string) =>
  database
    .db('jobs')
    .where({ id })
    .update({ state: 'failed', finished_at: new Date(), last_error: 'Broken.', last_cause: 'our_side' })

describe('the job of a purge', () => {
  it('is added by one of many workers, and again only when it has ended', async () => {
    const addByMany = async () =>
      (await Promise.all(Array.from({ length: 30 }, () => purges.add(database.app, 'sessions')))).filter(Boolean)
    for (let round = 0; round < 5; round++) {
      const added = await addByMany()
      expect(added).toHaveLength(1)
      await database.db('jobs').update({ state: 'enqueued', enqueued_at: new Date() })
      expect(await addByMany()).toEqual([])
      // Another purge does not stand in its way.
      expect(await purges.add(database.app, 'consents')).toEqual(round === 0 ? expect.any(String) : null)
      await run(String(added[0]))
    }
  })

  it('leaves nothing of the earlier runs of its purpose in the ledger', async () => {
    const other = await addPurge(database.app, 'consents')
    await run(other)
    let last = ''
    for (let round = 0; round < 3; round++) {
      last = await addPurge(database.app, 'sessions')
      await run(last)
    }
    expect((await ledger()).map(({ id }) => id)).toEqual([other, last])
    expect((await database.db('job_attempts').orderBy('started_at').pluck('job_id')).toSorted()).toEqual(
      [other, last].toSorted(),
    )
  })

  it('leaves the last failed run until a later one succeeds', async () => {
    await run(await addPurge(database.app, 'sessions'))
    const first = await addPurge(database.app, 'sessions')
    await failNow(first)
    const second = await addPurge(database.app, 'sessions')
    expect((await ledger()).map(({ id }) => id)).toEqual([first, second])
    await failNow(second)
    const third = await addPurge(database.app, 'sessions')
    expect((await ledger()).map(({ id, state }) => [id, state])).toEqual([
      [second, 'failed'],
      [third, 'waiting'],
    ])
    await run(third)
    expect(await ledger()).toMatchObject([{ id: third, state: 'done' }])
  })

  it('is listed and counted where it failed, and staff start it again once', async () => {
    const id = await addPurge(database.app, 'sessions')
    await failNow(id)
    expect(await listFailed(database.app, { name: 'purge' }, 10)).toMatchObject([{ id, purpose: 'sessions' }])
    expect(await countFailed(database.app, {})).toBe(1)
    const measured = await metrics.countFailed(database.app)
    expect(measured.filter(({ count }) => count > 0)).toEqual([{ name: 'purge', cause: 'our_side', count: 1 }])
    expect(await jobs.find(database.app, id)).toMatchObject({
      job: { advice: expect.stringContaining('The next scheduled run') },
    })

    const retry = (jobId: string) => retryDeliveries(database.app, { jobId }, { actor: 'Ada' })
    const [again] = await retry(id)
    await expect(retry(id)).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('already') })
    expect(await database.db('audit_log')).toMatchObject([{ actor: 'Ada', action: 'retry-job', details: { job: id } }])
    await run(String(again))
    expect(await countFailed(database.app, {})).toBe(0)
    await expect(retry(String(again))).rejects.toMatchObject({ code: 'conflict', message: /This is done/ })
  })
})

it('a failed purge is retried with all failed deliveries', async () => {
  const failed = await addPurge(database.app, 'sessions')
  await failNow(failed)
  const [item] = await listFailed(database.app, {}, 10)
  const limit = { of: ['retry-failed' as const], most: 1, sentence: '' }
  const items = [{ retried_job: found(item).id, lead_id: null }]
  const id = await startBulk(database.app, { purpose: 'retry-failed', items, limit }, { actor: 'Ada' })
  const retrying = run(id)
  const again = () => database.db('jobs').where({ name: 'purge', state: 'waiting' }).first('id')
  await expect.poll(again).toBeDefined()
  await run(found(await again()).id)
  await retrying
  expect((await bulk.read(database.app, id))?.report).toMatchObject({ succeeded: 1, failed: 0, waiting: 0 })
})

describe('a purge', () => {
  const OLD = 250
  let young: number[]
  beforeEach(async () => {
    young = [await createLead(database.db), await createLead(database.db)]
    await createExpiredLeads(database.db, OLD)
  })
  /** Every old lead has gone once, and no other. */
  const expectAllGone = async (id: string) => {
    expect(await rowOf(id)).toMatchObject({ state: 'done', result: { deleted: OLD } })
    expect(await database.db('leads').orderBy('id').pluck('id')).toEqual(young)
    const lines = await database.db('audit_log').where({ action: 'purge' }).pluck('entity_id')
    expect([lines.length, new Set(lines).size]).toEqual([OLD, OLD])
  }

  it('deletes in batches until nothing is due', async () => {
    const id = await addPurge(database.app, 'expired-leads')
    const seen = new Set<unknown>()
    let isRunning = true
    const running = run(id).finally(() => {
      isRunning = false
    })
    while (isRunning) {
      // In one statement: what is gone and what is written go together.
      const [row] = await queryRows<{ deleted: number; left: number }>(
        database.db,
        `select coalesce((result->>'deleted')::integer, 0) as deleted, (select count(*)::integer from leads) as left
         from jobs where id = ?`,
        [id],
      )
      expect(Number(row?.deleted) + Number(row?.left)).toBe(OLD + young.length)
      seen.add(row?.deleted)
    }
    await running
    expect([...seen]).toEqual(expect.arrayContaining([100, 200]))
    await expectAllGone(id)
  })

  it('hands back when the worker stops, and goes on where it was', async () => {
    const id = await addPurge(database.app, 'expired-leads')
    const stopping = new AbortController()
    const attempted = attempt([id], services(stopping.signal))
    await expect.poll(async () => (await rowOf(id)).result?.deleted ?? 0, { interval: 5 }).toBeGreaterThan(0)
    stopping.abort()
    await expect(attempted).rejects.toThrow('The worker stops.')
    const { state, result, created_at, next_attempt_at, enqueued_at } = await rowOf(id)
    expect(state).toBe('waiting')
    // A sign of life: neither alerts nor the sweep take a long run for a late or lost one.
    for (const time of [next_attempt_at, enqueued_at]) expect(Number(time)).toBeGreaterThan(Number(created_at))
    expect(result?.deleted).toBeLessThan(OLD)
    expect(await countLeads()).toBe(OLD + young.length - Number(result?.deleted))

    await run(id)
    await expectAllGone(id)
  })

  it('keeps its progress where our side fails, and tries again later', async () => {
    const id = await addPurge(database.app, 'expired-leads')
    const [broken] = await database.db('leads').orderBy('created_at').offset(150).limit(1).pluck('id')
    await database.db.raw(`alter table audit_log add constraint unwritable check (entity_id <> '${broken}') not valid`)
    try {
      await run(id)
      expect(await rowOf(id)).toMatchObject({
        ...{ state: 'waiting', attempts: 1, last_cause: 'our_side' },
        result: { deleted: 100 },
      })
      expect(await countLeads()).toBe(OLD + young.length - 100)
    } finally {
      await database.db.raw('alter table audit_log drop constraint unwritable')
    }
    await run(id)
    await expectAllGone(id)
  })

  it('deletes and counts nothing twice where several workers have it', async () => {
    const id = await addPurge(database.app, 'expired-leads')
    await Promise.all([run(id), run(id), run(id)])
    await expectAllGone(id)
  })

  it('deletes nothing once its job has ended', async () => {
    const id = await addPurge(database.app, 'expired-leads')
    const job = {
      ...(await rowOf(id)),
      name: 'purge',
      requestId: null,
      createdAt: '',
      previousProviderId: null,
    } as const
    await database.db('jobs').update({ state: 'done', finished_at: new Date() })
    const [outcome] = HANDLERS.purge([{ of: 'purge', job }], { ...services() })
    await expect(outcome).rejects.toThrow('Another worker has ended this purge.')
    expect(await countLeads()).toBe(OLD + young.length)
  })
})

it('a purge that this version does not know is cancelled', async () => {
  const [{ id } = { id: '' }] = await database.db('jobs').insert({ name: 'purge', purpose: 'moons' }).returning('id')
  await run(id)
  expect(await rowOf(id)).toMatchObject({ state: 'cancelled', last_error: expect.stringContaining('does not know') })
})

it('tells the CRM of many deletions one after the other, so that new leads do not wait behind them', async () => {
  for (let n = 0; n < 3; n++) await createLead(database.db)
  const ago = database.db.raw(`now() - interval '3 years'`)
  await database.db('leads').update({ created_at: ago })
  await database.db('jobs').update({ state: 'done', attempts: 1, finished_at: ago })
  expect(await purgeExpiredLeads(database.app, 730, PERSON_KEY, 1000)).toBe(3)
  const notices = await database.db('jobs').where({ purpose: 'deleted' }).orderBy('next_attempt_at')
  const delays = notices.map(({ next_attempt_at, created_at }) => next_attempt_at.getTime() - created_at.getTime())
  expect(delays).toEqual([20_000, 20_020, 20_040])
})

/** Makes one row that each purge deletes. */
const OLD_ROWS: Record<PurposeOf<'purge'>, () => PromiseLike<unknown>> = {
  async 'deleted-leads'() {
    const id = await createLead(database.db)
    await database.db.raw(
      `with gone as (delete from leads where id = ${id} returning *)
       insert into deleted_leads (id, lead, deleted_at) select id, to_jsonb(gone), ${ago('31 days')} from gone`,
    )
  },
  'expired-leads': () => createExpiredLeads(database.db, 1),
  'expired-applications': () =>
    createApplication(database.db).then((id) => update('provider_applications', { id }, 'created_at', '3 years')),
  async consents() {
    // Only the beginning of the chain can go.
    await update('consents', { lead_id: 1 }, 'given_at', '6 years')
    await consentChain.seal(database.app, CHAIN_KEY, { all: true })
  },
  async exports() {
    const [{ id } = { id: '' }] = await database.db('jobs').insert({ name: 'export', purpose: 'leads' }).returning('id')
    await add('exports', { job_id: id, actor: 'a', query: '{}', total: 1, audit_line: 1, expires_at: ago('1 hour') })
  },
  sessions: () => add('staff_sessions', { token_hash: 'a', shared_fingerprint: 'a', expires_at: ago('1 hour') }),
  'pending-sign-ins': () =>
    add('staff_challenges', { token_hash: 'a', purpose: 'add', challenge: 'a', expires_at: ago('1 hour') }),
  'sign-in-attempts': () => add('sign_in_attempts', { key: 'a', points: 1, expire: Date.now() - 1000 }),
  async alerts() {
    await add('alert_messages', { kind: 'test', created_at: ago('91 days') })
  },
  'match-changes': () =>
    createLead(database.db).then((id) =>
      add('match_changes', { lead_id: id, before: '{}', added_jobs: [], replaced_jobs: [], changed_at: ago('2 days') }),
    ),
  attempts: () => add('job_attempts', { job_id: '00000000-0000-0000-0000-000000000000', started_at: ago('367 days') }),
  'audit-log': () =>
    add('audit_log', { actor: 'a', action: 'sign-in', entity: 'session', entity_id: 'all', at: ago('7 years') }),
  'access-log': () =>
    add('access_log', { actor: 'a', ip: '::1', call: 'a', entity: 'lead', row_ids: [1], at: ago('7 years') }),
  async bulk() {
    const input = { actorId: null, ip: null, sessionId: null }
    const action = { purpose: 'delete', actor: 'staff', input, items: [{ lead_id: 1 }] } as const
    const id = await database.db.transaction((trx) => bulk.add(trx, { ...action, items: [...action.items] }))
    await database.db('jobs').where({ id }).update({ state: 'done', finished_at: new Date() })
    await update('bulk_actions', { job_id: id }, 'created_at', '31 days')
  },
  syncs: () => createSyncRun(database.db, { dry_run: true, finished_at: database.db.raw(ago('91 days')) }),
  'email-confirmations': () =>
    createProvider(database.db).then(({ id }) =>
      add('email_confirmations', { token_hash: 'a', provider_id: id, new_email: 'a', expires_at: ago('1 hour') }),
    ),
  'clinic-links': () =>
    createProvider(database.db).then(({ id }) =>
      add('clinic_links', { job_id: randomUUID(), provider_id: id, email: 'a', requested_at: ago('3 days') }),
    ),
  'clinic-addresses': () =>
    createProvider(database.db).then(({ id }) =>
      add('clinic_addresses', {
        ...{ provider_id: id, use: 'late', told_email: 'a', to_email: 'a', asked_by: 'a', asked_at: ago('31 days') },
      }),
    ),
  'application-notes': async () => {
    const application_id = await createApplication(database.db)
    await add('application_notes', { application_id, author: 'a', text: 'a' })
    const [note_id] = await database.db('application_notes').where({ application_id }).pluck('id')
    await add('deleted_application_notes', { note_id, deleted_at: ago('61 minutes') })
  },
  'setup-checks': () =>
    add('setup_checks', { kind: 'crm', job_id: randomUUID(), asked_by: 'a', asked_at: ago('31 days') }),
  'clinic-sessions': () =>
    createProvider(database.db).then(({ id }) =>
      add('clinic_sessions', { token_hash: 'a', provider_id: id, email: 'a', expires_at: ago('1 hour') }),
    ),
}
const ago = (age: string) => `now() - interval '${age}'`
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
/** Makes a row older. The owner of the database can do so with evidence, too. */
const update = (table: string, where: object, column: string, age: string) =>
  database.db.transaction(async (trx) => {
    await trx.raw('set local session_replication_role = replica')
    await trx(table)
      .where(where)
      .update({ [column]: trx.raw(ago(age)) })
  })

describe.each(Object.keys(OLD_ROWS) as PurposeOf<'purge'>[])('the purge of %s', (purpose) => {
  it('is due when there is something to delete, and not afterwards', async () => {
    const [, { isPurgeDue, purge }] = purgesOf(testEnv())[purpose]
    await createStaff(database.db)
    await createLead(database.db)
    await createApplication(database.db)
    expect(await isPurgeDue(database.app)).toBe(false)
    expect(await purge(database.app, 0)).toBe(0)

    await OLD_ROWS[purpose]()
    for (const other of Object.keys(OLD_ROWS) as PurposeOf<'purge'>[]) {
      expect(await purgesOf(testEnv())[other][1].isPurgeDue(database.app), other).toBe(other === purpose)
    }
    await run(await addPurge(database.app, purpose))
    expect(await ledger()).toMatchObject([{ state: 'done', result: { deleted: 1 } }])
    expect(await isPurgeDue(database.app)).toBe(false)
  })
})
