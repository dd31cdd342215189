import { describe, expect, it } from 'vitest'
import { fingerprint } from '../../core/platform/passwords.ts'
import { SessionList } from '../../core/staff/contract/session.ts'
import type { StaffRole } from '../../core/staff/contract/staff.ts'
import * as staffSessions from '../../core/staff/stores/staff-sessions.ts'
import { cookiesOf } from '../support/api-client.ts'
import { type ApiServer, apiWith, useApi } from '../support/api-server.ts'
import { STAFF_PASSWORD } from '../support/env.ts'
import { ACCOUNT_PASSWORD, createStaff, signedInStaff, staffHeaders } from '../support/factories.ts'

const { api, database } = useApi()

const signIn = (password: unknown, server = api, headers = {}) =>
  server.call('POST', '/api/session', { password }, headers)

const session = async (headers: Record<string, string> = {}) =>
  (await api.call('GET', '/api/session', undefined, headers)).body.authenticated

it('signing in opens a session that staff calls accept', async () => {
  const { status, body } = await signIn(STAFF_PASSWORD)
  const person = { id: null, name: 'Staff', email: null, role: 'manager' }
  const ways = { account: false, shared: true, single_sign_on: null }
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      authenticated: true,
      access: 'password',
      staff: person,
      time_zone: 'America/New_York',
      idle_seconds_left: 1800,
      identity_confirmed: true,
      ways,
    },
  })

  const staff = await api.signIn()
  expect(await session(staff)).toBe(true)
  expect((await api.call('GET', '/api/leads', undefined, staff)).status).toBe(200)
  expect(await session()).toBe(false)
})

describe('the session cookie', () => {
  const attributes = async (server: ApiServer, headers = {}) => {
    const answer = await signIn(STAFF_PASSWORD, server, headers)
    expect(answer.status).toBe(200)
    const cookies = answer.headers.getSetCookie().map((cookie) => cookie.toLowerCase().split('; ').slice(1))
    // Both, the session and the mark of a known browser.
    expect(cookies).toHaveLength(2)
    return cookies.reduce((all, one) => all.filter((flag) => one.includes(flag)))
  }

  it('is out of reach of scripts and of other sites', async () => {
    const flags = await attributes(api)
    expect(flags).toEqual(expect.arrayContaining(['path=/', 'httponly', 'samesite=strict']))
    expect(flags).not.toContain('secure')
  })

  it.each([
    ['behind no proxy that we trust', '0', {}],
    ['behind a proxy that says nothing about the protocol', '1', { 'x-forwarded-for': '198.51.100.9' }],
    ['behind a proxy that does', '1', { 'x-forwarded-for': '198.51.100.9', 'x-forwarded-proto': 'https' }],
  ])('is for HTTPS only where the site is (%s)', async (_, hops, headers) => {
    const secure = await apiWith(database.app, {
      PUBLIC_URL: 'https://www.leadwell.example',
      TRUST_PROXY_HOPS: hops,
    })
    const flags = await attributes(secure, headers)
    expect(flags).toEqual(expect.arrayContaining(['secure', 'httponly', 'samesite=strict', 'path=/']))
    expect(flags.join()).not.toContain('domain')
    const cookies = (await signIn(STAFF_PASSWORD, secure, headers)).headers.getSetCookie()
    const good = cookies.find((cookie) => cookie.startsWith('__Host-leadwell_session='))?.split(';')[0]
    // A neighbouring subdomain can only toss a cookie without the prefix.
    const cookie = `leadwell_session=tossed; ${good}; leadwell_session=tossed`
    expect((await secure.call('GET', '/api/leads', undefined, { ...headers, cookie })).status).toBe(200)
  })
})

it('signing in again ends the session that the browser had, and none of others', async () => {
  const [old, other] = [await api.signIn(), await api.signIn()]
  await signIn(STAFF_PASSWORD, api, old)
  expect(await Promise.all([session(old), session(other)])).toEqual([false, true])
})

