import { describe, expect, it, onTestFinished, it as test } from 'vitest'
import { MINUTE, SECOND } from '../../../../core/contract/time.ts'
import type { NewLeadJob } from '../../../../core/deliveries/rules/deliveries.ts'
import * as dueJobs from '../../../../core/deliveries/stores/attempts.ts'
import * as jobs from '../../../../core/deliveries/stores/jobs.ts'
import { deriveJobChecks } from '../../../../core/migrate.ts'
import { type Db, queryRows } from '../../../../core/platform/db.ts'
import { createTestDatabase } from '../../../support/database.ts'
import { createLead, createProvider, jobsOf } from '../../../support/factories.ts'
import { CREATED, MATCHED, useJobs } from './use-jobs.ts'

const { database, settle, add, newest, done, fail } = useJobs()
const TEAM: NewLeadJob = { name: 'send-email', purpose: 'team' }

/** `purpose generation state` of each job of that name, oldest generation first. */
async function ledger(leadId: number, name: NewLeadJob['name']): Promise<string[]> {
  const rows = (await jobs.list(database.db, `lead:${leadId}`)).filter((job) => job.name === name)
  return rows
    .toSorted((a, b) => a.purpose.localeCompare(b.purpose) || a.generation - b.generation)
    .map(({ purpose, generation, state }) => `${purpose} ${generation} ${state}`)
}

