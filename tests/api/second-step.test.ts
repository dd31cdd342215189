import { describe, expect, it } from 'vitest'
import { CALLS } from '../../api/routes/openapi.ts'
import * as accounts from '../../core/staff/stores/staff-accounts.ts'
import { apiWith, useApi } from '../support/api-server.ts'
import { type CookieBrowser, codeOf, openBrowser } from '../support/cookie-browser.ts'
import { ACCOUNT_PASSWORD } from '../support/factories.ts'
import { staffBrowsers } from '../support/staff-browsers.ts'

const { api, database } = useApi()
const { withApp, halfway } = staffBrowsers(api, database)

const status = async (browser: CookieBrowser, path = '/api/leads') => (await browser.call('GET', path)).status
const audit = async () =>
  (await database.db('audit_log').orderBy('id')).map(({ action, details }) => [action, details.kind ?? details.factor])

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
