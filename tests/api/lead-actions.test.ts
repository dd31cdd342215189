import { describe, expect, it } from 'vitest'
import { DAY } from '../../core/contract/time.ts'
import { type JobName, type JobState, Ledger } from '../../core/deliveries/contract/jobs.ts'
import { retryAll as retryAllOf } from '../../core/deliveries/retry-deliveries.ts'
import * as attempts from '../../core/deliveries/stores/attempts.ts'
import { DeletedLeads } from '../../core/leads/contract/lead-changes.ts'
import { Bulk } from '../../core/staff/contract/bulk.ts'
import { apiWith, useApi, useStaff } from '../support/api-server.ts'
import { runBulk } from '../support/bulk.ts'
import { CRM } from '../support/env.ts'
import { createLead, createProvider, createStaff, jobsOf, staffHeaders } from '../support/factories.ts'
import { found } from '../support/found.ts'

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

const LONG_AGO = '2020-01-01T00:00:00Z'

async function failedLead(): Promise<number> {
  const id = await createLead(database.db, { providerId: (await createProvider(database.db)).id })
  const { id: jobId } = found(await jobsOf(database.db, id, { name: 'sync-crm' }).first('id'))
  const [attempt] = await attempts.begin(database.db, [jobId])
  const settlement = {
    state: 'failed',
    cause: 'refused',
    error: 'The CRM refused the lead: it answered 422.',
    result: { status: 422 },
  } as const
  await database.db.transaction((trx) =>
    attempts.settle(trx, [{ attempt: attempt as attempts.Attempt, settlement, ms: 40 }]),
  )
  return id
}

const retry = async (body: Record<string, unknown>, headers?: { cookie: string }) =>
  api.call('POST', '/api/jobs/retry-failed', body, headers ?? (await staffHeaders(database.db)))

/** Starts the retry, and makes a worker's attempt at it. Returns the report, after the outcome of each delivery. */
async function retryAll(body: Record<string, unknown>, headers?: { cookie: string }) {
  const { status, body: started } = await retry(body, headers)
  expect(status).toBe(202)
  const running = runBulk(database.app, started.id)
  await expect.poll(() => database.db('bulk_items').where({ acted_at: null }).pluck('position')).toEqual([])
  await database
    .db('jobs')
    .where({ name: 'sync-crm', state: 'waiting' })
    .update({ state: 'done', finished_at: new Date() })
  await running
  const answer = await api.call('GET', `/api/bulk/${started.id}`, undefined, await staffHeaders(database.db))
  return Bulk.parse(answer.body).report
}

const crmStates = (leadId: number) =>
  jobsOf(database.db, leadId, { name: 'sync-crm' }).orderBy('generation').pluck('state')

it('GET /api/leads/{id}/jobs has every attempt, and what to do', async () => {
  const id = await failedLead()
  const { body } = await api.call('GET', `/api/leads/${id}/jobs`, undefined, await staffHeaders(database.db))
  expect(Ledger.parse(body)).toEqual(body)
  expect(body.jobs.find(({ name }: { name: string }) => name === 'sync-crm')).toMatchObject({
    advice: expect.stringContaining('Its answer above says why'),
    attempt_log: [{ outcome: 'failed', status: 422, duration_ms: 40 }],
  })
})

it('the ledger of a lead says who did what, and has the time of the jobs that it made', async () => {
  const ana = await createStaff(database.db, { name: 'Ana Flores' })
  const { id: providerId } = await createProvider(database.db, { name: 'Sterling Wellness' })
  const [staff, id] = [await staffHeaders(database.db, ana.id), await failedLead()]
  await retryAllOf(database.db, `lead:${id}`, 'sync-crm', { actor: ana.email })
  await api.call('PATCH', `/api/leads/${id}/provider`, { providerId }, staff)
  await api.call('POST', `/api/leads/${id}/undo-match`, undefined, staff)
  await api.call('DELETE', `/api/leads/${id}`, undefined, staff)
  await api.call('POST', `/api/leads/${id}/restore`, undefined, staff)

  const { body } = await api.call('GET', `/api/leads/${id}/jobs`, undefined, staff)
  const { jobs, acts } = Ledger.parse(body)
  expect(
    acts.map(({ action, actor_name, provider, previous_provider }) => [
      actor_name,
      action,
      provider ?? previous_provider,
    ]),
  ).toEqual([
    ['Ana Flores', 'retry-sync', null],
    ['Ana Flores', 'assign-provider', 'Sterling Wellness'],
    ['Ana Flores', 'undo-match', 'Sterling Wellness'],
    ['Ana Flores', 'delete', null],
    ['Ana Flores', 'restore', null],
  ])
  const retried = jobs.filter(({ created_at }) => created_at === acts[0]?.at)
  expect(retried.map(({ name, generation }) => [name, generation])).toEqual([['sync-crm', 2]])
})

describe('POST /api/jobs/retry-failed', () => {
  it('tries all of them again, and is in the audit log', async () => {
    const ids = [await failedLead(), await failedLead()]
    const ben = await createStaff(database.db)
    const report = await retryAll({ since: LONG_AGO, expected: 2 }, await staffHeaders(database.db, ben.id))

    expect(report).toEqual({ succeeded: 2, failed: 0, waiting: 0, failures: [] })
    for (const id of ids) expect(await crmStates(id)).toEqual(['failed', 'done'])
    const [whole, ...each] = await database.db('audit_log').orderBy('id')
    expect(whole).toMatchObject({ actor: ben.email, action: 'retry-failed', entity: 'job', details: { count: 2 } })
    expect(each.map(({ action, entity_id }) => [action, Number(entity_id)]).toSorted()).toEqual(
      ids.map((id) => ['retry-sync', id]).toSorted(),
    )
  })

  it('runs once at a time', async () => {
    await failedLead()
    expect((await retry({ since: LONG_AGO, expected: 1 })).status).toBe(202)
    expect(await retry({ since: LONG_AGO, expected: 1 })).toMatchObject({
      status: 429,
      body: { error: 'Failed deliveries are already being retried. Please try again in a minute.' },
    })
  })
})
