import { describe, expect, it } from 'vitest'
import { useApi } from '../support/api-server.ts'
import { Authenticator } from '../support/authenticator.ts'
import { type CookieBrowser, openBrowser } from '../support/cookie-browser.ts'
import { found } from '../support/found.ts'
import { staffBrowsers } from '../support/staff-browsers.ts'

const { api, database } = useApi()
const { signedIn } = staffBrowsers(api, database)

const status = async (browser: CookieBrowser, path = '/api/leads') => (await browser.call('GET', path)).status
const audit = async () =>
  (await database.db('audit_log').orderBy('id')).map(({ action, details }) => [action, details.kind ?? details.factor])

describe('a passkey', () => {
  it.each([
    ['without the person’s fingerprint or PIN', { isVerified: false }],
    ['without anybody there', { isPresent: false, isVerified: false }],
    ['for another site', { origin: 'https://evil.example' }],
    ['for another relying party', { rpId: 'evil.example' }],
    ['for another account', { userHandle: 'AAAA' }],
  ])('is refused %s, and that is logged', async (_, told) => {
    const { browser } = await signedIn()
    const { authenticator } = await browser.addPasskey()
    const fresh = openBrowser(api)
    expect((await fresh.signInByPasskey(authenticator, told)).status).toBe(401)
    expect(await status(fresh)).toBe(401)
    const [line] = await database.db('audit_log').where('action', 'sign-in-failed')
    expect(line?.details).toEqual({ count: 1, wrong: 'passkey' })
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

  it('tells the authenticator nothing about the person but name and email', async () => {
    const { browser, email } = await signedIn({ name: 'Ada Park' })
    const { body } = await browser.call('POST', '/api/second-factor/passkeys/options')
    expect(body).toMatchObject({ rp: { id: 'localhost' }, user: { name: email, displayName: 'Ada Park' } })
    expect(Buffer.from(body.user.id, 'base64url')).toHaveLength(32)
    expect(body.authenticatorSelection).toMatchObject({ residentKey: 'required', userVerification: 'required' })
  })

  it('is removed by its owner alone', async () => {
    const [ada, ben] = [await signedIn(), await signedIn()]
    const { authenticator } = await ada.browser.addPasskey()
    const { id } = found(await database.db('staff_passkeys').first('id'))
    expect((await ben.browser.call('DELETE', `/api/second-factor/${id}`)).status).toBe(404)
    expect((await ada.browser.call('DELETE', `/api/second-factor/${id}`)).status).toBe(200)
    expect((await openBrowser(api).signInByPasskey(authenticator)).status).toBe(401)
    expect(await audit()).toContainEqual(['remove-factor', 'passkey'])
  })
})
