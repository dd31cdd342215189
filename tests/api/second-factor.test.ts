import { describe, expect, it, onTestFinished } from 'vitest'
import { CALLS } from '../../core/contract/calls.ts'
import { SecondFactor } from '../../core/contract/second-factor.ts'
import * as links from '../../core/stores/staff-links.ts'
import { MINUTE } from '../../core/time.ts'
import { startApiServer, useApi } from '../support/api-server.ts'
import { Authenticator } from '../support/authenticator.ts'
import { type CookieBrowser, codeOf, openBrowser } from '../support/cookie-browser.ts'
import { ACCOUNT_PASSWORD, createStaff, staffHeaders } from '../support/factories.ts'

const { api, database } = useApi()

const status = async (browser: CookieBrowser, path = '/api/leads') => (await browser.call('GET', path)).status
const jobs = () => database.db('jobs').orderBy('created_at').pluck('purpose')
const audit = async () =>
  (await database.db('audit_log').orderBy('id')).map(({ action, details }) => [action, details.kind ?? details.factor])
/** As if the time step of the last code was over. */
const codesAreFresh = () => database.db('staff_totp').update({ last_step: 0 })

/** A browser in which an account is signed in. */
async function signedIn(overrides: Record<string, unknown> = {}) {
  const account = await createStaff(database.db, overrides)
  const browser = openBrowser(api)
  await browser.signIn(account.email)
  return { ...account, browser }
}

/** The same with an authenticator app, whose next code is taken. */
async function withApp(overrides: Record<string, unknown> = {}) {
  const account = await signedIn(overrides)
  const app = await account.browser.addApp()
  await codesAreFresh()
  return { ...account, ...app }
}

/** A browser that has given the right password, and waits for the second step. */
async function halfway(email: string) {
  const browser = openBrowser(api)
  return { browser, answer: await browser.signIn(email) }
}

describe('turning on an authenticator app', () => {
  it('takes a code of it, gives recovery codes once, and tells the owner', async () => {
    const { browser, id } = await signedIn()
    const { body: setup } = await browser.call('POST', '/api/second-factor/totp')
    expect(setup.uri).toContain(setup.secret)
    const confirm = (code: string) => browser.call('POST', '/api/second-factor/totp/confirm', { code })
    expect(await confirm('000000')).toMatchObject({ status: 422, body: { fields: { code: expect.any(String) } } })
    expect((await confirm('٠٨١٨٠٤')).status).toBe(422)

    const { body } = await confirm(` ${codeOf(setup.secret).replace(/^.../, '$& ')}`)
    expect(body.recovery_codes).toHaveLength(10)
    const own = SecondFactor.strict().parse((await browser.call('GET', '/api/second-factor')).body)
    expect(own).toMatchObject({ required: false, totp_since: expect.any(String), recovery_codes_left: 10 })
    expect(await jobs()).toContain('new_factor')
    expect(await audit()).toContainEqual(['add-factor', 'totp'])
    expect((await browser.call('GET', '/api/staff')).body.staff).toMatchObject([{ id, factors: ['totp'] }])
  })

  it('does not change how one signs in until it was confirmed', async () => {
    const { browser, email } = await signedIn()
    await browser.call('POST', '/api/second-factor/totp')
    expect((await halfway(email)).answer.body.authenticated).toBe(true)
  })

  it('leaves neither secret nor recovery code in the database', async () => {
    const { secret, recoveryCodes } = await withApp()
    const tables = ['staff_totp', 'staff_recovery_codes', 'audit_log', 'jobs']
    const { rows } = await database.db.raw(
      tables
        .map((table) => `select encode(convert_to(t::text, 'UTF8'), 'escape') as text from ${table} t`)
        .join(' union all '),
    )
    const stored = rows.map(({ text }: { text: string }) => text).join()
    const hex = Buffer.from(secret).toString('hex')
    for (const text of [secret, hex, ...recoveryCodes]) expect(stored).not.toContain(text)
  })

  it('ends the other sessions of the account, and copies of this one', async () => {
    const { id, browser } = await signedIn()
    const other = await staffHeaders(database.db, id)
    const copy = { cookie: `leadwell_session=${browser.cookies.get('leadwell_session')}` }
    await browser.addApp()
    expect((await api.call('GET', '/api/leads', undefined, other)).status).toBe(401)
    expect((await api.call('GET', '/api/leads', undefined, copy)).status).toBe(401)
    expect(await status(browser)).toBe(200)
  })

  it('cannot replace one that is on', async () => {
    const { browser } = await withApp()
    expect((await browser.call('POST', '/api/second-factor/totp')).status).toBe(409)
  })
})

