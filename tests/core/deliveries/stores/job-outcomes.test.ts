import { describe, expect, it } from 'vitest'
import { SECOND } from '../../../../core/contract/time.ts'
import { createLead, createProvider } from '../../../support/factories.ts'
import { CREATED, MATCHED, useJobs } from './use-jobs.ts'

const { database, settle, add, newest, done, fail } = useJobs()

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
