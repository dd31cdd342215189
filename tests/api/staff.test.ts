import { scryptSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { MIN_RESET_TIME } from '../../api/routes/session.ts'
import { StaffAccount, StaffList } from '../../core/staff/contract/staff.ts'
import * as accounts from '../../core/staff/stores/staff-accounts.ts'
import { cookiesOf } from '../support/api-client.ts'
import { useApi } from '../support/api-server.ts'
import { ACCOUNT_PASSWORD, createStaff, signedInStaff } from '../support/factories.ts'
import { found } from '../support/found.ts'

const { api, database } = useApi()

const NEWCOMER = { name: 'Ada Park', email: 'ada@leadwell.example', role: 'viewer' }

type Headers = { cookie: string }
const call = (method: string, path: string, headers: Headers, body?: unknown) => api.call(method, path, body, headers)
const signIn = (email: string, password: string) => api.call('POST', '/api/session', { email, password })
const choose = (token: string, new_password: string) =>
  api.call('POST', '/api/session/link/password', { token, new_password })
/** What the worker does when it sends the email. */
async function mailedToken(accountId: number): Promise<string> {
  const { purpose } = found(await database.db('one_time_tokens').where('account_id', accountId).first('purpose'))
  return (await accounts.makeToken(database.db, accountId, purpose as accounts.LinkKind))?.token ?? ''
}
const audit = async () =>
  (await database.db('audit_log').orderBy('id')).map(({ actor, action, entity_id }) => [actor, action, entity_id])

const manager = () => signedInStaff(database.db)

describe('a new account', () => {
  it('is its owner’s from the start: the manager sees neither password nor link', async () => {
    const { email: actor, headers } = await manager()
    const { status, body } = await call('POST', '/api/staff', headers, NEWCOMER)
    expect(status).toBe(201)
    const account = StaffAccount.strict().parse(body)
    const link = { kind: 'invitation', state: 'sending', expires_at: null, error: null }
    expect(account).toMatchObject({ ...NEWCOMER, has_password: false, link, disabled_at: null, open_sessions: 0 })
    expect(await database.db('jobs')).toMatchObject([
      { subject_kind: 'account', subject_id: account.id, purpose: 'invitation' },
    ])
    expect((await signIn(NEWCOMER.email, '')).status).toBe(422)

    const token = await mailedToken(account.id)
    expect(JSON.stringify(await database.db('one_time_tokens'))).not.toContain(token)
    const asked = await api.call('POST', '/api/session/link', { token })
    expect(asked.body).toEqual({
      kind: 'invitation',
      name: NEWCOMER.name,
      email: NEWCOMER.email,
      expires_at: expect.any(String),
    })
    const chosen = await choose(token, 'chosen by Ada herself')
    expect(chosen.body).toMatchObject({ authenticated: true, staff: { id: account.id, ...NEWCOMER } })
    expect((await call('GET', '/api/leads', cookiesOf(chosen))).status).toBe(200)
    expect((await signIn(NEWCOMER.email, 'chosen by Ada herself')).status).toBe(200)
    expect((await audit()).slice(0, 3)).toEqual([
      [actor, 'add', String(account.id)],
      [NEWCOMER.email, 'set-password', String(account.id)],
      [NEWCOMER.email, 'sign-in', expect.any(String)],
    ])
  })

  it('is not made twice for one email, however it is written', async () => {
    const { headers, email } = await manager()
    const { status, body } = await call('POST', '/api/staff', headers, { ...NEWCOMER, email: email.toUpperCase() })
    expect({ status, body }).toMatchObject({ status: 409, body: { fields: { email: expect.any(String) } } })
    expect(await database.db('staff_accounts')).toHaveLength(1)
  })
})

describe('signing in with an account', () => {
  it('answers who it is, and the session says so too', async () => {
    const { id, email } = await createStaff(database.db, { name: 'Ada Park', role: 'viewer' })
    const answer = await signIn(` ${email} `, ACCOUNT_PASSWORD)
    const person = { id, name: 'Ada Park', email, role: 'viewer' }
    expect(answer).toMatchObject({
      status: 200,
      body: { authenticated: true, access: 'password', staff: person, time_zone: 'America/New_York' },
    })

    const session = await call('GET', '/api/session', cookiesOf(answer))
    expect(session.body).toEqual({
      authenticated: true,
      access: 'password',
      staff: person,
      time_zone: 'America/New_York',
      idle_seconds_left: expect.any(Number),
      identity_confirmed: true,
      ways: { account: true, shared: true, single_sign_on: null },
      two_step: false,
      lacks_factor: false,
    })
    expect(session.headers.get('cache-control')).toBe('no-store')
  })

  it('replaces the hash of a password that scrypt made', async () => {
    const [salt, base64] = [Buffer.alloc(16, 1), (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')]
    const old = base64(scryptSync(ACCOUNT_PASSWORD, salt, 32, { N: 2 ** 4, r: 8, p: 1 }))
    const password_hash = `$scrypt$ln=4,r=8,p=1$${base64(salt)}$${old}`
    const { id, email } = await createStaff(database.db, { password_hash })
    expect((await signIn(email, 'wrong')).status).toBe(401)
    for (const _ of ['old', 'new']) expect((await signIn(email, ACCOUNT_PASSWORD)).status).toBe(200)
    const account = await database.db('staff_accounts').where({ id }).first('password_hash')
    expect(account?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect((await signIn(email, 'wrong')).status).toBe(401)
  })

  it('is refused in the same words whatever is wrong', async () => {
    const { email } = await createStaff(database.db)
    const disabled = await createStaff(database.db, { disabled_at: database.db.fn.now() })
    const invited = await createStaff(database.db, { password_hash: null })
    const attempts = [
      [email, 'wrong'],
      ['nobody@leadwell.example', ACCOUNT_PASSWORD],
      [disabled.email, ACCOUNT_PASSWORD],
      [invited.email, ACCOUNT_PASSWORD],
    ] as const
    for (const [address, password] of attempts) {
      const { status, headers, body } = await signIn(address, password)
      expect({ status, body }).toEqual({ status: 401, body: { error: 'Invalid password', code: 'unauthorized' } })
      expect(headers.getSetCookie()).toEqual([])
    }
    expect(await database.db('staff_sessions')).toEqual([])
    expect((await signIn('no email', 'wrong')).status).toBe(422)
  })
})

it('GET /api/staff lists every account, without anything of its password', async () => {
  const { headers, id } = await manager()
  await createStaff(database.db, { name: 'A former colleague', disabled_at: database.db.fn.now() })
  const { body } = await call('GET', '/api/staff', headers)

  const { staff } = StaffList.parse(body)
  expect(staff.map(({ disabled_at }) => disabled_at !== null)).toEqual([false, true])
  expect(staff[0]).toMatchObject({ id, open_sessions: 1, last_seen_at: expect.any(String) })
  expect(JSON.stringify(body)).not.toMatch(/argon2|scrypt|hash|token/)
  for (const account of body.staff) StaffAccount.strict().parse(account)
})

describe('PATCH /api/staff/{id}', () => {
  it('changes name and role, at once for those who are signed in', async () => {
    const { headers, email: actor } = await manager()
    const { id, headers: changed } = await manager()
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
    const { id, email, headers: disabled } = await manager()
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
    // The second is refused in its transaction, or has lost its session.
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await database.db('staff_accounts').whereNull('disabled_at')).toHaveLength(1)
  })
})

describe('a link to choose a password', () => {
  it('works once, also for two who use it at the same time', async () => {
    const { id } = await createStaff(database.db, { password_hash: null })
    await database.db('one_time_tokens').insert({ account_id: id, purpose: 'invitation', requested_by: 'staff' })
    const token = await mailedToken(id)
    const both = await Promise.all([choose(token, 'chosen by Ada herself'), choose(token, 'chosen by a thief first')])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 404])
    expect((await choose(token, 'chosen once more, too late')).body.error).toMatch(/no longer works/)
  })

  it('ends with the next one, when its time is over, and when the account is disabled', async () => {
    const { headers } = await manager()
    const { body: account } = await call('POST', '/api/staff', headers, NEWCOMER)
    const first = await mailedToken(account.id)
    await call('POST', `/api/staff/${account.id}/reset`, headers, { what: 'password' })
    expect((await choose(first, 'chosen by Ada herself')).status).toBe(404)

    const second = await mailedToken(account.id)
    await database.db('one_time_tokens').update({ expires_at: database.db.raw(`now() - interval '1 second'`) })
    expect((await choose(second, 'chosen by Ada herself')).status).toBe(404)

    const third = await mailedToken(account.id)
    await call('PATCH', `/api/staff/${account.id}`, headers, { disabled: true })
    expect((await choose(third, 'chosen by Ada herself')).status).toBe(404)
    expect(await accounts.makeToken(database.db, account.id, 'invitation')).toBeNull()
  })

  it('is not spent by a password that is refused', async () => {
    const { headers } = await manager()
    const { body: account } = await call('POST', '/api/staff', headers, NEWCOMER)
    const token = await mailedToken(account.id)
    expect((await choose(token, 'short')).status).toBe(422)
    const weak = await choose(token, 'AdaParkAdaPark1!')
    expect(weak.body.fields).toEqual({ new_password: expect.stringMatching(/Use four or more words/) })
    expect((await choose(token, 'chosen by Ada herself')).status).toBe(200)
  })
})

describe('POST /api/staff/{id}/reset', () => {
  const reset = (id: number, headers: Headers) => call('POST', `/api/staff/${id}/reset`, headers, { what: 'password' })

  it('mails a link to the owner alone, and ends password and sessions', async () => {
    const { headers, email: actor } = await manager()
    const { id, email, headers: old } = await manager()
    const { status, body } = await reset(id, headers)

    expect({ status, body }).toMatchObject({
      status: 200,
      body: { has_password: false, link: { kind: 'reset', state: 'sending' }, open_sessions: 0 },
    })
    expect(Object.keys(body)).not.toContain('password')
    expect((await call('GET', '/api/leads', old)).status).toBe(401)
    expect((await signIn(email, ACCOUNT_PASSWORD)).status).toBe(401)

    expect((await choose(await mailedToken(id), 'chosen by its owner again')).status).toBe(200)
    expect(await database.db('jobs').orderBy('created_at').pluck('purpose')).toEqual(['reset', 'password_changed'])
    expect((await audit()).slice(0, 1)).toEqual([[actor, 'reset-password', String(id)]])
  })

  it('ends the sessions alone of a colleague, if that is asked for', async () => {
    const { headers, email: actor } = await manager()
    const { id, email, headers: old } = await manager()
    const { body } = await call('POST', `/api/staff/${id}/reset`, headers, { what: 'sessions' })
    expect(body).toMatchObject({ open_sessions: 0, has_password: true, link: null })
    expect((await call('GET', '/api/leads', old)).status).toBe(401)
    expect((await signIn(email, ACCOUNT_PASSWORD)).status).toBe(200)
    expect(await audit()).toContainEqual([actor, 'end-session', String(id)])
  })

  it('is refused for one’s own account: a stolen session does not become a stolen account', async () => {
    const { headers, id, email } = await manager()
    expect(await reset(id, headers)).toMatchObject({ status: 409 })
    expect((await signIn(email, ACCOUNT_PASSWORD)).status).toBe(200)
    expect(await database.db('one_time_tokens')).toEqual([])
  })
})

describe('a link that its owner asks for', () => {
  const ask = (email: string) => api.call('POST', '/api/session/reset', { email })
  const links = () => database.db('one_time_tokens').pluck('account_id')

  it('is mailed to the owner alone, and ends password and sessions when it is used, once', async () => {
    const { id, email, headers: signedIn } = await manager()
    expect((await ask(` ${email.toUpperCase()}`)).body).toEqual({ success: true })
    expect((await call('GET', '/api/leads', signedIn)).status).toBe(200)
    expect((await signIn(email, ACCOUNT_PASSWORD)).status).toBe(200)

    const token = await mailedToken(id)
    expect((await choose(token, 'chosen by its owner again')).body).toMatchObject({
      authenticated: true,
      staff: { id },
    })
    expect((await call('GET', '/api/leads', signedIn)).status).toBe(401)
    expect((await signIn(email, ACCOUNT_PASSWORD)).status).toBe(401)
    expect((await choose(token, 'chosen by a thief later')).status).toBe(404)
    const purposes = await database.db('jobs').orderBy('created_at').pluck('purpose')
    expect(purposes.filter((purpose) => purpose !== 'new_browser')).toEqual(['reset', 'password_changed'])
    expect((await audit()).filter(([, action]) => action !== 'sign-in')).toMatchObject([
      ['unknown', 'request-reset', String(id)],
      [email, 'set-password', String(id)],
      ['unknown', 'sign-in-failed', String(id)],
    ])
  })

  it('is answered in the same words and time without such an account, which gets none', async () => {
    const known = await createStaff(database.db)
    const disabled = await createStaff(database.db, { disabled_at: database.db.fn.now() })
    const neverHadPassword = await createStaff(database.db, { password_hash: null })
    const emails = [known, disabled, neverHadPassword].map(({ email }) => email)
    for (const email of [...emails, 'nobody@leadwell.example']) {
      const startedAt = performance.now()
      const { status, body, headers } = await ask(email)
      // A timer may fire a millisecond early.
      expect(performance.now() - startedAt).toBeGreaterThanOrEqual(MIN_RESET_TIME - 2)
      expect([status, body, headers.getSetCookie()]).toEqual([200, { success: true }, []])
    }
    expect(await links()).toEqual([known.id])
    expect(await database.db('jobs').pluck('subject_id')).toEqual([known.id])
  })

  it('is sent again while the link of a manager is open', async () => {
    const [{ headers }, { id, email }] = [await manager(), await createStaff(database.db)]
    await call('POST', `/api/staff/${id}/reset`, headers, { what: 'password' })
    const first = await mailedToken(id)
    await ask(email)
    expect((await choose(first, 'chosen by its owner again')).status).toBe(404)
    expect((await choose(await mailedToken(id), 'chosen by its owner again')).status).toBe(200)
  })

  it.each([
    ['three an hour for one email, known or not', 3, (_: number, email: string) => email],
    ['ten an hour from one address', 10, (n: number) => `somebody${n}@leadwell.example`],
  ])('is limited to %s', async (_, max, emailOf) => {
    const { email } = await createStaff(database.db)
    for (const each of [email, 'nobody@leadwell.example'].slice(0, max === 3 ? 2 : 1)) {
      const asked = Array.from({ length: max + 1 }, (_, n) => ask(emailOf(n, each)))
      const statuses = (await Promise.all(asked)).map(({ status }) => status)
      expect(statuses.toSorted()).toEqual([...Array(max).fill(200), 429])
    }
    expect(JSON.stringify(await database.db('sign_in_attempts'))).not.toContain('@')
  })
})
