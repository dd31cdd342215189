import { describe, expect, it } from 'vitest'
import { CALLS } from '../../api/routes/openapi.ts'
import { SecondFactor } from '../../core/staff/contract/staff.ts'
import * as accounts from '../../core/staff/stores/staff-accounts.ts'
import { apiWith, useApi } from '../support/api-server.ts'
import { type CookieBrowser, codeOf, openBrowser } from '../support/cookie-browser.ts'
import { ACCOUNT_PASSWORD, staffHeaders } from '../support/factories.ts'
import { staffBrowsers } from '../support/staff-browsers.ts'

const { api, database } = useApi()
const { signedIn, withApp, halfway } = staffBrowsers(api, database)
const status = async (browser: CookieBrowser, path = '/api/leads') => (await browser.call('GET', path)).status
const jobs = () => database.db('jobs').orderBy('created_at').pluck('purpose')

const audit = async () =>
  (await database.db('audit_log').orderBy('id')).map(({ action, details }) => [action, details.kind ?? details.factor])

describe('turning on an authenticator app', () => {
  it('takes a code of it, gives recovery codes once, and tells the owner', async () => {
    const { browser, id } = await signedIn()
    const { body: setup } = await browser.call('POST', '/api/second-factor/totp')
    expect(setup.uri).toContain(setup.secret)
    const { secret } = setup
    const confirm = (code: string) => browser.call('POST', '/api/second-factor/totp/confirm', { secret, code })
    expect(await confirm('000000')).toMatchObject({ status: 422, body: { fields: { code: expect.any(String) } } })
    expect((await confirm('٠٨١٨٠٤')).status).toBe(422)

    const { body } = await confirm(` ${codeOf(setup.secret).replace(/^.../, '$& ')}`)
    expect(body.recovery_codes).toHaveLength(10)
    const own = SecondFactor.strict().parse((await browser.call('GET', '/api/second-factor')).body)
    expect(own).toMatchObject({ required: false, totp_since: expect.any(String), recovery_codes_left: 10 })
    expect(await jobs()).toContain('new_factor')
    expect(await audit()).toContainEqual(['add-factor', 'totp'])
    expect((await browser.call('GET', '/api/staff')).body.staff).toMatchObject([{ id, two_step: true }])
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
})

it('an app is replaced by one on another phone, whose codes alone count from then on', async () => {
  const { email, browser, secret: old, recoveryCodes } = await withApp()
  const { secret } = await browser.addApp()
  await database.db('staff_totp').update({ last_step: 0 })
  const halfWay = await halfway(email)
  expect((await halfWay.browser.secondStep({ code: codeOf(old) })).status).toBe(422)
  expect((await halfWay.browser.secondStep({ recovery_code: recoveryCodes[0] })).status).toBe(422)
  expect((await halfWay.browser.secondStep({ code: codeOf(secret) })).status).toBe(200)
})

it('recovery codes end when new ones are made, which the owner is told', async () => {
  const { email, browser, recoveryCodes } = await withApp()
  const { body } = await browser.call('POST', '/api/second-factor/recovery-codes')
  expect(body.recovery_codes).toHaveLength(10)
  const halfWay = await halfway(email)
  expect((await halfWay.browser.secondStep({ recovery_code: recoveryCodes[0] })).status).toBe(422)
  expect((await halfWay.browser.secondStep({ recovery_code: body.recovery_codes[0] })).status).toBe(200)
  expect((await jobs()).filter((purpose) => purpose === 'new_factor')).toHaveLength(2)
})

describe('turning two-step sign-in off', () => {
  it('removes the recovery codes with the last factor, and tells the owner', async () => {
    const { email, browser } = await withApp()
    expect((await browser.call('DELETE', '/api/second-factor')).body).toEqual({ success: true })
    expect(await database.db('staff_recovery_codes')).toEqual([])
    expect((await halfway(email)).answer.body.authenticated).toBe(true)
    expect(await jobs()).toContain('factor_removed')
    expect(await audit()).toContainEqual(['remove-factor', 'totp'])
  })

  it('is refused to a stolen session', async () => {
    const { browser } = await withApp()
    await database.db('staff_sessions').update({ confirmed_at: '2026-01-01' })
    const { status, body } = await browser.call('DELETE', '/api/second-factor')
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'confirm_identity' })
  })
})

describe('confirming one’s identity', () => {
  const isConfirmed = async (browser: CookieBrowser) =>
    (await browser.call('GET', '/api/session')).body.identity_confirmed
  const confirm = (browser: CookieBrowser, proof: object) => browser.call('POST', '/api/session/confirm', proof)

  it('takes a code of the app, once', async () => {
    const { browser, secret } = await withApp()
    await database.db('staff_sessions').update({ confirmed_at: '2026-01-01' })
    expect((await confirm(browser, { code: '000000' })).status).toBe(422)
    expect(await isConfirmed(browser)).toBe(false)
    const code = codeOf(secret)
    expect((await confirm(browser, { code })).status).toBe(200)
    expect(await isConfirmed(browser)).toBe(true)
    expect((await confirm(browser, { code })).status).toBe(422)
  })

  it('counts wrong codes as a sign-in does: a stolen session cannot guess them', async () => {
    const { browser, secret } = await withApp()
    for (let n = 0; n < 10; n++) await confirm(browser, { code: '000000' })
    expect((await confirm(browser, { code: codeOf(secret) })).status).toBe(429)
  })

  it('does not take the password alone of an account with an app', async () => {
    const { browser } = await withApp()
    await database.db('staff_sessions').update({ confirmed_at: '2026-01-01' })
    const { status, body } = await confirm(browser, { password: ACCOUNT_PASSWORD })
    expect([status, body.fields.password]).toEqual([422, expect.stringContaining('a code of your app')])
    expect(await isConfirmed(browser)).toBe(false)
  })
})

