import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { CALLS } from '../../api/routes/openapi.ts'
import { type ApiAnswer, type ApiServer, apiWith, useApi } from '../support/api-server.ts'
import { emptyDatabase } from '../support/database.ts'
import { CRM } from '../support/env.ts'
import {
  createApplication,
  createLead,
  createProvider,
  createSyncRun,
  signedInStaff,
  staffHeaders,
} from '../support/factories.ts'
import { rawRequest } from '../support/raw-http.ts'
import { checkRows } from '../support/rows.ts'

const { api, database } = useApi()
let id: number
let providerId: number
/** A provider, a lead, an application and a sync, each the first of its table. */
async function createOneOfEach(): Promise<void> {
  ;({ id: providerId } = await createProvider(database.db))
  id = await createLead(database.db)
  await createApplication(database.db)
  await createSyncRun(database.db)
}
beforeEach(createOneOfEach)

const STAFF_CALLS = CALLS.filter(({ access }) => access !== 'public' && access !== 'clinic')
const MANAGER_CALLS = STAFF_CALLS.filter(({ access }) => access === 'manager')
// A stream of events does not end by itself: tests/api/events.test.ts has it.
const VIEWER_CALLS = STAFF_CALLS.filter(({ access, type }) => access === 'viewer' && type !== 'text/event-stream')
const CHANGES = STAFF_CALLS.filter(({ method }) => method !== 'GET')
const address = (path: string) =>
  path
    .replace(':providerId', String(providerId))
    .replace(':jobId', randomUUID())
    .replace(/:(id|leadId)\b/g, String(id))
const body = (method: string, path: string) => {
  if (path === '/api/leads/bulk') return { action: 'delete', ids: [id] }
  if (path.endsWith('/outcomes')) return { kind: 'reached' }
  if (path.endsWith('/notes')) return path.startsWith('/api/leads') ? { body: 'A note' } : { text: 'A note' }
  if (method === 'PATCH' && /^\/api\/leads\/:id$/.test(path)) return { first_name: 'Jordan' }
  if (path.endsWith('/viewing')) return { left: false }
  if (path.endsWith('/certify')) return {}
  if (path === '/api/opt-outs/lift') return { lead_id: id, because: 'A mistake' }
  if (path.endsWith('/reset')) return { what: 'password' }
  return method === 'PATCH' ? { providerId, status: 'approved' } : undefined
}
const asAccount = async (overrides: Record<string, unknown>) => (await signedInStaff(database.db, overrides)).headers

/** A fingerprint of everything that a staff call could change. */
async function everything(): Promise<string> {
  const tables = ['leads', 'provider_applications', 'jobs', 'providers', 'audit_log', 'provider_syncs']
  const each = [...tables, 'staff_accounts', 'staff_sessions'].map((table) => `(select json_agg(r) from ${table} r)`)
  const { rows } = await database.db.raw(`select md5(concat(${each.join()})) as fingerprint`)
  return rows[0].fingerprint
}

type StaffCall = (typeof STAFF_CALLS)[number]
const send = (server: ApiServer, { method, path }: StaffCall, headers: Record<string, string>) =>
  server.call(method, address(path), body(method, path), headers)

/** Checks each call, and that none of them changes anything. */
async function checkRefusals(calls: StaffCall[], check: (call: StaffCall) => Promise<void>): Promise<void> {
  const before = await everything()
  await checkRows(calls, nameOf, check)
  expect({ isUnchanged: (await everything()) === before }).toEqual({ isUnchanged: true })
}

/** Checks each call on rows of its own, because it may delete them. */
async function checkEffects(calls: StaffCall[], check: (call: StaffCall) => Promise<void>): Promise<void> {
  await checkRows(calls, nameOf, async (call) => {
    await emptyDatabase(database.db)
    await createOneOfEach()
    await check(call)
  })
}
const statusAndBody = ({ status, body: answer }: ApiAnswer) => ({ status, body: answer })
const nameOf = ({ method, path }: StaffCall) => `${method} ${path}`

