import { describe, expect, it } from 'vitest'
import { DAY } from '../../core/contract/time.ts'
import type { JobName, JobState } from '../../core/deliveries/contract/jobs.ts'
import { DeletedLeads } from '../../core/leads/contract/lead-changes.ts'
import { apiWith, useApi, useStaff } from '../support/api-server.ts'
import { CRM } from '../support/env.ts'
import { createLead, createProvider, jobsOf } from '../support/factories.ts'

const STATES: JobState[] = ['waiting', 'enqueued', 'done', 'failed', 'cancelled']

const { api, database } = useApi(CRM)
const staff = useStaff(database)

const call = (method: string, path: string, body?: unknown) => api.call(method, path, body, staff)
const matchedLead = async () => createLead(database.db, { providerId: (await createProvider(database.db)).id })

async function setState(leadId: number, state: JobState): Promise<void> {
  const isOpen = state === 'waiting' || state === 'enqueued'
  await jobsOf(database.db, leadId).update({
    state,
    last_cause: state === 'failed' ? 'refused' : null,
    enqueued_at: database.db.fn.now(),
    finished_at: isOpen ? null : database.db.fn.now(),
  })
}

const ledger = async (id: number, name: JobName) =>
  (await jobsOf(database.db, id, { name }).orderBy(['purpose', 'generation'])).map(
    ({ purpose, generation, state }) => `${purpose} ${generation} ${state}`,
  )

it.each(STATES)('a retry makes a new generation that waits, whatever became of the last: %s', async (state) => {
  const id = await matchedLead()
  await setState(id, state)
  for (const what of ['email', 'sync']) {
    expect(await call('POST', `/api/leads/${id}/retry-${what}`)).toMatchObject({ status: 200, body: { success: true } })
  }
  const before = state === 'waiting' || state === 'enqueued' ? 'cancelled' : state
  expect(await ledger(id, 'sync-crm')).toEqual([`created 1 ${before}`, 'created 2 waiting'])
  expect(await ledger(id, 'send-email')).toEqual([
    ...[`provider 1 ${before}`, 'provider 2 waiting', `visitor 1 ${before}`],
    ...(state === 'done' ? [] : ['visitor 2 waiting']),
  ])
})

it('a retry of the CRM says that none is connected', async () => {
  const id = await matchedLead()
  const alone = await apiWith(database.app)
  const answer = await alone.call('POST', `/api/leads/${id}/retry-sync`, undefined, staff)
  expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } })
  expect(await ledger(id, 'sync-crm')).toEqual(['created 1 waiting'])
})

it.each(['retry-email', 'retry-sync'])('a held lead is not sent by %s', async (action) => {
  const { id: providerId } = await createProvider(database.db)
  const id = await createLead(database.db, { providerId, heldReason: 'too_fast' })
  const { status, body } = await call('POST', `/api/leads/${id}/${action}`)
  const error = 'This lead is held. Release it first.'
  expect({ status, body }).toEqual({ status: 409, body: { error, code: 'conflict' } })
  expect(await ledger(id, 'send-email')).toEqual(['team 1 waiting'])
  expect(await ledger(id, 'sync-crm')).toEqual([])
})

it('DELETE /api/leads/{id} deletes the lead, and the second time says that it is gone', async () => {
  const id = await matchedLead()
  expect(await call('DELETE', `/api/leads/${id}`)).toMatchObject({ status: 200, body: { success: true } })
  expect((await call('GET', '/api/leads')).body).toEqual({ leads: [], total: 0 })
  expect((await call('GET', `/api/leads/${id}/jobs`)).status).toBe(404)
  expect(await database.db('consents')).toHaveLength(1)

  expect(await call('DELETE', `/api/leads/${id}`)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect((await database.db('audit_log').orderBy('id')).map(({ action, entity_id }) => [action, entity_id])).toEqual([
    ['delete', `${id}`],
  ])
})

describe('the deleted leads', () => {
  it('are listed, the newest deletion first, with the day on which they are permanently deleted', async () => {
    const ids = [await matchedLead(), await matchedLead(), await matchedLead()]
    for (const id of ids) await call('DELETE', `/api/leads/${id}`)
    const ago = (days: number) => new Date(Date.now() - days * DAY)
    await database
      .db('all_leads')
      .where({ id: ids[0] })
      .update({ deleted_at: ago(29) })
    // It is not listed, though it is there until the night.
    await database
      .db('all_leads')
      .where({ id: ids[2] })
      .update({ deleted_at: ago(30) })
    const { body } = await call('GET', '/api/deleted-leads?limit=1&page=2')
    expect(DeletedLeads.parse(body)).toEqual(body)
    expect(body).toMatchObject({ total: 2, leads: [{ id: ids[0] }] })
    const [{ deleted_at, purged_at }] = body.leads
    expect(Date.parse(purged_at) - Date.parse(deleted_at)).toBe(30 * DAY)
    expect((await call('GET', '/api/deleted-leads')).body.leads[0].id).toBe(ids[1])
  })

  it('are deleted permanently by staff, once, with a line in the audit log', async () => {
    const id = await matchedLead()
    expect(await call('DELETE', `/api/deleted-leads/${id}`)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    await call('DELETE', `/api/leads/${id}`)
    expect(await call('DELETE', `/api/deleted-leads/${id}`)).toMatchObject({ status: 200, body: { success: true } })
    expect(await call('DELETE', `/api/deleted-leads/${id}`)).toMatchObject({ status: 404 })
    expect(await jobsOf(database.db, id)).toEqual([])
    const log = await database.db('audit_log').where({ action: 'purge' })
    expect(log).toMatchObject([{ actor: 'staff', entity: 'lead', entity_id: String(id) }])
  })
})