describe('a manager who resets the factors of a colleague', () => {
  const reset = (browser: CookieBrowser, id: number) =>
    browser.call('POST', `/api/staff/${id}/reset`, { what: 'factors' })

  it('removes all of them, ends the sessions, and the owner is told', async () => {
    const ada = await withApp()
    const { browser } = await signedIn()
    const { status: code, body } = await reset(browser, ada.id)
    expect({ code, body }).toMatchObject({ code: 200, body: { two_step: false, open_sessions: 0, has_password: true } })
    expect(await status(ada.browser)).toBe(401)
    expect(await database.db('staff_recovery_codes')).toEqual([])
    expect((await halfway(ada.email)).answer.body.authenticated).toBe(true)
    expect(await database.db('jobs').where({ subject_kind: 'account', subject_id: ada.id }).pluck('purpose')).toContain(
      'factor_removed',
    )
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

describe('signing in to an account with an authenticator app', () => {
  it('opens nothing, leaves no session and marks no browser before the second step', async () => {
    const { email, id } = await withApp()
    await database.db('staff_sessions').delete()
    const { browser, answer } = await halfway(email)
    expect([...browser.cookies.keys()]).toEqual(['leadwell_sign_in'])
    expect(answer.body.staff).toBeUndefined()
    expect(await database.db('staff_sessions')).toEqual([])

    const token = String(browser.cookies.get('leadwell_sign_in'))
    const calls = CALLS.filter(({ access }) => access !== 'public' && access !== 'clinic')
    for (const cookie of [`leadwell_sign_in=${token}`, `leadwell_session=${token}`]) {
      for (const { method, path } of calls) {
        const address = path.replace(/:\w+/, String(id))
        expect((await api.call(method, address, undefined, { cookie })).status, path).toBe(401)
      }
    }
  })

  it('opens one session, whatever is sent at the same time', async () => {
    const { email, secret, recoveryCodes } = await withApp()
    await database.db('staff_sessions').delete()
    const { browser } = await halfway(email)
    const proofs = [{ code: codeOf(secret) }, ...recoveryCodes.slice(0, 3).map((recovery_code) => ({ recovery_code }))]
    // With as many connections, so that they really come at the same time.
    await Promise.all(proofs.map(() => browser.call('GET', '/api/session')))
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

  it.each([
    ['expires after ten minutes', 'staff_pending_sign_ins', 'expires_at'],
    ['ends when the account is disabled meanwhile', 'staff_accounts', 'disabled_at'],
  ])('%s', async (_, table, column) => {
    const { email, secret } = await withApp()
    const { browser } = await halfway(email)
    await database.db(table).update({ [column]: database.db.fn.now() })
    expect((await browser.secondStep({ code: codeOf(secret) })).status).toBe(401)
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

  it('takes the second step also after a link to choose a password, which ends a sign-in under way: a mailbox alone opens nothing', async () => {
    const { id, email, secret } = await withApp()
    const before = await halfway(email)
    const browser = openBrowser(api)
    await browser.call('POST', '/api/session/reset', { email })
    const token = (await accounts.makeToken(database.db, id, 'reset'))?.token
    const new_password = 'chosen by its owner again'
    const chosen = await browser.call('POST', '/api/session/link/password', { token, new_password })
    expect(chosen.body).toMatchObject({ authenticated: false, second_step: true })
    expect(await status(browser)).toBe(401)
    expect((await before.browser.secondStep({ code: codeOf(secret) })).status).toBe(401)
    expect((await browser.secondStep({ code: codeOf(secret) })).status).toBe(200)
  })
})

it('keeps a sign-in under way in a cookie of this host alone, out of reach of scripts and of other sites', async () => {
  const { email } = await withApp()
  const secure = await apiWith(database.app, { PUBLIC_URL: 'https://www.leadwell.example' })
  const { headers } = await secure.call('POST', '/api/session', { email, password: ACCOUNT_PASSWORD })
  const [cookie = '', ...others] = headers.getSetCookie()
  expect(others).toEqual([])
  expect(cookie).toMatch(/^__Host-leadwell_sign_in=[\w-]{43};/)
  const flags = cookie.toLowerCase().split('; ')
  expect(flags).toEqual(expect.arrayContaining(['path=/', 'secure', 'httponly', 'samesite=strict']))
  expect(cookie).not.toMatch(/domain/i)
})
