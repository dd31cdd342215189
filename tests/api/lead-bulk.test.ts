import { request as httpRequest } from 'node:http'
import { describe, expect, it } from 'vitest'
import { BulkLine, BulkReport } from '../../core/contract/lead-bulk.ts'
import { startApiServer, useApi, useStaff } from '../support/api-server.ts'
import { CRM } from '../support/env.ts'
import { createLead, createProvider } from '../support/factories.ts'
import { waitFor } from '../support/wait.ts'

const CALL = '/api/leads/bulk'

const { api, database } = useApi(CRM)
const staff = useStaff(database)

const send = (body: unknown) => api.call('POST', CALL, body, staff)
/** The lines of a call that is taken, and its report. */
async function run(body: unknown) {
  const response = await fetch(api.url + CALL, {
    method: 'POST',
    headers: { ...staff, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch('application/x-ndjson')
  expect(response.headers.get('cache-control')).toBe('no-store')
  const lines = (await response.text())
    .trimEnd()
    .split('\n')
    .map((line) => BulkLine.parse(JSON.parse(line)))
  return { progress: lines.slice(0, -1), report: BulkReport.strict().parse(lines.at(-1)) }
}
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
  it('does it to each lead by itself, and tells how far it is and what failed', async () => {
    const [first, second] = await someLeads(2)
    const [held] = await someLeads(1, { heldReason: 'honeypot' })
    const wakes = api.wakes()
    const { progress, report } = await run({ action: 'retry-email', ids: [first, held, 4242, second, first] })

    expect(progress[0]).toEqual({ done: 0, total: 4, failed: 0 })
    expect(progress.at(-1)).toEqual({ done: 4, total: 4, failed: 2 })
    expect(report).toMatchObject({ succeeded: 2, failed: 2 })
    expect(report.failures.toSorted((a, b) => a.id - b.id)).toEqual([
      { id: held, name: 'Jordan Avery', error: 'This lead is held. Release it first.' },
      { id: 4242, name: null, error: 'There is no such lead. It may have been deleted.' },
    ])
    expect((await audit()).toSorted()).toEqual([`staff retry-email ${first}`, `staff retry-email ${second}`])
    expect(api.wakes()).toBe(wakes + 1)
  })

  it('knows every action', async () => {
    const { id: providerId } = await createProvider(database.db)
    const [lead] = await someLeads(1)
    const [held] = await someLeads(1, { heldReason: 'too_fast' })
    const once = { succeeded: 1, failed: 0, waiting: 0, failures: [] }

    expect((await run({ action: 'retry-sync', ids: [lead] })).report).toEqual(once)
    expect((await run({ action: 'release', ids: [held] })).report).toEqual(once)
    expect((await run({ action: 'assign-provider', providerId, ids: [lead] })).report).toEqual(once)
    expect(await database.db('leads').where({ id: lead }).first()).toMatchObject({ provider_id: providerId })
    expect((await run({ action: 'delete', ids: [held] })).report).toEqual(once)
    expect(await stored()).toEqual([lead])
    expect(await audit()).toEqual([
      `staff retry-sync ${lead}`,
      `staff release ${held}`,
      `staff assign-provider ${lead}`,
      `staff delete ${held}`,
    ])
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

    const { progress, report } = await run({ ...body, expected: 3 })
    expect(progress[0]).toEqual({ done: 0, total: 3, failed: 0 })
    expect(report).toEqual({ succeeded: 3, failed: 0, waiting: 0, failures: [] })
    expect(await stored()).toEqual([kept])
  })

  it('takes filters as the list takes them in its address', async () => {
    await someLeads(2)
    expect(
      (await run({ action: 'delete', filter: { held: 'false', from: '2020-01-01' }, expected: 2 })).report,
    ).toEqual({
      succeeded: 2,
      failed: 0,
      waiting: 0,
      failures: [],
    })
  })

  it('names a hundred failures, and counts them all', async () => {
    const ids = Array.from({ length: 150 }, (_, n) => n + 1)
    const { report } = await run({ action: 'delete', ids })
    expect(report).toMatchObject({ succeeded: 0, failed: 150 })
    expect(report.failures).toHaveLength(100)
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

  it.each([
    ['action', { action: 'forget', ids: [1] }],
    ['action', { ids: [1] }],
    ['ids', { action: 'delete' }],
    ['ids', { action: 'delete', ids: [] }],
    ['ids', { action: 'delete', ids: Array.from({ length: 1001 }, (_, n) => n + 1) }],
    ['ids.0', { action: 'delete', ids: ['1'] }],
    ['ids', { action: 'delete', ids: [1], filter: {}, expected: 1 }],
    ['expected', { action: 'delete', filter: {} }],
    ['expected', { action: 'delete', filter: {}, expected: 0 }],
    ['expected', { action: 'delete', ids: [1], expected: 1 }],
    ['filter', { action: 'delete', filter: { stauts: 'failed' }, expected: 1 }],
    ['filter.held', { action: 'delete', filter: { held: 'maybe' }, expected: 1 }],
    ['providerId', { action: 'assign-provider', ids: [1] }],
    ['providerId', { action: 'delete', ids: [1], providerId: 1 }],
  ])('refuses what is not clear: %s of %j', async (field, body) => {
    const [id] = await someLeads(1)
    const answer = await send(body)
    expect(answer).toMatchObject({ status: 422, body: { code: 'invalid', fields: { [field]: expect.any(String) } } })
    expect(await stored()).toEqual([id])
  })

  it('refuses at once what would be refused for each', async () => {
    const { id: inactive } = await createProvider(database.db, { status: 'f', name: 'Dr. Gone' })
    const ids = await someLeads(1)
    expect(await send({ action: 'assign-provider', ids, providerId: 4242 })).toMatchObject({ status: 404 })
    expect(await send({ action: 'assign-provider', ids, providerId: inactive })).toMatchObject({
      status: 409,
      body: { error: 'Dr. Gone is inactive and cannot get leads.' },
    })
    const withoutCrm = await startApiServer(database.app)
    try {
      const { status } = await withoutCrm.call('POST', CALL, { action: 'retry-sync', ids }, staff)
      expect(status).toBe(409)
    } finally {
      await withoutCrm.close()
    }
  })

  it('goes on to its end when nobody listens any more', async () => {
    await someLeads(30)
    const ids = await stored()
    await new Promise<void>((resolve) => {
      const headers = { ...staff, 'content-type': 'application/json' }
      const request = httpRequest(api.url + CALL, { method: 'POST', headers }, (response) => {
        response.once('data', () => {
          response.destroy()
          resolve()
        })
      })
      request.on('error', () => {})
      request.end(JSON.stringify({ action: 'delete', ids }))
    })
    await waitFor('the last deletion', async () => (await stored()).length === 0)
    expect(await audit()).toHaveLength(30)
  })

  it('gives up on the rest where the fault is ours', async () => {
    const ids = await someLeads(30)
    await database.db.raw('alter table audit_log add constraint unwritable check (false) not valid')
    try {
      const { report } = await run({ action: 'delete', ids })
      expect(report).toMatchObject({ succeeded: 0, failed: 30 })
      const errors = report.failures.map(({ error }) => error)
      expect(errors[0]).toBe('Something went wrong on our side. Please try again.')
      expect(errors.filter((error) => error.startsWith('Not tried')).length).toBeGreaterThan(15)
      expect(await stored()).toEqual(ids)
    } finally {
      await database.db.raw('alter table audit_log drop constraint unwritable')
    }
  })
})