describe('signing in to an account with an authenticator app', () => {
  it('takes password and code', async () => {
    const { email, secret } = await withApp()
    const { browser, answer } = await halfway(email)
    expect(answer).toMatchObject({ status: 200, body: { authenticated: false, second_step: ['totp'] } })
    expect((await browser.call('GET', '/api/session')).body).toMatchObject({ second_step: ['totp'] })

    const done = await browser.secondStep({ code: codeOf(secret) })
    expect(done).toMatchObject({ status: 200, body: { authenticated: true, staff: { email }, factors: ['totp'] } })
    expect(await status(browser)).toBe(200)
    expect(browser.cookies.has('leadwell_sign_in')).toBe(false)
    expect(await audit()).toContainEqual(['sign-in', 'totp'])
  })

  it('opens nothing, leaves no session and marks no browser before the second step', async () => {
    const { email, id } = await withApp()
    await database.db('staff_sessions').delete()
    const { browser, answer } = await halfway(email)
    expect([...browser.cookies.keys()]).toEqual(['leadwell_sign_in'])
    expect(answer.body.staff).toBeUndefined()
    expect(await database.db('staff_sessions')).toEqual([])

    const token = String(browser.cookies.get('leadwell_sign_in'))
    const calls = CALLS.filter(({ access }) => access !== 'public')
    for (const cookie of [`leadwell_sign_in=${token}`, `leadwell_session=${token}`]) {
      for (const { method, path } of calls) {
        const address = path.replace(/\{\w+\}/, String(id))
        expect((await api.call(method.toUpperCase(), address, undefined, { cookie })).status, path).toBe(401)
      }
    }
  })

  it('refuses a code that was used, also by two at the same time', async () => {
    const { email, secret } = await withApp()
    const code = codeOf(secret)
    const both = [(await halfway(email)).browser, (await halfway(email)).browser]
    const answers = await Promise.all(both.map((browser) => browser.secondStep({ code })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422])
    expect((await (await halfway(email)).browser.secondStep({ code })).status).toBe(422)
  })

  it('opens one session, whatever is sent at the same time', async () => {
    const { email, secret, recoveryCodes } = await withApp()
    await database.db('staff_sessions').delete()
    const { browser } = await halfway(email)
    const proofs = [{ code: codeOf(secret) }, ...recoveryCodes.slice(0, 3).map((recovery_code) => ({ recovery_code }))]
    const answers = await Promise.all(proofs.map(browser.secondStep))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await database.db('staff_sessions')).toHaveLength(1)
  })

  it('starts over after five wrong codes', async () => {
    const { email, secret } = await withApp()
    const { browser } = await halfway(email)
    const statuses: number[] = []
    for (let n = 0; n < 5; n++) statuses.push((await browser.secondStep({ code: '000000' })).status)
    expect(statuses).toEqual([422, 422, 422, 422, 401])
    expect((await browser.secondStep({ code: codeOf(secret) })).status).toBe(401)
    expect((await browser.call('GET', '/api/session')).body.second_step).toBeUndefined()
    const again = await halfway(email)
    expect((await again.browser.secondStep({ code: codeOf(secret) })).status).toBe(200)
  })

  it('looks at no more than ten wrong codes an hour, in however many sign-ins, and logs them', async () => {
    const { email, secret, recoveryCodes } = await withApp()
    for (let n = 0; n < 10; n++) await (await halfway(email)).browser.secondStep({ code: '000000' })
    const { browser } = await halfway(email)
    const refused = await browser.secondStep({ code: codeOf(secret) })
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect((await browser.secondStep({ recovery_code: recoveryCodes[0] })).status).toBe(429)
    const lines = await database.db('audit_log').where('action', 'sign-in-failed').orderBy('id').pluck('details')
    expect(lines).toEqual([1, 3, 10].map((count) => ({ count, wrong: 'code' })))
  })

  it('expires after ten minutes', async () => {
    const { email, secret } = await withApp()
    const { browser } = await halfway(email)
    await database.db('staff_pending_sign_ins').update({ expires_at: database.db.fn.now() })
    expect((await browser.secondStep({ code: codeOf(secret) })).status).toBe(401)
  })

  it('ends when the password is changed or the account disabled meanwhile', async () => {
    const { email, secret, browser: own, id } = await withApp()
    const { browser } = await halfway(email)
    await own.call('POST', '/api/session/password', {
      password: ACCOUNT_PASSWORD,
      new_password: 'another one of my own',
    })
    expect((await browser.secondStep({ code: codeOf(secret) })).status).toBe(401)

    const later = openBrowser(api)
    await later.signIn(email, 'another one of my own')
    await database.db('staff_accounts').where({ id }).update({ disabled_at: database.db.fn.now() })
    expect((await later.secondStep({ code: codeOf(secret) })).status).toBe(401)
  })

  it('takes no code of somebody else, and no more than one thing at once', async () => {
    const [ada, ben] = [await withApp(), await withApp()]
    const { browser } = await halfway(ada.email)
    expect((await browser.secondStep({ code: codeOf(ben.secret) })).status).toBe(422)
    expect((await browser.secondStep({ recovery_code: ben.recoveryCodes[0] })).status).toBe(422)
    expect((await browser.secondStep({})).status).toBe(422)
    const two = { code: codeOf(ada.secret), recovery_code: ada.recoveryCodes[0] }
    expect((await browser.secondStep(two)).status).toBe(422)
  })

  it('takes a recovery code, each once', async () => {
    const { email, recoveryCodes } = await withApp()
    const { browser } = await halfway(email)
    const [code = ''] = recoveryCodes
    expect((await browser.secondStep({ recovery_code: code.toUpperCase().replace('-', '') })).status).toBe(200)
    expect((await (await halfway(email)).browser.secondStep({ recovery_code: code })).status).toBe(422)
    expect((await browser.call('GET', '/api/second-factor')).body.recovery_codes_left).toBe(9)
    expect(await audit()).toContainEqual(['sign-in', 'recovery_code'])
  })

  it('takes the second step also after a link to choose a password: a mailbox alone opens nothing', async () => {
    const { id, secret } = await withApp()
    const manager = await signedIn()
    await manager.browser.call('POST', `/api/staff/${id}/reset-password`)
    const token = (await links.makeToken(database.db, id, 'reset'))?.token
    const browser = openBrowser(api)
    const new_password = 'chosen by its owner again'
    const chosen = await browser.call('POST', '/api/session/link/password', { token, new_password })
    expect(chosen.body).toMatchObject({ authenticated: false, second_step: ['totp'] })
    expect(await status(browser)).toBe(401)
    expect((await browser.secondStep({ code: codeOf(secret) })).status).toBe(200)
  })
})

