import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { apiWith, useApi } from '../support/api-server.ts'
import { openBrowser } from '../support/cookie-browser.ts'
import { OIDC_CLIENT } from '../support/env.ts'
import { createStaff } from '../support/factories.ts'
import { startOidcServer } from '../support/oidc-server.ts'

const SITE = 'http://localhost:3000'
const CALLBACK = `${SITE}/admin/sso/callback`
const ADA = 'ada@leadwell.example'

const provider = await startOidcServer({ redirectUri: CALLBACK })
const { api, database } = useApi({
  TRUST_PROXY_HOPS: '1',
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: OIDC_CLIENT.id,
  OIDC_CLIENT_SECRET: OIDC_CLIENT.secret,
  REQUIRE_SECOND_FACTOR: 'managers',
  ADMIN_PASSWORD: '',
})
afterAll(() => provider.close())
afterEach(() => provider.people.clear())

type Browser = ReturnType<typeof openBrowser>
let addresses = 0
const newAddress = () => {
  addresses += 1
  return { 'x-forwarded-for': `198.51.100.${addresses}` }
}
/** A browser with an address of its own. */
function newBrowser(server = api): Browser {
  const address = newAddress()
  return openBrowser({
    call: (method, path, body, headers) => server.call(method, path, body, { ...address, ...headers }),
  })
}

/** Opens an address of ours. Returns where it leads to. */
async function open(browser: Browser, path: string): Promise<string> {
  const answer = await browser.call('GET', path)
  expect(answer.status).toBe(302)
  return String(answer.headers.get('location'))
}
async function comeBack(browser: Browser, address: string): Promise<string> {
  expect(address).toMatch(`${CALLBACK}?`)
  // No cookie of ours is sent with a link from elsewhere, and the browser is told to ask again.
  const { status, body } = await api.call('GET', address.slice(SITE.length), undefined, newAddress())
  expect(status).toBe(200)
  return open(browser, again(body))
}
const again = (page: string) => String(/content="0; url=([^"]+)"/.exec(page)?.[1]).replaceAll('&amp;', '&')
/** All of it. Returns where the browser is in the end. */
async function signIn(browser: Browser, subject: string, path = '/admin/sso'): Promise<string> {
  return comeBack(browser, await provider.signIn(await open(browser, path), subject))
}
const session = async (browser: Browser) => (await browser.call('GET', '/api/session')).body
const person = (subject: string, email = ADA, email_verified = true) =>
  provider.people.set(subject, { email, email_verified })

describe('single sign-on', () => {
  it('signs in the account of a verified email, and knows the person from then on, whatever their email is', async () => {
    const { id } = await createStaff(database.db, { email: ADA, password_hash: null })
    person('subject-1', 'Ada@Leadwell.example')
    const browser = newBrowser()
    expect(await session(browser)).toMatchObject({ ways: { single_sign_on: 'Sign in with single sign-on' } })

    expect(await signIn(browser, 'subject-1')).toBe('/admin?sso=done')
    // The provider has asked for its factors: nothing is to be set up here.
    expect(await session(browser)).toMatchObject({
      authenticated: true,
      lacks_factor: false,
      staff: { id, email: ADA },
    })
    expect((await browser.call('GET', '/api/audit-log')).body.lines).toMatchObject([
      { actor: ADA, action: 'sign-in', details: { factor: 'sso' } },
      { actor: ADA, action: 'link-identity', entity_id: String(id), details: { issuer: provider.issuer } },
    ])

    person('subject-1', 'married@leadwell.example')
    const another = newBrowser()
    await signIn(another, 'subject-1')
    expect((await session(another)).staff).toMatchObject({ id })
    expect(await database.db('staff_identities')).toHaveLength(1)
  })

  it.each([
    ['with a password', {}],
    ['without a password', { password_hash: null }],
  ])('tells the owner of an account %s of a new browser, and not of a known one', async (_which, account) => {
    await createStaff(database.db, { email: ADA, ...account })
    person('subject-1')
    const told = () => database.db('jobs').where('purpose', 'new_browser').pluck('id')
    const browser = newBrowser()
    for (let n = 0; n < 2; n++) await signIn(browser, 'subject-1')
    expect(await told()).toHaveLength(1)
    expect(await database.db('staff_sessions')).toHaveLength(1)
    await signIn(newBrowser(), 'subject-1')
    expect(await told()).toHaveLength(2)
  })

  it('comes back to the page where it began, and to no other site', async () => {
    await createStaff(database.db, { email: ADA })
    person('subject-1')
    const browser = newBrowser()
    const page = encodeURIComponent('/admin?tab=activity&page=2')
    expect(await signIn(browser, 'subject-1', `/admin/sso?return=${page}`)).toBe('/admin?tab=activity&page=2&sso=done')
    for (const elsewhere of [
      'https://evil.example/admin',
      '//evil.example/admin',
      '/\\evil.example/admin',
      '/pictures/1',
    ]) {
      const path = `/admin/sso?return=${encodeURIComponent(elsewhere)}`
      expect(await signIn(browser, 'subject-1', path), elsewhere).toBe('/admin?sso=done')
    }
  })

  it('counts as a confirmation of the identity, for which the provider asks again', async () => {
    await createStaff(database.db, { email: ADA })
    person('subject-1')
    const browser = newBrowser()
    const address = new URL(await open(browser, '/admin/sso?fresh'))
    expect(address.searchParams.get('prompt')).toBe('login')
    expect(address.searchParams.get('max_age')).toBe('0')
    await comeBack(browser, await provider.signIn(address.href, 'subject-1'))
    expect((await session(browser)).identity_confirmed).toBe(true)
  })

  it('is no confirmation where the provider may have remembered the person, whatever the address says on the way back', async () => {
    await createStaff(database.db, { email: ADA })
    person('subject-1')
    const browser = newBrowser()
    const back = await provider.signIn(await open(browser, '/admin/sso'), 'subject-1')
    await comeBack(browser, `${back}&fresh`)
    expect(await session(browser)).toMatchObject({ authenticated: true, identity_confirmed: false })
  })
})