describe('add', () => {
  it('starts with the first generation and counts on', async () => {
    const id = await createLead(database.db)
    await add(id, TEAM)
    await done(await newest(id, TEAM))
    await add(id, TEAM)

    expect(await ledger(id, 'send-email')).toEqual(['team 1 done', 'team 2 waiting'])
  })

  it.each(['waiting', 'enqueued'] as const)('cancels what is still open of an older generation (%s)', async (state) => {
    const id = await createLead(database.db)
    await database.db('jobs').where('name', 'sync-crm').update({ state, enqueued_at: database.db.fn.now() })
    await add(id, CREATED)

    expect(await ledger(id, 'sync-crm')).toEqual(['created 1 cancelled', 'created 2 waiting'])
    expect(await database.db('jobs').where('state', 'cancelled').first()).toMatchObject({
      last_error: expect.stringMatching(/\w+ .*\.$/),
      finished_at: expect.any(Date),
    })
  })

  it('touches neither other purposes nor other leads', async () => {
    const [id, other] = [await createLead(database.db), await createLead(database.db)]
    await add(id, MATCHED)

    expect(await ledger(id, 'sync-crm')).toEqual(['created 1 waiting', 'matched 1 waiting'])
    expect(await ledger(other, 'sync-crm')).toEqual(['created 1 waiting'])
  })

  it('adds nothing when its transaction fails', async () => {
    const id = await createLead(database.db)
    const failing = database.db.transaction(async (trx) => {
      await jobs.add(trx, `lead:${id}`, [CREATED])
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect(await ledger(id, 'sync-crm')).toEqual(['created 1 waiting'])
  })
})

describe('cancelOpen', () => {
  const cancelOpen = (leadId: number) =>
    database.db.transaction((trx) => jobs.cancelOpen(trx, `lead:${leadId}`, 'The lead was released.'))

  it.each(['waiting', 'enqueued'] as const)('cancels what is open (%s), with the reason', async (state) => {
    const id = await createLead(database.db)
    await database.db('jobs').where('name', 'sync-crm').update({ state, enqueued_at: database.db.fn.now() })
    await cancelOpen(id)

    expect(await ledger(id, 'sync-crm')).toEqual(['created 1 cancelled'])
    expect(await database.db('jobs').where('name', 'sync-crm').first()).toMatchObject({
      last_error: 'The lead was released.',
      finished_at: expect.any(Date),
    })
  })

  it('touches neither what is settled nor other leads', async () => {
    const [id, other] = [await createLead(database.db), await createLead(database.db)]
    await done(await newest(id, CREATED))
    await cancelOpen(id)

    expect(await ledger(id, 'sync-crm')).toEqual(['created 1 done'])
    expect(await ledger(other, 'sync-crm')).toEqual(['created 1 waiting'])
  })
})

describe('takeDue', () => {
  const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id).toSorted()

  it('passes over what another relay holds', async () => {
    for (let n = 0; n < 3; n++) await createLead(database.db)
    const first = await database.db.transaction()
    const second = await database.db.transaction()
    try {
      const held = idsOf(await dueJobs.takeDue(first, 4))
      const rest = idsOf(await dueJobs.takeDue(second, 10))

      expect(held).toHaveLength(4)
      expect(rest).toHaveLength(2)
      expect(new Set([...held, ...rest]).size).toBe(6)
    } finally {
      await first.rollback()
      await second.rollback()
    }
  })

  it('takes what is due, oldest first, and leaves what is not', async () => {
    const [early, late, later] = [
      await createLead(database.db),
      await createLead(database.db),
      await createLead(database.db),
    ]
    const move = (leadId: number, seconds: number) =>
      jobsOf(database.db, leadId).update({
        next_attempt_at: database.db.raw(`now() + ? * interval '1 second'`, [seconds]),
      })
    await move(early, -60)
    await move(late, -120)
    await move(later, 60)

    const due = await database.db.transaction((trx) => dueJobs.takeDue(trx, 10))
    const leadOf = Object.fromEntries((await database.db('jobs')).map((job) => [job.id, job.subject_id]))
    expect(due.map(({ id }) => leadOf[id])).toEqual([late, late, early, early])
  })

  it.each(['enqueued', 'done', 'failed', 'cancelled'] as const)('takes nothing that is %s', async (state) => {
    await createLead(database.db)
    const now = database.db.fn.now()
    const finished_at = state === 'enqueued' ? null : now
    await database.db('jobs').update({ state, last_cause: 'refused', enqueued_at: now, finished_at })

    expect(await database.db.transaction((trx) => dueJobs.takeDue(trx, 10))).toEqual([])
  })
})

it('sweep hands back only what was enqueued long ago', async () => {
  const [old, recent, finished] = [
    await createLead(database.db),
    await createLead(database.db),
    await createLead(database.db),
  ]
  const enqueue = (leadId: number, minutesAgo: number, state: 'enqueued' | 'done' = 'enqueued') =>
    jobsOf(database.db, leadId, { name: 'sync-crm' }).update({
      state,
      enqueued_at: database.db.raw(`now() - ? * interval '1 minute'`, [minutesAgo]),
      finished_at: state === 'enqueued' ? null : database.db.fn.now(),
    })
  await enqueue(old, 6)
  await enqueue(recent, 4)
  await enqueue(finished, 60, 'done')

  expect(await dueJobs.sweep(database.db, 5 * MINUTE)).toBe(1)
  expect(await ledger(old, 'sync-crm')).toEqual(['created 1 waiting'])
  expect(await ledger(recent, 'sync-crm')).toEqual(['created 1 enqueued'])
  expect(await ledger(finished, 'sync-crm')).toEqual(['created 1 done'])
  expect(idsDue(await database.db.transaction((trx) => dueJobs.takeDue(trx, 10)))).toContain(
    (await newest(old, CREATED)).id,
  )
})

const idsDue = (rows: { id: string }[]) => rows.map(({ id }) => id)

const checks = (db: Db) =>
  queryRows(db, `select oid, conname, pg_get_constraintdef(oid) from pg_constraint where conrelid = 'jobs'::regclass`)

test.each([
  ['send-email', 'lead', 1, true],
  ['send-email', 'application', 1, true],
  ['send-email', 'account', 1, true],
  ['send-email', 'sync', 1, true],
  ['send-email', 'report', 1, true],
  ['send-email', null, null, false],
  ['send-email', 'lead', null, false],
  ['send-email', 'fax', 1, false],
  ['sync-crm', 'lead', 1, true],
  ['sync-crm', 'application', 1, false],
  ['match-lead', 'sync', 1, false],
  ['bulk', null, null, true],
  ['bulk', null, 1, false],
  ['bulk', 'lead', 1, false],
  ['purge', null, null, true],
  ['purge', 'lead', 1, false],
  ['send-fax', 'lead', 1, false],
])('the database takes a job %s about %s %s: %s', async (name, kind, subject_id, isTaken) => {
  const trx = await database.db.transaction()
  await trx.raw('set local session_replication_role = replica')
  const about = { subject_kind: kind as 'lead' | null, subject_id }
  const insert = trx('jobs').insert({ name: name as 'send-email', purpose: 'provider', ...about })
  if (isTaken) await insert
  else await expect(insert).rejects.toThrow(/jobs_(name_check|subject_check|subject_whole)/)
  await trx.rollback()
})

test('the checks are written again only when the registry differs', async () => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  const before = await checks(db)
  await deriveJobChecks(db)
  expect(await checks(db)).toEqual(before)

  await db.raw(`comment on constraint jobs_name_check on jobs is 'of another release'`)
  await deriveJobChecks(db)
  const after = await checks(db)
  expect(after).not.toEqual(before)
  await deriveJobChecks(db)
  expect(await checks(db)).toEqual(after)
})