it('keeps a sign-in under way in a cookie of this host alone, out of reach of scripts and of other sites', async () => {
  const { email } = await withApp()
  const secure = await startApiServer(database.app, { PUBLIC_URL: 'https://www.velmora.example' })
  onTestFinished(() => secure.close())
  const { headers } = await secure.call('POST', '/api/session', { email, password: ACCOUNT_PASSWORD })
  const [cookie = '', ...others] = headers.getSetCookie()
  expect(others).toEqual([])
  expect(cookie).toMatch(/^__Host-leadwell_sign_in=[\w-]{43};/)
  const flags = cookie.toLowerCase().split('; ')
  expect(flags).toEqual(expect.arrayContaining(['path=/', 'secure', 'httponly', 'samesite=strict']))
  expect(cookie).not.toMatch(/domain/i)
})

describe('recovery codes', () => {
  it('end when new ones are made, which the owner is told', async () => {
    const { email, browser, recoveryCodes } = await withApp()
    const { body } = await browser.call('POST', '/api/second-factor/recovery-codes')
    expect(body.recovery_codes).toHaveLength(10)
    const halfWay = await halfway(email)
    expect((await halfWay.browser.secondStep({ recovery_code: recoveryCodes[0] })).status).toBe(422)
    expect((await halfWay.browser.secondStep({ recovery_code: body.recovery_codes[0] })).status).toBe(200)
    expect((await jobs()).filter((purpose) => purpose === 'new_factor')).toHaveLength(2)
  })

  it('are made for an account with two-step sign-in only', async () => {
    const { browser } = await signedIn()
    expect((await browser.call('POST', '/api/second-factor/recovery-codes')).status).toBe(409)
  })
})

