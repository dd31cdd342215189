import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ApiServer, startApiServer } from '../support/api-server.ts'
import { emptyDatabase, useDatabase } from '../support/database.ts'
import { STAFF_PASSWORD } from '../support/env.ts'

const database = useDatabase()
let api: ApiServer
beforeEach(async () => {
  api = await startApiServer(database.db)
})
afterEach(async () => {
  await api.close()
  await emptyDatabase(database.db)
})

const signIn = (password: unknown, server = api, headers = {}) =>
  server.call('POST', '/api/session', { password }, headers)
const session = async (headers: Record<string, string> = {}) =>
  (await api.call('GET', '/api/session', undefined, headers)).body.authenticated

describe('signing in', () => {
  it('opens a session that staff calls accept', async () => {
    const { status, body } = await signIn(STAFF_PASSWORD)
    const person = { id: null, name: 'Staff', email: null, role: 'manager', must_change_password: false }
    expect({ status, body }).toEqual({
      status: 200,
      body: { authenticated: true, access: 'password', staff: person, time_zone: 'America/New_York' },
    })

    const staff = await api.signIn()
    expect(await session(staff)).toBe(true)
    expect((await api.call('GET', '/api/leads', undefined, staff)).status).toBe(200)
    expect(await session()).toBe(false)
  })

  it.each(['wrong', `${STAFF_PASSWORD} `, STAFF_PASSWORD.toUpperCase(), STAFF_PASSWORD.slice(0, -1), 'x'.repeat(200)])(
    'refuses the password %j',
    async (password) => {
      const { status, headers, body } = await signIn(password)
      expect({ status, body }).toEqual({ status: 401, body: { error: 'Invalid password', code: 'unauthorized' } })
      expect(headers.getSetCookie()).toEqual([])
      expect(await database.db('staff_sessions')).toEqual([])
    },
  )

  it.each([undefined, null, '', 5, [STAFF_PASSWORD], { $ne: '' }, 'x'.repeat(201)])(
    'refuses %j as no password at all',
    async (password) => {
      expect(await signIn(password)).toMatchObject({ status: 422, body: { fields: { password: expect.any(String) } } })
    },
  )

  it('is refused to the page of another site', async () => {
    expect((await signIn(STAFF_PASSWORD, api, { origin: 'https://evil.example' })).status).toBe(403)
  })
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
    const secure = await startApiServer(database.db, {
      PUBLIC_URL: 'https://www.velmora.example',
      TRUST_PROXY_HOPS: hops,
    })
    try {
      expect(await attributes(secure, headers)).toEqual(
        expect.arrayContaining(['secure', 'httponly', 'samesite=strict']),
      )
    } finally {
      await secure.close()
    }
  })
})

describe('signing out', () => {
  it('ends the session on the server, not only in the browser', async () => {
    const staff = await api.signIn()
    const { status, headers, body } = await api.call('DELETE', '/api/session', undefined, staff)

    expect({ status, body }).toEqual({
      status: 200,
      body: { authenticated: false, access: 'password', time_zone: 'America/New_York' },
    })
    expect(headers.getSetCookie().join()).toMatch(/leadwell_session=;/)
    expect(await session(staff)).toBe(false)
    expect((await api.call('GET', '/api/leads', undefined, staff)).status).toBe(401)
  })

  it('leaves the sessions of others open', async () => {
    const [one, other] = [await api.signIn(), await api.signIn()]
    await api.call('DELETE', '/api/session', undefined, one)
    expect(await session(other)).toBe(true)
  })

  it('is no error without a session', async () => {
    expect((await api.call('DELETE', '/api/session')).status).toBe(200)
  })

  it('is refused to the page of another site', async () => {
    const staff = await api.signIn()
    expect(
      (await api.call('DELETE', '/api/session', undefined, { ...staff, origin: 'https://evil.example' })).status,
    ).toBe(403)
    expect(await session(staff)).toBe(true)
  })
})

describe('a session that has expired', () => {
  it('is no session', async () => {
    const staff = await api.signIn()
    await database.db('staff_sessions').update({ expires_at: database.db.raw(`now() - interval '1 second'`) })
    expect(await session(staff)).toBe(false)
  })
})
