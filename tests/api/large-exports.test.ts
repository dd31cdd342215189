import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type Export, MAX_EXPORTS } from '../../core/contract/exports.ts'
import { useApi, useStaff } from '../support/api-server.ts'
import { addLeads, runExport } from '../support/exports.ts'
import { createLead, createStaff, staffHeaders } from '../support/factories.ts'
import { found } from '../support/found.ts'

const { api, database } = useApi()
const staff = useStaff(database)

type Headers = Record<string, string>
const send = (body: unknown = {}, headers: Headers = staff) => api.call('POST', '/api/exports', body, headers)
/** Starts an export. Returns its id. */
async function start(body: unknown = {}, headers: Headers = staff): Promise<string> {
  const { status, body: started } = await send(body, headers)
  expect(status).toBe(202)
  return started.id
}
async function prepare(body: unknown = {}, headers: Headers = staff): Promise<string> {
  const id = await start(body, headers)
  await runExport(database.app, id)
  return id
}
const list = async (headers: Headers = staff): Promise<Export[]> =>
  (await api.call('GET', '/api/exports', undefined, headers)).body.exports
const fileOf = (id: string) => `/api/exports/${id}/file`
const download = (id: string, headers: Headers = staff) => api.call('GET', fileOf(id), undefined, headers)
const remove = (id: string, headers: Headers = staff) => api.call('DELETE', `/api/exports/${id}`, undefined, headers)
const asManager = async (email: string) => {
  const { id } = await createStaff(database.db, { role: 'manager', email })
  return { id, headers: await staffHeaders(database.db, id) }
}
async function bytesOf(path: string): Promise<string> {
  const response = await fetch(api.url + path, { headers: staff })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="leads[-a-z0-9]*\.csv"$/)
  expect(response.headers.get('cache-control')).toBe('no-store')
  return Buffer.from(await response.arrayBuffer()).toString('latin1')
}
const audit = async () =>
  (await database.db('audit_log').where({ action: 'export' }).orderBy('id')).map(({ actor, entity, details }) => ({
    ...{ actor, entity, details },
  }))

describe('POST /api/exports', () => {
  it('answers at once, and the file has the bytes of GET /api/leads.csv with the same query', async () => {
    await addLeads(database.db, 6, 2 ** 19)
    await createLead(database.db, { form: { first_name: '=1+1', last_name: 'Öhm, "B"', email: 'b@visitors.example' } })
    const wakes = api.wakes()
    const id = await start({ sort: 'name', from: '2020-01-01' })
    expect(api.wakes()).toBe(wakes + 1)
    expect(await list()).toMatchObject([
      { id, state: 'running', done: 0, total: 7, query: { sort: 'name', from: '2020-01-01' } },
    ])
    expect(await download(id)).toMatchObject({ status: 409, body: { error: 'This export is not ready yet.' } })

    await runExport(database.app, id)
    expect(await database.db('export_pieces')).toHaveLength(4)
    expect(await list()).toMatchObject([{ id, state: 'done', done: 7, total: 7 }])
    const [file, streamed] = [await bytesOf(fileOf(id)), await bytesOf('/api/leads.csv?sort=name&from=2020-01-01')]
    expect(file.length).toBeGreaterThan(3_000_000)
    expect(file === streamed).toBe(true)
  })

  it('is limited for each person, until one is deleted or has expired', async () => {
    const other = await asManager('other@leadwell.example')
    const ids = [await prepare()]
    while (ids.length < MAX_EXPORTS) ids.push(await start())
    const { status, body } = await send()
    expect([status, body.error]).toEqual([429, 'You have 3 exports already. Delete one of them, then export again.'])
    await start({}, other.headers)

    const [first = '', second = ''] = ids
    expect((await remove(first)).status).toBe(200)
    await start()
    expect((await send()).status).toBe(429)
    await database.db('exports').where({ job_id: second }).update({ expires_at: new Date() })
    await start()
  })
})