describe('turning two-step sign-in off', () => {
  it('removes the recovery codes with the last factor, and tells the owner', async () => {
    const { email, browser } = await withApp()
    expect((await browser.call('DELETE', '/api/second-factor/totp')).body).toEqual({ success: true })
    expect(await database.db('staff_recovery_codes')).toEqual([])
    expect((await halfway(email)).answer.body.authenticated).toBe(true)
    expect(await jobs()).toContain('factor_removed')
    expect(await audit()).toContainEqual(['remove-factor', 'totp'])
  })

  it('is refused to a stolen session', async () => {
    const { browser } = await withApp()
    await database.db('staff_sessions').update({ confirmed_at: '2026-01-01' })
    const { status, body } = await browser.call('DELETE', '/api/second-factor/totp')
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'confirm_identity' })
  })
})

describe('confirming one’s identity', () => {
  const isConfirmed = (browser: CookieBrowser) => status(browser, '/api/session/confirmed')
  const confirm = (browser: CookieBrowser, proof: object) => browser.call('POST', '/api/session/confirm', proof)

  it('takes a code of the app, once', async () => {
    const { browser, secret } = await withApp()
    await database.db('staff_sessions').update({ confirmed_at: '2026-01-01' })
    expect((await confirm(browser, { code: '000000' })).status).toBe(422)
    expect(await isConfirmed(browser)).toBe(403)
    const code = codeOf(secret)
    expect((await confirm(browser, { code })).status).toBe(200)
    expect(await isConfirmed(browser)).toBe(200)
    expect((await confirm(browser, { code })).status).toBe(422)
  })

  it('takes a passkey of the account, and of no other', async () => {
    const [ada, ben] = [await signedIn(), await signedIn()]
    const { authenticator: hers } = await ada.browser.addPasskey()
    const { authenticator: his } = await ben.browser.addPasskey()
    await database.db('staff_sessions').update({ confirmed_at: '2026-01-01' })
    const options = async () => (await ada.browser.call('POST', '/api/session/confirm/passkey')).body
    expect((await options()).allowCredentials).toHaveLength(1)
    expect((await confirm(ada.browser, { passkey: his.get(await options()) })).status).toBe(422)
    expect(await isConfirmed(ada.browser)).toBe(403)

    const passkey = hers.get(await options())
    expect((await confirm(ada.browser, { passkey })).status).toBe(200)
    expect((await confirm(ada.browser, { passkey })).status).toBe(422)
    // What was signed to confirm does not sign in, nor the other way round.
    const stolen = openBrowser(api)
    await stolen.call('POST', '/api/session/passkey/options')
    expect((await stolen.call('POST', '/api/session/passkey', { passkey })).status).toBe(401)
  })

  it('counts wrong codes as a sign-in does: a stolen session cannot guess them', async () => {
    const { browser, secret } = await withApp()
    for (let n = 0; n < 10; n++) await confirm(browser, { code: '000000' })
    expect((await confirm(browser, { code: codeOf(secret) })).status).toBe(429)
    expect((await confirm(browser, { password: ACCOUNT_PASSWORD })).status).toBe(200)
  })
})

