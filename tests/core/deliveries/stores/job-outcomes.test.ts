import { describe, expect, it } from 'vitest'
import type { NewLeadJob } from '../../../../core/deliveries/rules/deliveries.ts'
import * as attempts from '../../../../core/deliveries/stores/attempts.ts'
import * as jobs from '../../../../core/deliveries/stores/jobs.ts'
import { only } from '../../../../core/platform/db.ts'
import { SECOND } from '../../../../core/time.ts'
import { useDatabase } from '../../../support/database.ts'
import { createLead, createProvider } from '../../../support/factories.ts'

const database = useDatabase()

const CREATED: NewLeadJob = { name: 'sync-crm', purpose: 'created' }
const MATCHED: NewLeadJob = { name: 'sync-crm', purpose: 'matched' }

const add = (leadId: number, ...added: NewLeadJob[]) =>
  database.db.transaction((trx) => jobs.add(trx, `lead:${leadId}`, added))

async function newest(leadId: number, { name, purpose }: NewLeadJob): Promise<attempts.Job> {
  const row = only(
    await database
      .db('jobs')
      .select('id', 'generation', 'attempts')
      .where({ subject_kind: 'lead', subject_id: leadId, name, purpose })
      .orderBy('generation', 'desc')
      .limit(1),
  )
  const about = { subject: `lead:${leadId}`, payload: {}, requestId: null, createdAt: '' } as const
  return { ...row, name, purpose, ...about }
}

const settle = (job: attempts.Job, settlement: attempts.Settlement) =>
  database.db.transaction((trx) => attempts.settle(trx, { attempt: attemptAt(job), settlement, ms: 12 }))
const attemptAt = (job: attempts.Job): attempts.Attempt => ({ job, startedAt: new Date().toISOString(), begun: 0 })
const done = (job: attempts.Job) => settle(job, { state: 'done', result: {} })
const fail = (job: attempts.Job) => settle(job, { state: 'failed', cause: 'refused', error: 'refused' })

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

  expect(await done(job)).toBe(false)
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
