import type { Context } from 'koa'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { staffOnly } from '../../api/middleware/session.ts'
import { CALLS } from '../../core/contract/calls.ts'
import { type ApiServer, startApiServer } from '../support/api-server.ts'
import { emptyDatabase, useDatabase } from '../support/database.ts'
import { testEnv } from '../support/env.ts'
import {
  createApplication,
  createLead,
  createProvider,
  createStaff,
  createSyncRun,
  leadForm,
  staffHeaders,
} from '../support/factories.ts'
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
  // Each is the first of its table.
  id = await createLead(database.db)
  await createApplication(database.db)
  await createSyncRun(database.db)
})
afterAll(() => api.close())
afterEach(() => emptyDatabase(database.db))

const STAFF_CALLS = CALLS.filter(({ access }) => access !== 'public').map(({ method, ...call }) => ({
  ...call,
  method: method.toUpperCase(),
}))
const MANAGER_CALLS = STAFF_CALLS.filter(({ access }) => access === 'manager')
// A stream of events does not end by itself: tests/api/events.test.ts has it.
const VIEWER_CALLS = STAFF_CALLS.filter(
  ({ access, answer }) => access === 'viewer' && answer.type !== 'text/event-stream',
)
const CHANGES = STAFF_CALLS.filter(({ method }) => method !== 'GET')
const address = (path: string) => path.replace('{id}', String(id))
const body = (method: string, path: string) => {
  if (path === '/api/leads/bulk') return { action: 'delete', ids: [id] }
  return method === 'PATCH' ? { providerId, status: 'approved' } : undefined
}
const asAccount = async (overrides: Record<string, unknown>) =>
  staffHeaders(database.db, (await createStaff(database.db, overrides)).id)

/** Everything that a staff call could change. */
const everything = async () =>
  JSON.stringify(
    await Promise.all(
      [
        'leads',
        'provider_applications',
        'jobs',
        'providers',
        'audit_log',
        'provider_syncs',
        'staff_accounts',
        'staff_sessions',
      ].map((table) => database.db(table).orderBy('id')),
    ),
  )

describe('a call for staff', () => {
  it('is every call about leads and applications but sending one, and the sync', () => {
    expect(STAFF_CALLS.map(({ method, path }) => `${method} ${path}`)).toEqual(
      expect.arrayContaining([
        'GET /api/leads',
        'GET /api/leads.csv',
        'GET /api/leads/{id}',
        'GET /api/leads/{id}/jobs',
        'POST /api/leads/bulk',
        'GET /api/providers.csv',
        'POST /api/leads/{id}/retry-sync',
        'POST /api/leads/{id}/retry-email',
        'PATCH /api/leads/{id}/provider',
        'DELETE /api/leads/{id}',
        'GET /api/provider-applications',
        'GET /api/provider-applications.csv',
        'PATCH /api/provider-applications/{id}',
        'DELETE /api/provider-applications/{id}',
        'GET /api/provider-applications/{id}/jobs',
        'POST /api/provider-applications/{id}/retry-email',
        'POST /api/provider-applications/{id}/release',
        'POST /api/sync',
        'POST /api/sync/dry-run',
        'GET /api/sync-runs',
        'GET /api/sync-runs/{id}',
        'POST /api/sync-runs/{id}/approve',
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
      const answer = await api.call(method, address(path), body(method, path), cookie ? { cookie } : {})
      expect(answer).toMatchObject({ status: 401, body: { error: 'Please sign in.', code: 'unauthorized' } })
    }
    expect(await everything()).toBe(before)
  })

  it.each(STAFF_CALLS)('needs a session that has not expired: $method $path', async ({ method, path }) => {
    const staff = await staffHeaders(database.db)
    await database.db('staff_sessions').update({ expires_at: database.db.fn.now() })
    expect((await api.call(method, address(path), body(method, path), staff)).status).toBe(401)
  })

  it.each(MANAGER_CALLS)('needs a manager: $method $path', async ({ method, path }) => {
    const viewer = await asAccount({ role: 'viewer' })
    const before = await everything()
    const answer = await api.call(method, address(path), body(method, path), viewer)
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden', error: expect.stringMatching(/managers/) } })
    expect(await everything()).toBe(before)
  })

  it.each(MANAGER_CALLS)('is open to managers: $method $path', async ({ method, path }) => {
    const { status } = await api.call(method, address(path), body(method, path), await asAccount({ role: 'manager' }))
    expect([200, 404, 409, 422]).toContain(status)
  })

  it.each(VIEWER_CALLS)('is open to viewers: $method $path', async ({ method, path }) => {
    const viewer = await asAccount({ role: 'viewer' })
    const { status } = await api.call(method, address(path), body(method, path), viewer)
    expect([200, 422]).toContain(status)
  })

  it.each(STAFF_CALLS)('needs a password of their own: $method $path', async (call) => {
    const { method, path, beforeOwnPassword } = call
    const invited = await asAccount({ password_expires_at: '2999-01-01' })
    const before = await everything()
    const answer = await api.call(method, address(path), body(method, path), invited)
    if (beforeOwnPassword) expect(answer.status).toBe(422)
    else expect(answer).toMatchObject({ status: 403, body: { error: 'Choose a password of your own first.' } })
    expect(await everything()).toBe(before)
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
      const answer = await api.call(method, address(path), body(method, path), { ...staff, origin })
      expect({ origin, answer }).toMatchObject({ origin, answer: { status: 403, body: { code: 'forbidden' } } })
    }
    expect(await everything()).toBe(before)
  })

  it.each(CHANGES)('is taken from the site itself: $method $path', async ({ method, path }) => {
    // By the name that was asked for, and by its public name where a proxy asks by another.
    for (const origin of [api.url, 'http://localhost:3000']) {
      const staff = await staffHeaders(database.db)
      const { status } = await api.call(method, address(path), body(method, path), { ...staff, origin })
      // No CRM and no WordPress are connected here: 409 is as far as it goes. Nothing is deleted twice. 422: no body.
      expect([200, 404, 409, 422]).toContain(status)
    }
  })

  it.each(STAFF_CALLS.filter(({ path }) => path.includes('{id}')))(
    'knows nothing that is not there: $method $path',
    async ({ method, path }) => {
      const staff = await staffHeaders(database.db)
      const crm = await startApiServer(database.db, {
        CRM_KIND: 'webhook',
        CRM_WEBHOOK_URL: 'http://127.0.0.1:1/hooks',
        CRM_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
      })
      try {
        const answer = await crm.call(method, path.replace('{id}', '4242'), body(method, path), staff)
        expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } })
      } finally {
        await crm.close()
      }
    },
  )
})

