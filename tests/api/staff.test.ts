import { describe, expect, it } from 'vitest'
import { Invitation, StaffAccount, StaffList } from '../../core/contract/staff.ts'
import { DAY } from '../../core/time.ts'
import { useApi } from '../support/api-server.ts'
import { ACCOUNT_PASSWORD, createStaff, staffHeaders } from '../support/factories.ts'

const { api, database } = useApi()

const NEWCOMER = { name: 'Ada Park', email: 'ada@velmora.example', role: 'viewer' }

type Headers = { cookie: string }
const call = (method: string, path: string, headers: Headers, body?: unknown) => api.call(method, path, body, headers)
const signIn = (email: string, password: string) => api.call('POST', '/api/session', { email, password })
const headersOf = (answer: { headers: globalThis.Headers }): Headers => ({
  cookie: answer.headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; '),
})
const audit = async () =>
  (await database.db('audit_log').orderBy('id')).map(({ actor, action, entity_id }) => [actor, action, entity_id])

/** A manager with an account, signed in. */
async function manager() {
  const account = await createStaff(database.db)
  return { ...account, headers: await staffHeaders(database.db, account.id) }
}

describe('a new account', () => {
  it('comes with a password that opens nothing but the choice of another', async () => {
    const { email: actor, headers } = await manager()
    const { status, body } = await call('POST', '/api/staff', headers, NEWCOMER)
    expect(status).toBe(201)
    const { account, password, password_expires_at } = Invitation.strict().parse(body)
    expect(account).toMatchObject({ ...NEWCOMER, must_change_password: true, disabled_at: null, open_sessions: 0 })
    expect(Date.parse(password_expires_at) - Date.now()).toBeGreaterThan(6 * DAY)
    expect(JSON.stringify(await database.db('staff_accounts'))).not.toContain(password)

    const first = await signIn('ADA@velmora.example', password)
    expect(first.body.staff).toEqual({ id: account.id, ...NEWCOMER, must_change_password: true })
    const ada = headersOf(first)
    expect((await call('GET', '/api/leads', ada)).status).toBe(403)
    expect((await call('GET', '/api/providers', ada)).body).toEqual([])

    const chosen = await call('POST', '/api/session/password', ada, { password, new_password: 'chosen by Ada herself' })
    expect(chosen).toMatchObject({ status: 200, body: { staff: { must_change_password: false } } })
    expect((await call('GET', '/api/leads', ada)).status).toBe(200)
    expect((await signIn(NEWCOMER.email, password)).status).toBe(401)
    expect(await audit()).toEqual([
      [actor, 'add', String(account.id)],
      [NEWCOMER.email, 'sign-in', expect.any(String)],
      [NEWCOMER.email, 'set-password', String(account.id)],
      ['unknown', 'sign-in-failed', String(account.id)],
    ])
  })

  it('is not made twice for one e-mail, however it is written', async () => {
    const { headers, email } = await manager()
    const { status, body } = await call('POST', '/api/staff', headers, { ...NEWCOMER, email: email.toUpperCase() })
    expect({ status, body }).toMatchObject({ status: 409, body: { fields: { email: expect.any(String) } } })
    expect(await database.db('staff_accounts')).toHaveLength(1)
  })

  it.each([
    ['name', { name: '' }],
    ['email', { email: 'nobody' }],
    ['email', { email: undefined }],
    ['role', { role: 'owner' }],
    ['role', { role: undefined }],
  ])('needs a good %s', async (field, wrong) => {
    const { status, body } = await call('POST', '/api/staff', (await manager()).headers, { ...NEWCOMER, ...wrong })
    expect({ status, fields: Object.keys(body.fields) }).toEqual({ status: 422, fields: [field] })
  })
})

