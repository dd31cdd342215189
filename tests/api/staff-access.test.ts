import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CALLS } from '../../core/contract/calls.ts'
import { type ApiServer, startApiServer } from '../support/api-server.ts'
import { emptyDatabase, useDatabase } from '../support/database.ts'
import { createLead, createProvider, leadForm, staffHeaders } from '../support/factories.ts'
import { rawRequest } from '../support/raw-http.ts'

const database = useDatabase()
let api: ApiServer
let id: number
let providerId: number
beforeAll(async () => {
  api = await startApiServer(database.db)
})
beforeEach(async () => {
  ;({ id: providerId } = await createProvider(database.db))
  id = await createLead(database.db)
})
afterAll(() => api.close())
afterEach(() => emptyDatabase(database.db))

const STAFF_CALLS = CALLS.filter(({ access }) => access === 'staff').map(({ method, path }) => ({
  method: method.toUpperCase(),
  path,
}))
const CHANGES = STAFF_CALLS.filter(({ method }) => method !== 'GET')
const address = (path: string) => path.replace('{id}', String(id))
const body = (method: string) => (method === 'PATCH' ? { providerId } : undefined)

/** Everything that a staff call could change. */
const everything = async () =>
  JSON.stringify(
    await Promise.all(['leads', 'jobs', 'providers', 'audit_log'].map((table) => database.db(table).orderBy('id'))),
  )

describe('a call for staff', () => {
  it('is every call about leads but sending one, and the sync', () => {
    expect(STAFF_CALLS.map(({ method, path }) => `${method} ${path}`)).toEqual(
      expect.arrayContaining([
        'GET /api/leads',
        'GET /api/leads/{id}/jobs',
        'POST /api/leads/{id}/retry-sync',
        'POST /api/leads/{id}/retry-email',
        'PATCH /api/leads/{id}/provider',
        'DELETE /api/leads/{id}',
        'POST /api/sync',
      ]),
    )
  })

  it.each(STAFF_CALLS)('needs a session: $method $path', async ({ method, path }) => {
    const before = await everything()
    const cookies = [
      '',
      'leadwell_session=',
      'leadwell_session=forged',
      `leadwell_session=${'x'.repeat(3000)}`,
      'auth=true',
    ]
    for (const cookie of cookies) {
      const answer = await api.call(method, address(path), body(method), cookie ? { cookie } : {})
      expect(answer).toMatchObject({ status: 401, body: { error: 'Please sign in.', code: 'unauthorized' } })
    }
    expect(await everything()).toBe(before)
  })

  it.each(STAFF_CALLS)('needs a session that has not expired: $method $path', async ({ method, path }) => {
    const staff = await staffHeaders(database.db)
    await database.db('staff_sessions').update({ expires_at: database.db.fn.now() })
    expect((await api.call(method, address(path), body(method), staff)).status).toBe(401)
  })

  it.each(CHANGES)('is refused to another site that uses the session: $method $path', async ({ method, path }) => {
    const staff = await staffHeaders(database.db)
    const before = await everything()
    const { port } = new URL(api.url)
    for (const origin of [
      'https://evil.example',
      'null',
      'http://127.0.0.1:1',
      `http://127.0.0.1.evil.example:${port}`,
      'nonsense',
    ]) {
      const answer = await api.call(method, address(path), body(method), { ...staff, origin })
      expect({ origin, answer }).toMatchObject({ origin, answer: { status: 403, body: { code: 'forbidden' } } })
    }
    expect(await everything()).toBe(before)
  })

  it.each(CHANGES)('is taken from the site itself: $method $path', async ({ method, path }) => {
    // By the name that was asked for, and by its public name where a proxy asks by another.
    for (const origin of [api.url, 'http://localhost:3000']) {
      const staff = await staffHeaders(database.db)
      const { status } = await api.call(method, address(path), body(method), { ...staff, origin })
      // No CRM and no WordPress are connected here: 409 is as far as it goes. A lead is deleted once.
      expect([200, 404, 409]).toContain(status)
    }
  })

  it.each(STAFF_CALLS.filter(({ path }) => path.includes('{id}')))(
    'knows no lead that is not there: $method $path',
    async ({ method, path }) => {
      const staff = await staffHeaders(database.db)
      const crm = await startApiServer(database.db, {
        CRM_KIND: 'webhook',
        CRM_WEBHOOK_URL: 'http://127.0.0.1:1/hooks',
        CRM_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
      })
      try {
        const answer = await crm.call(method, path.replace('{id}', '4242'), body(method), staff)
        expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } })
      } finally {
        await crm.close()
      }
    },
  )
})

