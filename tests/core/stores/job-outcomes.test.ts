import { afterEach, describe, expect, it } from 'vitest'
import { only } from '../../../core/platform/db.ts'
import type { NewLeadJob } from '../../../core/rules/deliveries.ts'
import * as attempts from '../../../core/stores/attempts.ts'
import * as jobs from '../../../core/stores/jobs.ts'
import { MINUTE, SECOND } from '../../../core/time.ts'
import { emptyDatabase, useDatabase } from '../../support/database.ts'
import { createLead, createProvider } from '../../support/factories.ts'

const database = useDatabase()
afterEach(() => emptyDatabase(database.db))

const CREATED: NewLeadJob = { name: 'sync-crm', purpose: 'created' }
const MATCHED: NewLeadJob = { name: 'sync-crm', purpose: 'matched' }

const add = (leadId: number, ...added: NewLeadJob[]) =>
  database.db.transaction((trx) => jobs.add(trx, { leadId }, added))

async function newest(leadId: number, { name, purpose }: NewLeadJob): Promise<attempts.Job> {
  const rows = await database
    .db('jobs')
    .select<attempts.LeadJob[]>('id', 'name', 'purpose', 'generation', 'attempts', { leadId: 'lead_id' })
    .where({ lead_id: leadId, name, purpose })
    .orderBy('generation', 'desc')
    .limit(1)
  return only(rows)
}

const settle = (job: attempts.Job, settlement: attempts.Settlement) =>
  database.db.transaction((trx) => attempts.settle(trx, { attempt: attemptAt(job), settlement, ms: 12 }))
const attemptAt = (job: attempts.Job): attempts.Attempt => ({ job, startedAt: new Date().toISOString(), begun: 0 })
const done = (job: attempts.Job) => settle(job, { state: 'done', result: {} })
const fail = (job: attempts.Job) => settle(job, { state: 'failed', cause: 'refused', error: 'refused' })

const crmStatus = async (id: number) =>
  (await database.db('leads').where({ id }).first('crm_sync_status'))?.crm_sync_status

describe('settle', () => {
  it('records a success with its result, and clears the error before it', async () => {
    const id = await createLead(database.db)
    const job = await newest(id, CREATED)
    await settle(job, { state: 'waiting', cause: 'busy', error: 'busy', detail: 'later', delay: 0 })
    expect(await settle(job, { state: 'done', result: { status: 200 } })).toBe(true)

    expect(await database.db('jobs').where('id', job.id).first()).toMatchObject({
      state: 'done',
      attempts: 2,
      last_error: null,
      last_cause: null,
      last_detail: null,
      result: { status: 200 },
      finished_at: expect.any(Date),
    })
  })

  it('puts off a failed attempt by its delay', async () => {
    const id = await createLead(database.db)
    const job = await newest(id, CREATED)
    const busy = { cause: 'busy', error: 'The CRM is busy.', detail: 'Too many calls' } as const
    await settle(job, { state: 'waiting', ...busy, delay: 10 * MINUTE, result: { status: 429 } })

    const { rows } = await database.db.raw(
      `select state, attempts, last_error, last_cause, last_detail, result, finished_at,
         extract(epoch from next_attempt_at - now())::float as wait
       from jobs where id = ?`,
      [job.id],
    )
    expect(rows[0]).toMatchObject({
      state: 'waiting',
      attempts: 1,
      last_error: busy.error,
      last_cause: busy.cause,
      last_detail: busy.detail,
      result: { status: 429 },
      finished_at: null,
    })
    expect(rows[0].wait).toBeGreaterThan(9 * 60)
    expect(rows[0].wait).toBeLessThanOrEqual(10 * 60)
  })

  it.each(['done', 'failed', 'cancelled'] as const)('refuses a job that is %s by then', async (state) => {
    const id = await createLead(database.db)
    const job = await newest(id, CREATED)
    await database
      .db('jobs')
      .where('id', job.id)
      .update({ state, last_cause: 'refused', finished_at: database.db.fn.now() })
    const before = await database.db('jobs').where('id', job.id).first()

    expect(await done(job)).toBe(false)
    expect(await database.db('jobs').where('id', job.id).first()).toEqual(before)
    expect(await crmStatus(id)).toBe('pending')
  })

  it('refuses a job that is gone', async () => {
    const id = await createLead(database.db)
    const job = await newest(id, CREATED)
    await database.db('jobs').delete()

    expect(await done(job)).toBe(false)
  })
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

  it('is not moved by e-mails', async () => {
    const { id: providerId } = await createProvider(database.db)
    const id = await createLead(database.db, { providerId })
    await fail(await newest(id, { name: 'send-email', purpose: 'provider' }))
    expect(await crmStatus(id)).toBe('pending')
  })
})