describe('signing in with an account', () => {
  it('answers who it is, and the session says so too', async () => {
    const { id, email } = await createStaff(database.db, { name: 'Ada Park', role: 'viewer' })
    const answer = await signIn(` ${email} `, ACCOUNT_PASSWORD)
    const person = { id, name: 'Ada Park', email, role: 'viewer', must_change_password: false }
    expect(answer).toMatchObject({
      status: 200,
      body: { authenticated: true, access: 'password', staff: person, time_zone: 'America/New_York' },
    })

    const session = await call('GET', '/api/session', headersOf(answer))
    expect(session.body).toEqual({
      authenticated: true,
      access: 'password',
      staff: person,
      time_zone: 'America/New_York',
    })
    expect(session.headers.get('cache-control')).toBe('no-store')
  })

  it('is refused in the same words whatever is wrong', async () => {
    const { email } = await createStaff(database.db)
    const disabled = await createStaff(database.db, { disabled_at: database.db.fn.now() })
    const expired = await createStaff(database.db, { password_expires_at: '2020-01-01' })
    const attempts = [
      [email, 'wrong'],
      ['nobody@velmora.example', ACCOUNT_PASSWORD],
      [disabled.email, ACCOUNT_PASSWORD],
      [expired.email, ACCOUNT_PASSWORD],
    ] as const
    for (const [address, password] of attempts) {
      const { status, headers, body } = await signIn(address, password)
      expect({ status, body }).toEqual({ status: 401, body: { error: 'Invalid password', code: 'unauthorized' } })
      expect(headers.getSetCookie()).toEqual([])
    }
    expect(await database.db('staff_sessions')).toEqual([])
    expect((await signIn('no e-mail', 'wrong')).status).toBe(422)
  })

  it('does not open an account with the shared password, nor the other way round', async () => {
    const { email } = await createStaff(database.db)
    expect((await signIn(email, 'a password for tests')).status).toBe(401)
    expect((await api.call('POST', '/api/session', { password: ACCOUNT_PASSWORD })).status).toBe(401)
    expect((await api.call('POST', '/api/session', { email: '', password: 'a password for tests' })).status).toBe(200)
  })
})

describe('GET /api/staff', () => {
  it('lists every account, without anything of its password', async () => {
    const { headers, id } = await manager()
    await createStaff(database.db, { name: 'A former colleague', disabled_at: database.db.fn.now() })
    const { body } = await call('GET', '/api/staff', headers)

    const { staff } = StaffList.parse(body)
    expect(staff.map(({ disabled_at }) => disabled_at !== null)).toEqual([false, true])
    expect(staff[0]).toMatchObject({ id, open_sessions: 1, last_seen_at: expect.any(String) })
    expect(JSON.stringify(body)).not.toMatch(/scrypt|hash/)
    for (const account of body.staff) StaffAccount.strict().parse(account)
  })
})

