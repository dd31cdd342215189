import { describe, expect, it } from 'vitest'
import { Bulk, type BulkReport } from '../../core/staff/contract/bulk.ts'
import { useApi, useStaff } from '../support/api-server.ts'
import { runBulk } from '../support/bulk.ts'
import { CRM } from '../support/env.ts'
import { createLead, createProvider, createStaff, staffHeaders } from '../support/factories.ts'

const CALL = '/api/leads/bulk'

const { api, database } = useApi(CRM)
const staff = useStaff(database)

const send = (body: unknown) => api.call('POST', CALL, body, staff)
const read = async (id: string) =>
  Bulk.strict().parse((await api.call('GET', `/api/bulk/${id}`, undefined, staff)).body)
const listRunning = async (headers = staff): Promise<Bulk[]> =>
  (await api.call('GET', '/api/bulk', undefined, headers)).body.running
/** Starts a bulk action. Returns its id. */
async function start(body: unknown): Promise<string> {
  const answer = await send(body)
  expect(answer.status).toBe(202)
  return answer.body.id
}
/** The bulk action after a worker has made its attempt. */
async function run(body: unknown): Promise<{ total: number; report: BulkReport }> {
  const id = await start(body)
  const { total } = (await read(id)).progress
  await runBulk(database.app, id)
  const { state, progress, report } = await read(id)
  if (!report) throw new Error('There is no report.')
  const { succeeded, failed, waiting } = report
  expect({ state, progress }).toEqual({
    state: 'done',
    progress: { done: succeeded + failed + waiting, total, failed },
  })
  return { total, report }
}
const failure = (lead_id: number | undefined, name: string | null, error: string) => ({
  ...{ position: expect.any(Number), lead_id, subject: null, name, error },
})
async function someLeads(count: number, options: Parameters<typeof createLead>[1] = {}): Promise<number[]> {
  const ids: number[] = []
  for (let n = 0; n < count; n++) ids.push(await createLead(database.db, options))
  return ids
}
const audit = async () =>
  (await database.db('audit_log').orderBy('id')).map(
    ({ actor, action, entity_id }) => `${actor} ${action} ${entity_id}`,
  )
const stored = () => database.db('leads').orderBy('id').pluck('id')

describe('POST /api/leads/bulk', () => {
  it('answers at once with the job, acts on each lead by itself, and reports what failed', async () => {
    const [first, second] = await someLeads(2)
    const [held] = await someLeads(1, { heldReason: 'honeypot' })
    const id = await start({ action: 'release', ids: [first, held, 4242, second, first] })
    expect(await read(id)).toEqual({
      ...{ id, action: 'release', state: 'running', progress: { done: 0, total: 4, failed: 0 }, report: null },
    })
    expect(await audit()).toEqual([])

    await runBulk(database.app, id)
    const { state, progress, report } = await read(id)
    expect({ state, progress }).toEqual({ state: 'done', progress: { done: 4, total: 4, failed: 3 } })
    expect(report).toMatchObject({ succeeded: 1, failed: 3, waiting: 0 })
    expect(report?.failures).toEqual([
      failure(first, 'Jordan Avery', 'This lead is not held. There is nothing to release.'),
      failure(4242, null, 'There is no such lead. It may have been deleted.'),
      failure(second, 'Jordan Avery', 'This lead is not held. There is nothing to release.'),
    ])
    expect(await audit()).toEqual([`staff release ${held}`])
  })

  it('knows every action', async () => {
    const { id: providerId } = await createProvider(database.db)
    const [lead] = await someLeads(1)
    const [held] = await someLeads(1, { heldReason: 'too_fast' })
    const once = { succeeded: 1, failed: 0, waiting: 0, failures: [] }

    expect((await run({ action: 'release', ids: [held] })).report).toEqual(once)
    expect((await run({ action: 'assign-provider', providerId, ids: [lead] })).report).toEqual(once)
    expect(await database.db('leads').where({ id: lead }).first()).toMatchObject({ provider_id: providerId })
    expect((await run({ action: 'delete', ids: [held] })).report).toEqual(once)
    expect(await stored()).toEqual([lead])
    expect(await audit()).toEqual([`staff release ${held}`, `staff assign-provider ${lead}`, `staff delete ${held}`])
  })

  it('takes every lead that matches a filter, if they are as many as were seen', async () => {
    const [kept] = await someLeads(1)
    await someLeads(3, { form: { last_name: 'Serin' } })
    const body = { action: 'delete', filter: { q: 'serin', unmatched: true } }

    const refused = await send({ ...body, expected: 2 })
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'conflict', error: 'The list has changed: 3 leads match now, not 2. Please check again.' },
    })
    expect(await stored()).toHaveLength(4)

    const { total, report } = await run({ ...body, expected: 3 })
    expect(total).toBe(3)
    expect(report).toEqual({ succeeded: 3, failed: 0, waiting: 0, failures: [] })
    expect(await stored()).toEqual([kept])
  })

  it('refuses more than it can do, and says so', async () => {
    await database.db.raw(
      `insert into leads (first_name, last_name, email, phone, zip_code, request_hash, person_key, repeat_window)
       select 'Jordan', 'Avery', 'a@visitors.example', '1', '78702', '', gen_random_uuid(), 'empty'
       from generate_series(1, 50001)`,
    )
    const { status, body } = await send({ action: 'delete', filter: {}, expected: 50_001 })
    expect({ status, error: body.error }).toEqual({
      status: 409,
      error: 'No more than 50,000 leads can be changed at once, and 50,001 match. Narrow the filter.',
    })
  })

  it('acts on the leads that matched when it was asked for', async () => {
    const [first] = await someLeads(1, { form: { last_name: 'Serin' } })
    const id = await start({ action: 'delete', filter: { q: 'serin' }, expected: 1 })
    const [later] = await someLeads(1, { form: { last_name: 'Serin' } })
    await runBulk(database.app, id)
    expect(await stored()).toEqual([later])
    expect(first).not.toBe(later)
  })

  it('refuses a third one while two act', async () => {
    const [first] = await someLeads(1)
    const ids = [await start({ action: 'delete', ids: [first] }), await start({ action: 'delete', ids: [4242] })]
    expect(await send({ action: 'delete', ids: [first] })).toMatchObject({
      status: 429,
      body: { error: 'Other bulk changes are still running. Please try again in a minute.' },
    })
    await runBulk(database.app, String(ids[0]))
    await start({ action: 'delete', ids: [first] })
  })
})

it('GET /api/bulk lists what the caller has running', async () => {
  const [lead] = await someLeads(1)
  const ana = await createStaff(database.db)
  const id = await start({ action: 'delete', ids: [lead] })
  expect(await listRunning()).toEqual([await read(id)])
  expect(await listRunning(await staffHeaders(database.db, ana.id))).toEqual([])
  await runBulk(database.app, id)
  expect(await listRunning()).toEqual([])
})