describe('a manager who resets the factors of a colleague', () => {
  const reset = (browser: CookieBrowser, id: number) => browser.call('POST', `/api/staff/${id}/reset-factors`)

  it('removes all of them, ends the sessions, and the owner is told', async () => {
    const ada = await withApp()
    await ada.browser.addPasskey()
    const { browser } = await signedIn()
    const { status: code, body } = await reset(browser, ada.id)
    expect({ code, body }).toMatchObject({ code: 200, body: { factors: [], open_sessions: 0, has_password: true } })
    expect(await status(ada.browser)).toBe(401)
    expect(await database.db('staff_recovery_codes')).toEqual([])
    expect((await halfway(ada.email)).answer.body.authenticated).toBe(true)
    expect(await database.db('jobs').where('account_id', ada.id).pluck('purpose')).toContain('factor_removed')
    expect(await audit()).toContainEqual(['reset-factors', undefined])
    expect((await reset(browser, ada.id)).status).toBe(409)
  })

  it('cannot do it to their own account, and a viewer to none', async () => {
    const ada = await withApp()
    expect((await reset(ada.browser, ada.id)).status).toBe(409)
    const viewer = await signedIn({ role: 'viewer' })
    expect((await reset(viewer.browser, ada.id)).status).toBe(403)
    expect(await database.db('staff_totp')).toHaveLength(1)
  })
})