describe('single sign-on that signs nobody in', () => {
  it.each([
    ['without an account', 'stranger@leadwell.example', true, {}, 'unknown'],
    ['whose account is disabled', ADA, true, { disabled_at: new Date() }, 'unknown'],
    ['whose email is not verified', ADA, false, {}, 'unverified'],
  ])('%s', async (_who, email, isVerified, account, problem) => {
    await createStaff(database.db, { email: ADA, ...account })
    person('subject-1', email, isVerified)
    const browser = newBrowser()
    expect(await signIn(browser, 'subject-1')).toBe(`/admin?sso=${problem}`)
    expect((await session(browser)).authenticated).toBe(false)
    expect(await database.db('staff_identities')).toEqual([])
  })

  it('refuses another person of the provider who has got the email address of an account', async () => {
    await createStaff(database.db, { email: ADA })
    person('subject-1')
    await signIn(newBrowser(), 'subject-1')
    person('subject-2')
    expect(await signIn(newBrowser(), 'subject-2')).toBe('/admin?sso=linked')
  })

  it('refuses a linked person once the account is disabled', async () => {
    const { id } = await createStaff(database.db, { email: ADA })
    person('subject-1')
    await signIn(newBrowser(), 'subject-1')
    await database.db('staff_accounts').where({ id }).update({ disabled_at: new Date() })
    expect(await signIn(newBrowser(), 'subject-1')).toBe('/admin?sso=unknown')
  })

  it('returns to the sign-in page when the user cancels at the provider', async () => {
    const browser = newBrowser()
    const address = await provider.cancel(await open(browser, '/admin/sso'))
    expect(await comeBack(browser, address)).toBe('/admin?sso=cancelled')
  })
})

describe('an attack on single sign-on', () => {
  const answerFor = async (browser: Browser) => {
    await createStaff(database.db, { email: ADA })
    person('subject-1')
    return provider.signIn(await open(browser, '/admin/sso'), 'subject-1')
  }

  it('signs nobody in when another browser returns with the attacker’s answer', async () => {
    const address = await answerFor(newBrowser())
    const victim = newBrowser()
    expect(await comeBack(victim, address)).toBe('/admin?sso=expired')
    // Also while the victim has begun a sign-in of their own.
    await open(victim, '/admin/sso')
    expect(await comeBack(victim, address)).toBe('/admin?sso=refused')
    expect((await session(victim)).authenticated).toBe(false)
  })

  it('opens no second session when an answer is used twice', async () => {
    const browser = newBrowser()
    const address = await answerFor(browser)
    const kept = new Map(browser.cookies)
    expect(await comeBack(browser, address)).toBe('/admin?sso=done')

    const thief = newBrowser()
    for (const [name, value] of kept) thief.cookies.set(name, value)
    expect(await comeBack(thief, address)).toBe('/admin?sso=refused')
    expect((await session(thief)).authenticated).toBe(false)
  })

  it.each(['state', 'code', 'iss'])('signs nobody in when the %s of an answer was changed', async (name) => {
    const browser = newBrowser()
    const address = new URL(await answerFor(browser))
    address.searchParams.set(name, 'https://evil.example')
    expect(await comeBack(browser, address.href)).toBe('/admin?sso=refused')
  })

  it('signs nobody in with a token for another sign-in (nonce)', async () => {
    const browser = newBrowser()
    const address = await answerFor(browser)
    const [[name, value]] = [...browser.cookies] as [[string, string]]
    const flow = JSON.parse(Buffer.from(value, 'base64url').toString())
    browser.cookies.set(name, Buffer.from(JSON.stringify({ ...flow, nonce: 'another' })).toString('base64url'))
    expect(await comeBack(browser, address)).toBe('/admin?sso=refused')
  })

  it('limits how often a sign-in can be started', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.99' }
    const answers = []
    for (let n = 0; n < 25; n++) answers.push((await api.call('GET', '/admin/sso', undefined, headers)).status)
    expect(answers.at(-1)).toBe(429)
  })
})

it('says so on the sign-in page while the provider of single sign-on is away, and the API runs', async () => {
  const settings = { OIDC_ISSUER: 'http://127.0.0.1:1', OIDC_CLIENT_ID: 'x', OIDC_CLIENT_SECRET: 'x' }
  const away = await apiWith(database.app, settings)
  const browser = newBrowser(away)
  expect(await open(browser, '/admin/sso')).toBe('/admin?sso=unavailable')
  expect(await session(browser)).toMatchObject({ ways: { single_sign_on: 'Sign in with single sign-on' } })
})