describe('a session without activity', () => {
  const minutesPass = (minutes: number) =>
    database.db('staff_sessions').update({
      last_seen_at: database.db.raw(`last_seen_at - ? * interval '1 minute'`, [minutes]),
      idle_ends_at: database.db.raw(`idle_ends_at - ? * interval '1 minute'`, [minutes]),
    })
  const call = async (headers: Record<string, string>, method: string, path: string) =>
    (await api.call(method, path, undefined, headers)).status

  it('ends after 30 minutes, however often its page reads by itself', async () => {
    const staff = await api.signIn()
    await minutesPass(29)
    for (const path of ['/api/leads', '/api/overview', '/api/session', '/api/settings']) {
      expect(await call(staff, 'GET', path)).toBe(200)
    }
    await minutesPass(1)
    expect(await call(staff, 'GET', '/api/leads')).toBe(401)
    expect(await call(staff, 'POST', '/api/session/activity')).toBe(401)
  })

  it.each([
    ['POST', '/api/session/activity'],
    ['PATCH', '/api/provider-applications/1'],
  ])('goes on when the person does something: %s %s', async (method, path) => {
    const staff = await api.signIn()
    await minutesPass(29)
    await call(staff, method, path)
    expect((await api.call('GET', '/api/session', undefined, staff)).body.idle_seconds_left).toBe(1800)
    await minutesPass(29)
    expect(await session(staff)).toBe(true)
  })
})

const mails = () => database.db('jobs').pluck('purpose')

it('a sign-in to an account from a new browser is told to the owner, from a known one not', async () => {
  const { email } = await createStaff(database.db)
  const enter = (headers = {}) => api.call('POST', '/api/session', { email, password: ACCOUNT_PASSWORD }, headers)
  const known = cookiesOf(await enter())
  expect(await mails()).toEqual(['new_browser'])

  await enter(known)
  expect(await mails()).toHaveLength(1)
  await enter({ cookie: 'leadwell_device=forged.mark' })
  expect(await mails()).toHaveLength(2)
})

it('signing out ends the session on the server, not only in the browser', async () => {
  const staff = await api.signIn()
  const { status, headers, body } = await api.call('DELETE', '/api/session', undefined, staff)

  expect({ status, body }).toEqual({
    status: 200,
    body: {
      authenticated: false,
      access: 'password',
      time_zone: 'America/New_York',
      ways: { account: false, shared: true, single_sign_on: null },
    },
  })
  expect(headers.getSetCookie().join()).toMatch(/leadwell_session=;/)
  expect(await session(staff)).toBe(false)
  expect((await api.call('GET', '/api/leads', undefined, staff)).status).toBe(401)
})