describe('a route that the contract does not name', () => {
  it('is for managers', async () => {
    const run = async (overrides: Record<string, unknown>) => {
      const { cookie } = await asAccount(overrides)
      const cookies = { get: () => cookie.split('=')[1] }
      const ctx = { cookies, method: 'GET', routerPath: '/api/forgotten', state: {}, set() {} } as unknown as Context
      return staffOnly({ db: database.db, env: testEnv() })(ctx, async () => 'done')
    }
    await expect(run({ role: 'viewer' })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(run({ role: 'manager' })).resolves.toBeUndefined()
  })
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
  const PAGE = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
  const QUEUES = '/admin/queues/api/queues'
  const CLEAN = `${QUEUES}/x/clean/done`
  const invited = () => asAccount({ password_expires_at: '2999-01-01' })

  it.each(['/admin/queues', '/admin/queues/', '/admin/queues/queue/sync-crm'])(
    'send a browser to the sign-in, unless it is signed in: %s',
    async (path) => {
      for (const other of [{}, await invited()]) {
        const { status, headers } = await api.call('GET', path, undefined, { ...PAGE, ...other })
        expect({ status, location: headers.get('location') }).toEqual({ status: 302, location: '/admin' })
      }
      const staff = await staffHeaders(database.db)
      expect((await api.call('GET', path, undefined, { ...PAGE, ...staff })).status).toBe(200)
    },
  )

  it.each([
    ['GET', QUEUES, PAGE],
    ['GET', QUEUES, {}],
    ['GET', '/admin/queues', { accept: 'application/json' }],
    ['GET', '/admin/queues/static/css/main.css', { accept: 'text/css,*/*;q=0.1' }],
    ['PUT', CLEAN, PAGE],
    ['POST', '/admin/queues', PAGE],
  ] as [string, string, Record<string, string>][])(
    'refuse every other call: %s %s %j',
    async (method, path, accept) => {
      const call = (staff = {}) => api.call(method, path, method === 'GET' ? undefined : {}, { ...accept, ...staff })
      expect(await call()).toMatchObject({ status: 401, body: { code: 'unauthorized', error: 'Please sign in.' } })
      expect(await call(await invited())).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    },
  )

  it('let viewers read and managers act', async () => {
    const viewer = await asAccount({ role: 'viewer' })
    expect((await api.call('GET', '/admin/queues', undefined, viewer)).status).toBe(200)
    const clean = (headers: { cookie: string }) => api.call('PUT', CLEAN, {}, headers)
    expect(await clean(viewer)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect((await clean(await asAccount({ role: 'manager' }))).status).not.toBe(403)
  })

  it.each(['https://evil.example', 'null', 'nonsense'])('take no change from another site: %s', async (origin) => {
    for (const staff of [{}, await asAccount({ role: 'manager' })]) {
      const answer = await api.call('PUT', CLEAN, {}, { ...staff, origin })
      expect(answer).toMatchObject({ status: 403, body: { error: 'This call must come from the site itself.' } })
    }
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
    const manager = { authenticated: true, access: 'open', staff: { name: 'Staff', role: 'manager' } }
    expect((await open.call('GET', '/api/session')).body).toMatchObject(manager)
    expect((await open.call('DELETE', '/api/session')).body).toMatchObject(manager)
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