describe('a passkey', () => {
  it('signs in without a password, as both factors', async () => {
    const { browser, email } = await signedIn()
    const { authenticator, answer } = await browser.addPasskey()
    expect(answer.body.recovery_codes).toHaveLength(10)
    const fresh = openBrowser(api)
    const done = await fresh.signInByPasskey(authenticator)
    expect(done).toMatchObject({ status: 200, body: { authenticated: true, staff: { email }, factors: ['passkey'] } })
    expect(await status(fresh)).toBe(200)
    expect(await audit()).toContainEqual(['sign-in', 'passkey'])
    const [passkey] = (await fresh.call('GET', '/api/second-factor')).body.passkeys
    expect(passkey).toMatchObject({ name: 'Work laptop', last_used_at: expect.any(String) })
  })

  it('completes a sign-in with the password', async () => {
    const { browser, email } = await signedIn()
    const { authenticator } = await browser.addPasskey()
    const { browser: fresh, answer } = await halfway(email)
    expect(answer.body).toMatchObject({ authenticated: false, second_step: ['passkey'] })
    expect((await fresh.signInByPasskey(authenticator)).status).toBe(200)
    expect(await database.db('staff_pending_sign_ins')).toEqual([])
  })

  it.each([
    ['without the person’s fingerprint or PIN', { isVerified: false }],
    ['without anybody there', { isPresent: false, isVerified: false }],
    ['for another site', { origin: 'https://evil.example' }],
    ['for another relying party', { rpId: 'evil.example' }],
  ])('is refused %s, and that is logged', async (_, told) => {
    const { browser } = await signedIn()
    const { authenticator } = await browser.addPasskey()
    const fresh = openBrowser(api)
    expect((await fresh.signInByPasskey(authenticator, told)).status).toBe(401)
    expect(await status(fresh)).toBe(401)
    const [line] = await database.db('audit_log').where('action', 'sign-in-failed')
    expect(line.details).toEqual({ count: 1, wrong: 'passkey' })
  })

  it('signs a challenge once, in the browser that asked for it', async () => {
    const { browser } = await signedIn()
    const { authenticator } = await browser.addPasskey()
    const [one, other] = [openBrowser(api), openBrowser(api)]
    const { body: options } = await one.call('POST', '/api/session/passkey/options')
    const passkey = authenticator.get(options)
    const send = (from: CookieBrowser) => from.call('POST', '/api/session/passkey', { passkey })
    expect((await send(other)).status).toBe(401)
    await other.call('POST', '/api/session/passkey/options')
    expect((await send(other)).status).toBe(401)
    const twice = await Promise.all([send(one), send(one)])
    expect(twice.map(({ status }) => status).toSorted()).toEqual([200, 401])
  })

  it('is refused once its challenge is ten minutes old', async () => {
    const { browser } = await signedIn()
    const { authenticator } = await browser.addPasskey()
    const fresh = openBrowser(api)
    const { body: options } = await fresh.call('POST', '/api/session/passkey/options')
    await database.db('staff_challenges').update({ expires_at: database.db.fn.now() })
    const late = await fresh.call('POST', '/api/session/passkey', { passkey: authenticator.get(options) })
    expect(late.status).toBe(401)
  })

  it('that counts is refused when it counts back, as a copy of it does', async () => {
    const { browser } = await signedIn()
    const { authenticator } = await browser.addPasskey()
    const count = async (counter: number) => (await openBrowser(api).signInByPasskey(authenticator, { counter })).status
    expect([await count(5), await count(5), await count(4), await count(6)]).toEqual([200, 401, 401, 200])
  })

  it('opens no account that is disabled, or whose password was reset', async () => {
    const { browser, id } = await signedIn()
    const { authenticator } = await browser.addPasskey()
    const attempt = async () => (await openBrowser(api).signInByPasskey(authenticator)).status
    await database.db('staff_accounts').where({ id }).update({ disabled_at: database.db.fn.now() })
    expect(await attempt()).toBe(401)
    await database.db('staff_accounts').where({ id }).update({ disabled_at: null, password_hash: null })
    expect(await attempt()).toBe(401)
  })

  it('is added with the answer to our own challenge, once', async () => {
    const { browser } = await signedIn()
    const authenticator = new Authenticator()
    const options = async () => (await browser.call('POST', '/api/second-factor/passkeys/options')).body
    const add = (passkey: unknown) => browser.call('POST', '/api/second-factor/passkeys', { name: 'Key', passkey })
    expect((await add(authenticator.create({ ...(await options()), challenge: 'AAAA' }))).status).toBe(422)
    expect((await add(authenticator.create(await options(), { isVerified: false }))).status).toBe(422)
    expect((await add(authenticator.create(await options(), { origin: 'https://evil.example' }))).status).toBe(422)
    const made = authenticator.create(await options())
    expect((await add(made)).status).toBe(200)
    expect((await add(made)).status).toBe(422)
    expect((await options()).excludeCredentials).toMatchObject([{ id: made.id }])
    expect((await add(authenticator.create(await options()))).status).toBe(409)
  })

  it('tells the authenticator nothing about the person but name and e-mail', async () => {
    const { browser, email } = await signedIn({ name: 'Ada Park' })
    const { body } = await browser.call('POST', '/api/second-factor/passkeys/options')
    expect(body).toMatchObject({ rp: { id: 'localhost' }, user: { name: email, displayName: 'Ada Park' } })
    expect(Buffer.from(body.user.id, 'base64url')).toHaveLength(32)
    expect(body.authenticatorSelection).toMatchObject({ residentKey: 'required', userVerification: 'required' })
  })

  it('is removed by its owner alone', async () => {
    const [ada, ben] = [await signedIn(), await signedIn()]
    const { authenticator } = await ada.browser.addPasskey()
    const { id } = await database.db('staff_passkeys').first('id')
    expect((await ben.browser.call('DELETE', `/api/second-factor/passkeys/${id}`)).status).toBe(404)
    expect((await ada.browser.call('DELETE', `/api/second-factor/passkeys/${id}`)).status).toBe(200)
    expect((await openBrowser(api).signInByPasskey(authenticator)).status).toBe(401)
    expect(await audit()).toContainEqual(['remove-factor', 'passkey'])
  })

  it('may be asked for thirty times a minute from one address', async () => {
    const asked = openBrowser(api)
    const statuses = []
    for (let n = 0; n < 40; n++) statuses.push((await asked.call('POST', '/api/session/passkey/options')).status)
    expect(statuses).toContain(429)
  })
})

it('looks at codes again after an hour', async () => {
  const { email, secret } = await withApp()
  for (let n = 0; n < 10; n++) await (await halfway(email)).browser.secondStep({ code: '000000' })
  const [{ expire }] = await database.db('sign_in_attempts').whereLike('key', 'codes:%')
  expect(Number(expire) - Date.now()).toBeLessThanOrEqual(60 * MINUTE)
  await database.db('sign_in_attempts').delete()
  expect((await (await halfway(email)).browser.secondStep({ code: codeOf(secret) })).status).toBe(200)
})