const crmStatus = async (id: number) =>
  (await database.db('leads').where({ id }).first('crm_sync_status'))?.crm_sync_status

it.each(['done', 'failed', 'cancelled'] as const)('settle refuses a job that is %s by then', async (state) => {
  const id = await createLead(database.db)
  const job = await newest(id, CREATED)
  await database
    .db('jobs')
    .where('id', job.id)
    .update({ state, last_cause: 'refused', finished_at: database.db.fn.now() })
  const before = await database.db('jobs').where('id', job.id).first()

  expect(await done(job)).toEqual(new Set())
  expect(await database.db('jobs').where('id', job.id).first()).toEqual(before)
  expect(await crmStatus(id)).toBe('pending')
})

describe('the CRM status of a lead', () => {
  it('is pending until the CRM has taken it, then success', async () => {
    const id = await createLead(database.db)
    expect(await crmStatus(id)).toBe('pending')
    await settle(await newest(id, CREATED), { state: 'waiting', cause: 'busy', error: 'busy', delay: SECOND })
    expect(await crmStatus(id)).toBe('pending')
    await done(await newest(id, CREATED))
    expect(await crmStatus(id)).toBe('success')
  })

  it('is failed while an event has failed and none was ever taken', async () => {
    const id = await createLead(database.db)
    await fail(await newest(id, CREATED))
    await add(id, MATCHED)
    expect(await crmStatus(id)).toBe('failed')
    await done(await newest(id, MATCHED))
    expect(await crmStatus(id)).toBe('success')
  })

  it('is not failed for a second copy of a lead that the CRM has', async () => {
    const id = await createLead(database.db)
    await done(await newest(id, CREATED))
    await add(id, CREATED)
    expect(await crmStatus(id)).toBe('pending')
    await fail(await newest(id, CREATED))
    expect(await crmStatus(id)).toBe('success')
  })

  it('is pending while an event is open and none has failed', async () => {
    const id = await createLead(database.db)
    await done(await newest(id, CREATED))
    await add(id, MATCHED)
    expect(await crmStatus(id)).toBe('pending')
  })

  it('looks at the newest generation only', async () => {
    const id = await createLead(database.db)
    await fail(await newest(id, CREATED))
    await add(id, CREATED)
    expect(await crmStatus(id)).toBe('pending')
    await done(await newest(id, CREATED))
    expect(await crmStatus(id)).toBe('success')
  })

  it('is not moved by emails', async () => {
    const { id: providerId } = await createProvider(database.db)
    const id = await createLead(database.db, { providerId })
    await fail(await newest(id, { name: 'send-email', purpose: 'provider' }))
    expect(await crmStatus(id)).toBe('pending')
  })
})