describe('a change without a body', () => {
  it.each(['0', undefined])('needs no content type (Content-Length: %s)', async (length) => {
    const headers: Record<string, string> = await staffHeaders(database.db)
    if (length) headers['content-length'] = length
    const { status } = await rawRequest(api.url, { method: 'POST', path: `/api/leads/${id}/retry-email`, headers })
    expect(status).toBe(200)
  })
})

describe('the queue pages', () => {
  it('send everybody but staff to the sign-in', async () => {
    for (const path of ['/admin/queues', '/admin/queues/', '/admin/queues/api/queues']) {
      const { status, headers } = await api.call('GET', path)
      expect({ status, location: headers.get('location') }).toEqual({ status: 302, location: '/admin' })
    }
    expect((await api.call('GET', '/admin/queues', undefined, await staffHeaders(database.db))).status).toBe(200)
  })
})

describe('open access', () => {
  let open: ApiServer
  beforeAll(async () => {
    open = await startApiServer(database.db, { ADMIN_ACCESS: 'open', ADMIN_PASSWORD: '' })
  })
  afterAll(() => open.close())
  const get = (host: string, path = '/api/leads') => rawRequest(open.url, { path, headers: { host } })

  it('needs no session', async () => {
    expect((await open.call('GET', '/api/leads')).body.total).toBe(1)
    expect((await open.call('GET', '/api/session')).body).toEqual({ authenticated: true, access: 'open' })
    expect((await open.call('DELETE', '/api/session')).body).toEqual({ authenticated: true, access: 'open' })
  })

  it.each([
    'localhost',
    'localhost:3000',
    '127.0.0.1',
    '127.0.0.1:3000',
    '[::1]',
    '[::1]:3000',
    'clinic.localhost:3000',
    'LOCALHOST',
  ])('answers on %s', async (host) => {
    expect((await get(host)).status).toBe(200)
  })

  it.each([
    'evil.example',
    'localhost.evil.example',
    'evil.example:3000',
    'good@evil.example',
    'localhost@evil.example',
    '127.0.0.1.evil.example',
    'evillocalhost',
    '0.0.0.0',
    '192.168.1.10',
    '[::ffff:192.168.1.10]',
  ])('refuses a page that was led here under the name %j', async (host) => {
    for (const path of ['/api/leads', '/api/providers', '/admin/queues', '/']) {
      const { status, text } = await get(host, path)
      expect(status).toBe(403)
      expect(text).not.toContain('leads')
    }
  })

  it('refuses changes that another site asks for', async () => {
    const answer = await open.call('DELETE', `/api/leads/${id}`, undefined, { origin: 'https://evil.example' })
    expect(answer.status).toBe(403)
    expect(await database.db('leads')).toHaveLength(1)
  })
})

describe('with a password', () => {
  it('the site answers under every name, for the microsites', async () => {
    const { status } = await rawRequest(api.url, { path: '/api/providers', headers: { host: 'clinic.example' } })
    expect(status).toBe(200)
  })

  it('anybody may send a lead, from any page', async () => {
    const { status } = await api.call('POST', '/api/leads', leadForm(), { origin: 'https://clinic.example' })
    expect(status).toBe(201)
  })
})