describe('a call for staff', () => {
  it('is every call about leads and applications but sending one, and the sync', () => {
    expect(STAFF_CALLS.map(({ method, path }) => `${method} ${path}`)).toEqual(
      expect.arrayContaining([
        'GET /api/leads',
        'GET /api/leads.csv',
        'GET /api/leads/:id',
        'GET /api/leads/:id/jobs',
        'POST /api/leads/bulk',
        'GET /api/providers.csv',
        'POST /api/leads/:id/retry-sync',
        'POST /api/leads/:id/retry-email',
        'PATCH /api/leads/:id/provider',
        'DELETE /api/leads/:id',
        'GET /api/provider-applications',
        'GET /api/provider-applications.csv',
        'PATCH /api/provider-applications/:id',
        'DELETE /api/provider-applications/:id',
        'GET /api/provider-applications/:id',
        'POST /api/provider-applications/:id/retry-email',
        'POST /api/provider-applications/:id/release',
        'POST /api/sync',
        'GET /api/sync-runs',
        'GET /api/sync-runs/:id',
        'POST /api/sync-runs/:id/approve',
      ]),
    )
  })

  it('needs a session', async () => {
    const cookies = [
      '',
      'leadwell_session=',
      'leadwell_session=forged',
      `leadwell_session=${'x'.repeat(3000)}`,
      'auth=true',
    ]
    await checkRefusals(STAFF_CALLS, async (call) => {
      const answers = await Promise.all(cookies.map((cookie) => send(api, call, cookie ? { cookie } : {})))
      const refusal = { status: 401, body: { error: 'Please sign in.', code: 'unauthorized' } }
      expect(answers.map(statusAndBody)).toEqual(cookies.map(() => refusal))
      expect(answers.map(({ headers }) => headers.get('cache-control'))).toEqual(cookies.map(() => 'no-store'))
    })
  })

  it('needs a manager, where it is theirs', async () => {
    const viewer = await asAccount({ role: 'viewer' })
    await checkRefusals(MANAGER_CALLS, async (call) => {
      const answer = await send(api, call, viewer)
      expect(statusAndBody(answer)).toMatchObject({
        status: 403,
        body: { code: 'forbidden', error: expect.stringMatching(/managers/) },
      })
      expect(answer.headers.get('cache-control')).toBe('no-store')
    })
  })

  it('is open to managers', async () => {
    await checkEffects(MANAGER_CALLS, async (call) => {
      const { status } = await send(api, call, await asAccount({ role: 'manager' }))
      expect(status).toBeOneOf([200, 201, 202, 404, 409, 422])
    })
  })

  it('is open to viewers, where it is theirs', async () => {
    await checkEffects(VIEWER_CALLS, async (call) => {
      const { status } = await send(api, call, await asAccount({ role: 'viewer' }))
      // Nobody has a second factor here.
      const isOfFactor = call.path.startsWith('/api/second-factor') && call.method !== 'GET'
      const expected = isOfFactor ? [200, 404, 409, 422] : [200, 422]
      expect(status).toBeOneOf(expected)
    })
  })

  it('is refused to another site that uses the session, if it changes something', async () => {
    const staff = await staffHeaders(database.db)
    const { port } = new URL(api.url)
    const origins = [
      'https://evil.example',
      'null',
      'http://127.0.0.1:1',
      `http://127.0.0.1.evil.example:${port}`,
      'nonsense',
    ]
    await checkRefusals(CHANGES, async (call) => {
      const answers = await Promise.all(origins.map((origin) => send(api, call, { ...staff, origin })))
      expect(answers.map(({ status, body: { code } }) => ({ status, code }))).toEqual(
        origins.map(() => ({ status: 403, code: 'forbidden' })),
      )
    })
  })

  it('is taken from the site itself', async () => {
    await checkEffects(CHANGES, async (call) => {
      // By the name that was asked for, or by its public name where a proxy asks by another.
      const origin = CHANGES.indexOf(call) % 2 ? api.url : 'http://localhost:3000'
      const { status } = await send(api, call, { ...(await staffHeaders(database.db)), origin })
      // No CRM and no WordPress are connected here: 409 is as far as it goes. 422: no body.
      expect(status).toBeOneOf([200, 201, 202, 404, 409, 422])
    })
  })

  it('knows nothing that is not there', async () => {
    const crm = await apiWith(database.app, CRM)
    const staff = await staffHeaders(database.db)
    const calls = STAFF_CALLS.filter(({ path }) => path.includes(':id'))
    await checkRows(calls, nameOf, async ({ method, path }) => {
      const missing = /^\/api\/(bulk|exports)\//.test(path) ? randomUUID() : '4242'
      const answer = await crm.call(
        method,
        path.replace(':jobId', randomUUID()).replace(/:\w+/g, missing),
        body(method, path),
        staff,
      )
      expect(statusAndBody(answer)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    })
  })
})

it.each(['0', undefined])('a change without a body needs no content type (Content-Length: %s)', async (length) => {
  const headers: Record<string, string> = await staffHeaders(database.db)
  if (length) headers['content-length'] = length
  const { status } = await rawRequest(api.url, { method: 'POST', path: `/api/leads/${id}/retry-email`, headers })
  expect(status).toBe(200)
})
