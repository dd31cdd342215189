import { describe, expect, it } from 'vitest'
import { retry, retryAll } from '../../../core/deliveries/retry-deliveries.ts'
import { countFailed, listFailed } from '../../../core/deliveries/stores/failed-jobs.ts'
import * as reports from '../../../core/insight/stores/reports.ts'
import { assignProvider } from '../../../core/leads/assign-provider.ts'
import { deleteLead } from '../../../core/leads/change-lead.ts'
import { useDatabase } from '../../support/database.ts'
import { createLead, createProvider, jobsOf } from '../../support/factories.ts'
import { found } from '../../support/found.ts'
import { purgeDeleted } from '../../support/purges.ts'

const database = useDatabase()

const STAFF = { actor: 'Ada' }
const listed = async () => (await listFailed(database.db, {}, 10)).map(({ purpose }) => purpose)
const failAll = () =>
  database
    .db('jobs')
    .update({ state: 'failed', finished_at: database.db.fn.now(), last_error: 'Refused.', last_cause: 'credentials' })

/** A permanently deleted lead of which the CRM was not notified; returns the lead's id and the job's. */
async function failedDeletion(): Promise<{ leadId: number; jobId: string }> {
  const leadId = await createLead(database.db)
  await database.db('jobs').update({ state: 'enqueued', enqueued_at: database.db.fn.now() })
  await deleteLead(database.db, leadId, STAFF)
  await purgeDeleted(database.db)
  await failAll()
  return { leadId, jobId: found(await database.db('jobs').first('id')).id }
}

describe('a deletion that the CRM was not notified of', () => {
  it('is listed and counted, as the measurements count it', async () => {
    const { leadId, jobId } = await failedDeletion()
    expect(await listFailed(database.db, { name: 'sync-crm' }, 10)).toMatchObject([
      { id: jobId, subject_kind: 'lead', subject_id: leadId, name: 'sync-crm', purpose: 'deleted', reason: 'Refused.' },
    ])
    expect(await countFailed(database.db, {})).toBe(1)
    const measured = await reports.countFailed(database.db)
    expect(measured.reduce((total, { count }) => total + count, 0)).toBe(1)
  })

  it('is made again once, however many ask at the same time', async () => {
    const { leadId, jobId } = await failedDeletion()
    const asked = await Promise.allSettled(Array.from({ length: 5 }, () => retry(database.db, jobId, STAFF)))
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of asked) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'conflict' })
    }

    const generations = await jobsOf(database.db, leadId).orderBy('generation').pluck('state')
    expect(generations).toEqual(['failed', 'waiting'])
    expect(await database.db('audit_log').where('action', 'retry-sync')).toMatchObject([
      { actor: 'Ada', entity: 'lead', entity_id: String(leadId), details: { job: jobId } },
    ])
    expect(await listed()).toEqual([])
  })
})

it('an email about the clinic that had the lead before is still about that clinic when it is sent again', async () => {
  const [from, to] = [await createProvider(database.db), await createProvider(database.db)]
  const id = await createLead(database.db, { providerId: from.id })
  await database.db('jobs').update({ state: 'done', finished_at: database.db.fn.now() })
  await assignProvider(database.db, id, to.id, STAFF)
  await failAll()
  const goodbye = found(await database.db('jobs').where({ purpose: 'passed_on' }).first('id'))
  const [again] = await retry(database.db, goodbye.id, STAFF)
  expect(await database.db('jobs').where({ id: again }).first('payload')).toEqual({
    payload: { previousProviderId: from.id },
  })
})

describe('emails to several clinics that had a lead', () => {
  /** A lead that went from one clinic to the next, whose emails to both failed, and its clinics. */
  async function passedOnTwice() {
    const clinics = [
      await createProvider(database.db),
      await createProvider(database.db),
      await createProvider(database.db),
    ]
    const [first = 0, second = 0, third = 0] = clinics.map(({ id }) => id)
    const id = await createLead(database.db, { providerId: first })
    for (const next of [second, third]) {
      await database.db('jobs').update({ state: 'done', finished_at: database.db.fn.now() })
      await assignProvider(database.db, id, next, STAFF)
    }
    await database
      .db('jobs')
      .where({ purpose: 'passed_on' })
      .update({ state: 'failed', finished_at: database.db.fn.now(), last_error: 'Refused.', last_cause: 'refused' })
    return { id, first, second, third }
  }
  const added = async (ids: string[]) =>
    database.db('jobs').whereIn('id', ids).select('purpose', 'payload').orderBy('purpose')

  it('are each listed, counted and retried', async () => {
    await passedOnTwice()
    expect(await listed()).toEqual(['passed_on', 'passed_on'])
    const measured = await reports.countFailed(database.db)
    expect(measured.reduce((total, { count }) => total + count, 0)).toBe(2)
    for (const { id } of await listFailed(database.db, {}, 10)) await retry(database.db, id, STAFF)
    expect(await listed()).toEqual([])
  })

  it('are sent again to one clinic alone, and not to the one that has the lead', async () => {
    const { id, first, third } = await passedOnTwice()
    const toFirst = await retryAll(database.db, `lead:${id}`, 'send-email', { ...STAFF, toClinic: first })
    expect(await added(toFirst)).toEqual([{ purpose: 'passed_on', payload: { previousProviderId: first } }])
    await database.db('jobs').where({ purpose: 'provider' }).update({ state: 'done', finished_at: new Date() })
    await expect(
      retryAll(database.db, `lead:${id}`, 'send-email', { ...STAFF, toClinic: third }),
    ).rejects.toMatchObject({ code: 'conflict' })
    await failAll()
    const toThird = await retryAll(database.db, `lead:${id}`, 'send-email', { ...STAFF, toClinic: third })
    expect(await added(toThird)).toEqual([{ purpose: 'provider', payload: {} }])
  })
})

it('what else failed for a lead is not made again while the lead is deleted', async () => {
  const id = await createLead(database.db)
  await failAll()
  const { id: jobId } = found(await database.db('jobs').where('name', 'sync-crm').first('id'))
  expect(await listed()).toHaveLength(2)
  await deleteLead(database.db, id, STAFF)
  expect(await listed()).toEqual([])
  await expect(retry(database.db, jobId, STAFF)).rejects.toMatchObject({ code: 'not_found' })
})
