import { describe, expect, it } from 'vitest'
import { Ledger } from '../../core/deliveries/contract/jobs.ts'
import { retryAll as retryAllOf } from '../../core/deliveries/retry-deliveries.ts'
import * as attempts from '../../core/deliveries/stores/attempts.ts'
import { Bulk } from '../../core/staff/contract/bulk.ts'
import { useApi } from '../support/api-server.ts'
import { runBulk } from '../support/bulk.ts'
import { createLead, createProvider, createStaff, jobsOf, staffHeaders } from '../support/factories.ts'
import { found } from '../support/found.ts'

const LONG_AGO = '2020-01-01T00:00:00Z'

const { api, database } = useApi()

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