describe('PATCH /api/staff/{id}', () => {
  it('changes name and role, at once for those who are signed in', async () => {
    const { headers, email: actor } = await manager()
    const { id } = await createStaff(database.db, { role: 'manager' })
    const changed = await staffHeaders(database.db, id)
    const { status, body } = await call('PATCH', `/api/staff/${id}`, headers, { name: 'Ada Park', role: 'viewer' })

    expect({ status, body }).toMatchObject({
      status: 200,
      body: { name: 'Ada Park', role: 'viewer', open_sessions: 1 },
    })
    expect((await call('GET', '/api/staff', changed)).status).toBe(403)
    expect(await audit()).toEqual([[actor, 'change', String(id)]])
    expect((await call('PATCH', `/api/staff/${id}`, headers, {})).status).toBe(200)
    expect(await audit()).toHaveLength(1)
  })

  it('disables: every session ends and none opens, until it is enabled again', async () => {
    const { headers } = await manager()
    const { id, email } = await createStaff(database.db)
    const disabled = await staffHeaders(database.db, id)
    const { body } = await call('PATCH', `/api/staff/${id}`, headers, { disabled: true })

    expect(body).toMatchObject({ disabled_at: expect.any(String), open_sessions: 0 })
    expect((await call('GET', '/api/leads', disabled)).status).toBe(401)
    expect((await signIn(email, ACCOUNT_PASSWORD)).status).toBe(401)
    await call('PATCH', `/api/staff/${id}`, headers, { disabled: false })
    expect((await call('GET', '/api/leads', disabled)).status).toBe(401)
    expect((await signIn(email, ACCOUNT_PASSWORD)).status).toBe(200)
  })

  it.each([{ disabled: true }, { role: 'viewer' }])('lets nobody do %j to themselves', async (update) => {
    const { headers, id } = await manager()
    expect(await call('PATCH', `/api/staff/${id}`, headers, update)).toMatchObject({ status: 409 })
    expect((await call('PATCH', `/api/staff/${id}`, headers, { name: 'A new name' })).status).toBe(200)
    expect((await call('GET', '/api/staff', headers)).status).toBe(200)
  })

  it('always leaves one manager, even if two disable each other at the same time', async () => {
    const [one, other] = [await manager(), await manager()]
    const answers = await Promise.all([
      call('PATCH', `/api/staff/${other.id}`, one.headers, { disabled: true }),
      call('PATCH', `/api/staff/${one.id}`, other.headers, { disabled: true }),
    ])
    // The second is refused in its transaction, or has no session any more.
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await database.db('staff_accounts').whereNull('disabled_at')).toHaveLength(1)
  })
})

describe('POST /api/staff/{id}/reset-password', () => {
  it('gives a password for choosing another, and ends the sessions', async () => {
    const { headers } = await manager()
    const { id, email } = await createStaff(database.db)
    const old = await staffHeaders(database.db, id)
    const { status, body } = await call('POST', `/api/staff/${id}/reset-password`, headers)

    expect(status).toBe(200)
    expect((await call('GET', '/api/leads', old)).status).toBe(401)
    expect((await signIn(email, ACCOUNT_PASSWORD)).status).toBe(401)
    expect((await signIn(email, Invitation.parse(body).password)).body.staff.must_change_password).toBe(true)
  })
})

describe('POST /api/session/password', () => {
  const change = (headers: Headers, password: string, new_password: string) =>
    call('POST', '/api/session/password', headers, { password, new_password })

  it('ends the other sessions of the account, and no others', async () => {
    const { id, headers } = await manager()
    const [elsewhere, colleague] = [await staffHeaders(database.db, id), (await manager()).headers]
    expect((await change(headers, ACCOUNT_PASSWORD, 'another one of my own')).status).toBe(200)

    const statuses = [headers, elsewhere, colleague].map(async (who) => (await call('GET', '/api/leads', who)).status)
    expect(await Promise.all(statuses)).toEqual([200, 401, 200])
  })

  it('needs the old password and a good new one', async () => {
    const { headers } = await manager()
    const fields = async (...passwords: [string, string]) => {
      const { status, body } = await change(headers, ...passwords)
      return { status, fields: Object.keys(body.fields ?? {}) }
    }
    expect(await fields('wrong', 'another one of my own')).toEqual({ status: 422, fields: ['password'] })
    for (const weak of ['', 'elevenchars', 'x'.repeat(201), 'aaaaaaaaaaaabb', ACCOUNT_PASSWORD]) {
      expect(await fields(ACCOUNT_PASSWORD, weak)).toEqual({ status: 422, fields: ['new_password'] })
    }
    expect((await call('GET', '/api/leads', headers)).status).toBe(200)
  })

  it('cannot be used to guess the old one', async () => {
    const { headers } = await manager()
    for (let n = 0; n < 10; n++) await change(headers, 'wrong', 'another one of my own')
    expect((await change(headers, ACCOUNT_PASSWORD, 'another one of my own')).status).toBe(429)
  })

  it('is not for the shared password', async () => {
    const shared = await staffHeaders(database.db)
    expect((await change(shared, 'a password for tests', 'another one of ours')).status).toBe(409)
  })
})