describe('the file of an export', () => {
  it('is for the person who asked alone, and only while that person is a manager', async () => {
    await addLeads(database.db, 1)
    const [owner, other] = [await asManager('owner@leadwell.example'), await asManager('other@leadwell.example')]
    const id = await prepare({}, owner.headers)
    for (const headers of [other.headers, staff]) {
      expect(await download(id, headers)).toMatchObject({ status: 404, body: { error: 'There is no such export.' } })
      expect((await remove(id, headers)).status).toBe(404)
      expect(await list(headers)).toEqual([])
    }
    expect((await download(id, owner.headers)).status).toBe(200)

    await database.db('staff_accounts').where({ id: owner.id }).update({ role: 'agent' })
    expect((await download(id, owner.headers)).status).toBe(403)
  })

  it('is not for an account that has got the address of the owner', async () => {
    const owner = await asManager('owner@leadwell.example')
    const id = await prepare({}, owner.headers)
    await database.db('staff_accounts').where({ id: owner.id }).update({ email: 'renamed@leadwell.example' })
    const heir = await asManager('owner@leadwell.example')
    expect((await download(id, heir.headers)).status).toBe(404)
  })

  it('is refused after the erasure of a person in it, in words that say why', async () => {
    const email = 'ada.canary@visitors.example'
    const lead = await createLead(database.db, { form: { email } })
    await addLeads(database.db, 2)
    const id = await prepare({ q: 'canary' })
    const erased = await api.call(
      'POST',
      '/api/privacy/erase',
      { contact: email, forms: [{ kind: 'lead', id: lead }] },
      staff,
    )
    expect(erased.status).toBe(200)

    expect(await download(id)).toMatchObject({
      status: 404,
      body: {
        error: 'This export was deleted because a lead that may be in it was permanently deleted. Export again.',
      },
    })
    expect(await list()).toMatchObject([{ id, state: 'erased' }])
    const { rows } = await database.db.raw(`select (select json_agg(e) from exports e)::text as rows`)
    expect(rows[0].rows).not.toContain('canary')
    expect(await database.db('export_pieces')).toEqual([])
    await remove(id)
    expect(await list()).toEqual([])
  })

  it('is refused after a day, also before it is purged', async () => {
    const id = await prepare()
    await database.db('exports').update({ expires_at: new Date() })
    expect(await download(id)).toMatchObject({
      status: 404,
      body: { error: 'This export was deleted because it was older than 24 hours. Export again.' },
    })
  })

  it('is cut off, and not called complete, where it is deleted during a download', async () => {
    await addLeads(database.db, 40, 2 ** 19)
    const id = await prepare()
    // Uncompressed, so that far more is to come than fits on the way.
    const response = await fetch(api.url + fileOf(id), { headers: { ...staff, 'accept-encoding': 'identity' } })
    const reader = found(response.body).getReader()
    await reader.read()
    await remove(id)
    const rest = async () => {
      while (!(await reader.read()).done);
    }
    await expect(rest()).rejects.toThrow()
    await expect.poll(async () => (await audit()).at(-1)?.details).toMatchObject({ complete: false })
  })
})

it('DELETE /api/exports/:id cancels what no worker has finished', async () => {
  await addLeads(database.db, 2)
  const id = await start({ q: 'avery' })
  expect((await remove(id)).status).toBe(200)
  expect(await database.db('jobs').where({ id }).first()).toMatchObject({ state: 'cancelled' })
  await runExport(database.app, id)
  expect(await database.db('export_pieces')).toEqual([])
  expect(await database.db('exports').first()).toMatchObject({ query: null, deleted_because: 'unwanted' })
  expect(await list()).toEqual([])
  expect((await remove(randomUUID())).status).toBe(404)
})

it('the logs have the beginning and the end of an export, and each download with its rows, without the search', async () => {
  await addLeads(database.db, 3)
  const { headers } = await asManager('owner@leadwell.example')
  const id = await prepare({ q: 'Avery', held: false }, headers)
  await download(id, headers)
  await download(id, headers)

  const line = { actor: 'owner@leadwell.example', entity: 'lead' }
  const query = { filter: { held: false, search: true }, sort: '-created_at' }
  await expect.poll(audit).toHaveLength(6)
  await api.writeReadings()
  const begun = expect.any(Number)
  const downloaded = [
    { ...line, details: { ...query, begins: true } },
    { ...line, details: { ...query, begun, rows: 3, complete: true } },
  ]
  expect(await audit()).toEqual([
    { ...line, details: { ...query, prepares: true, begins: true } },
    { ...line, details: { ...query, prepares: true, begun, rows: 3, complete: true } },
    ...downloaded,
    ...downloaded,
  ])
  const [session] = await database.db('staff_sessions').where('account_id', 1).pluck('id')
  const lines = await database.db('audit_log').where({ action: 'export' })
  expect(lines.map(({ session_id }) => session_id)).toEqual(Array(6).fill(session))
  expect(await database.db('access_log').where({ actor: line.actor }).orderBy('id')).toMatchObject(
    Array(2).fill({ call: 'GET /api/exports/:id/file', row_ids: [3, 2, 1], entity: 'lead' }),
  )
  for (const table of ['audit_log', 'access_log', 'jobs', 'job_attempts'] as const) {
    expect(JSON.stringify(await database.db(table)), table).not.toContain('Avery')
  }
})