it.each([
  [403, { 'sec-fetch-site': 'cross-site' }],
  [403, { 'sec-fetch-site': 'same-site' }],
  [403, { origin: 'https://localhost:3000' }],
  [403, { origin: 'http://localhost:3001' }],
  [403, { origin: 'null' }],
  [403, { origin: 'http://localhost:3000', 'sec-fetch-site': 'cross-site' }],
  [200, { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' }],
  [200, { 'sec-fetch-site': 'none' }],
  [200, {}],
])('a change that comes from elsewhere is answered %d with %j', async (status, headers: Record<string, string>) => {
  const staff = await api.signIn()
  expect((await api.call('DELETE', '/api/session', undefined, { ...staff, ...headers })).status).toBe(status)
  expect(await session(staff)).toBe(status === 403)
})

type Headers = { cookie: string }

const list = async (headers: Headers) => {
  const { status, body } = await api.call('GET', '/api/sessions', undefined, headers)
  expect(status).toBe(200)
  return SessionList.parse(body).sessions
}

const end = (id: number, headers: Headers) => api.call('DELETE', `/api/sessions/${id}`, undefined, headers)

const isOpen = async (headers: Headers) =>
  (await api.call('GET', '/api/session', undefined, headers)).body.authenticated

const signedIn = (role: StaffRole) => signedInStaff(database.db, { role })

describe('many sign-ins', () => {
  it('end the oldest sessions of an account beyond twenty, and nobody else’s', async () => {
    const [one, other] = [await signedIn('viewer'), await signedIn('viewer')]
    const second = await staffHeaders(database.db, one.id)
    for (let n = 0; n < 19; n++) await staffHeaders(database.db, one.id)
    expect(await isOpen(one.headers)).toBe(false)
    expect(await isOpen(second)).toBe(true)
    expect(await isOpen(other.headers)).toBe(true)
    expect(await list(second)).toHaveLength(20)
  })

  it('end those of the shared password at one address, and none at another', async () => {
    const sharedFingerprint = await fingerprint(STAFF_PASSWORD)
    const open = async (ip: string) => ({
      cookie: `leadwell_session=${(await staffSessions.open(database.db, { sharedFingerprint }, { device: { ip, userAgent: '' } })).token}`,
    })
    const [first, elsewhere] = [await open('198.51.100.9'), await open('203.0.113.1')]
    for (let n = 0; n < 20; n++) await open('198.51.100.9')
    expect(await isOpen(first)).toBe(false)
    expect(await isOpen(elsewhere)).toBe(true)
  })
})

describe('one’s own sessions', () => {
  const idOf = async (headers: Headers) => (await list(headers)).find(({ current }) => current)?.id ?? 0

  it('are listed, and end at once', async () => {
    const { id, email, headers } = await signedIn('viewer')
    const elsewhere = await staffHeaders(database.db, id)
    await signedIn('viewer')
    await staffHeaders(database.db)
    expect((await list(headers)).map(({ current }) => current).toSorted()).toEqual([false, true])

    const ended = await idOf(elsewhere)
    expect(await end(ended, headers)).toMatchObject({ status: 200, body: { success: true } })
    expect(await Promise.all([isOpen(headers), isOpen(elsewhere)])).toEqual([true, false])
    expect((await end(ended, headers)).status).toBe(404)
    expect(await database.db('audit_log')).toMatchObject([
      { actor: email, action: 'end-session', entity_id: String(ended) },
    ])
  })

  it('are the only ones that one can end, also for managers', async () => {
    const [viewer, manager, shared] = [
      await signedIn('viewer'),
      await signedIn('manager'),
      await staffHeaders(database.db),
    ]
    for (const [mine, theirs] of [
      [viewer.headers, manager.headers],
      [manager.headers, viewer.headers],
      [manager.headers, shared],
      [shared, manager.headers],
    ] as const) {
      expect((await end(await idOf(theirs), mine)).status).toBe(404)
      expect(await isOpen(theirs)).toBe(true)
    }
    expect(await list(shared)).toHaveLength(1)
  })
})

it('sessions of the shared password end when it is changed; those of accounts go on', async () => {
  const [shared, { headers }] = [await staffHeaders(database.db), await signedIn('viewer')]
  const changed = await apiWith(database.app, { ADMIN_PASSWORD: 'another shared one' })
  const status = async (who: Headers) => (await changed.call('GET', '/api/leads', undefined, who)).status
  expect(await Promise.all([status(shared), status(headers)])).toEqual([401, 200])
})

const switchOff = (headers: { cookie: string }) => api.call('DELETE', '/api/shared-password', undefined, headers)
const enter = () => api.call('POST', '/api/session', { password: STAFF_PASSWORD })
const ways = async () => (await api.call('GET', '/api/session')).body.ways

describe('switching the shared password off', () => {
  it('ends its sessions and opens no new ones, in every process', async () => {
    const [shared, { headers: own }] = [await staffHeaders(database.db), await signedInStaff(database.db)]
    expect((await switchOff(own)).status).toBe(200)

    expect((await api.call('GET', '/api/leads', undefined, shared)).status).toBe(401)
    expect(await enter()).toMatchObject({ status: 401, body: { error: 'Invalid password' } })
    expect(await ways()).toEqual({ account: true, shared: false, single_sign_on: null })
    expect((await api.call('GET', '/api/staff', undefined, own)).body.shared_password).toEqual({
      state: 'off',
      can_switch_off: true,
    })
    const lines = await database.db('audit_log').where('action', 'shared-password-off')
    expect(lines).toMatchObject([{ actor: expect.stringContaining('@'), entity: 'staff', entity_id: 'all' }])
  })

  it.each([
    ['nobody', null],
    ['a viewer', { role: 'viewer' as const }],
    ['a manager who has yet to choose a password', { password_hash: null }],
    ['a disabled manager', { disabled_at: '2026-01-01' }],
  ])('is refused while only %s has an account', async (_, account) => {
    if (account) await createStaff(database.db, account)
    const shared = await staffHeaders(database.db)
    expect((await api.call('GET', '/api/staff', undefined, shared)).body.shared_password).toEqual({
      state: 'on',
      can_switch_off: false,
    })
    expect((await switchOff(shared)).status).toBe(409)
    expect((await enter()).status).toBe(200)
  })
})
