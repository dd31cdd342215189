import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ApiServer, startApiServer } from '../support/api-server.ts'
import { emptyDatabase, useDatabase } from '../support/database.ts'
import { CRM_SECRET } from '../support/env.ts'
import { createLead, createProvider, staffHeaders } from '../support/factories.ts'

const CRM = { CRM_KIND: 'webhook', CRM_WEBHOOK_URL: 'http://127.0.0.1:1/hooks', CRM_WEBHOOK_SECRET: CRM_SECRET }

const database = useDatabase()
let api: ApiServer
let staff: { cookie: string }
beforeAll(async () => {
  api = await startApiServer(database.db, CRM)
})
beforeEach(async () => {
  staff = await staffHeaders(database.db)
})
afterAll(() => api.close())
afterEach(() => emptyDatabase(database.db))

const call = (method: string, path: string, body?: unknown) => api.call(method, path, body, staff)
const matchedLead = async () => createLead(database.db, { providerId: (await createProvider(database.db)).id })

const ledger = async (id: number, name: string) =>
  (await database.db('jobs').where({ lead_id: id, name }).orderBy(['purpose', 'generation'])).map(
    ({ purpose, generation, state }) => `${purpose} ${generation} ${state}`,
  )

describe('POST /api/leads/{id}/restore', () => {
  it('takes the deletion back, and the relay goes on with the lead', async () => {
    const id = await matchedLead()
    const [before] = (await call('GET', '/api/leads')).body.leads
    await call('DELETE', `/api/leads/${id}`)
    const wakes = api.wakes()
    const { status, body } = await call('POST', `/api/leads/${id}/restore`)

    expect({ status, body }).toEqual({ status: 200, body: { success: true } })
    expect((await call('GET', '/api/leads')).body).toEqual({ leads: [before], total: 1 })
    expect(await ledger(id, 'send-email')).toEqual(['provider 1 waiting', 'visitor 1 waiting'])
    expect(api.wakes()).toBe(wakes + 1)
  })

  it('says that the lead is not deleted, or that it is too late', async () => {
    const id = await matchedLead()
    expect(await call('POST', `/api/leads/${id}/restore`)).toMatchObject({
      status: 409,
      body: { error: 'This lead is not deleted. It is in the list.', code: 'conflict' },
    })
    await call('DELETE', `/api/leads/${id}`)
    await call('DELETE', `/api/deleted-leads/${id}`)
    expect(await call('POST', `/api/leads/${id}/restore`)).toMatchObject({
      status: 404,
      body: { error: 'This lead was deleted for good and cannot be restored.', code: 'not_found' },
    })
  })
})

describe('POST /api/leads/bulk with restore', () => {
  it('takes back the deletion of several leads, and says of which it cannot', async () => {
    const ids = [await matchedLead(), await matchedLead(), await matchedLead()]
    await call('DELETE', `/api/leads/${ids[0]}`)
    await call('DELETE', `/api/leads/${ids[1]}`)

    const response = await fetch(`${api.url}/api/leads/bulk`, {
      method: 'POST',
      headers: { ...staff, 'content-type': 'application/json' },
      body: JSON.stringify({ action: 'restore', ids }),
    })
    const report = JSON.parse((await response.text()).trim().split('\n').at(-1) ?? '')
    const error = 'This lead is not deleted. It is in the list.'
    expect(report).toEqual({ succeeded: 2, failed: 1, failures: [{ id: ids[2], error }] })
    expect(await database.db('leads').orderBy('id').pluck('id')).toEqual(ids)
  })

  it('needs their ids', async () => {
    expect(await call('POST', '/api/leads/bulk', { action: 'restore', filter: {}, expected: 1 })).toMatchObject({
      status: 422,
      body: { fields: { ids: 'Name the leads by ids: what is undone is known by nothing else' } },
    })
  })
})
