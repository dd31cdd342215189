import { describe, expect, it } from 'vitest'
import { createLoginThrottle, knownDevice, markDevice } from '../../api/login-throttle.ts'
import { DAY, HOUR, MINUTE } from '../../core/contract/time.ts'
import { type ApiServer, startApiServer, useApi } from '../support/api-server.ts'
import { STAFF_PASSWORD } from '../support/env.ts'
import { ACCOUNT_PASSWORD, createStaff } from '../support/factories.ts'

const { api, database } = useApi({ TRUST_PROXY_HOPS: '1' })
const { api: otherProcess } = useApi({ TRUST_PROXY_HOPS: '1' })

type Login = { password: string; email?: string }
const RIGHT = { password: STAFF_PASSWORD }
const WRONG = { password: 'a wrong one' }

const signIn = (login: Login, ip: string, { cookie, server = api }: { cookie?: string; server?: ApiServer } = {}) =>
  server.call('POST', '/api/session', login, { 'x-forwarded-for': ip, ...(cookie && { cookie }) })
const statuses = async (count: number, login: Login, ip: string, options = {}) => {
  const seen: number[] = []
  for (let n = 0; n < count; n++) seen.push((await signIn(login, ip, options)).status)
  return [...new Set(seen)]
}
const retryAfter = async (login: Login, ip: string) => {
  const { status, headers } = await signIn(login, ip)
  expect(status).toBe(429)
  return Number(headers.get('retry-after'))
}

/** LoginThrottle the shared password from an address, until it has to wait; without the cost of comparing it. */
async function guess(count: number, address: string): Promise<void> {
  const throttle = createLoginThrottle(database.db)
  const once = () => throttle.admit({ address, account: 'shared' }).then((attempt) => attempt.fail())
  for (let n = 0; n < count; n++) await once().catch(() => {})
}

const pass = (ms: number) => database.db('sign_in_attempts').decrement('expire', ms)

/** The cookie by which a browser that has signed in is known. */
async function deviceOf(login: Login, ip: string): Promise<string> {
  const { headers } = await signIn(login, ip)
  const cookie = headers.getSetCookie().find((text) => text.startsWith('leadwell_device='))
  return cookie?.split(';')[0] ?? ''
}

describe('who guesses the shared password', () => {
  it('has to wait after ten, even with the right one, in every process; nobody else has to', async () => {
    expect(await statuses(5, WRONG, '198.51.100.9')).toEqual([401])
    expect(await statuses(5, WRONG, '198.51.100.9', { server: otherProcess })).toEqual([401])

    for (const [server, login] of [
      [api, WRONG],
      [otherProcess, RIGHT],
    ] as const) {
      const { status, headers, body } = await signIn(login, '198.51.100.9', { server })
      expect({ status, code: body.code }).toEqual({ status: 429, code: 'rate_limited' })
      expect(body.error).toBe('Too many attempts. Please wait a minute.')
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(50)
    }
    expect((await signIn(RIGHT, '198.51.100.10')).status).toBe(200)
  })

  it('waits longer each time, up to an hour', async () => {
    const waits: number[] = []
    for (let round = 0; round < 8; round++) {
      await guess(10, '198.51.100.9')
      const seconds = await retryAfter(WRONG, '198.51.100.9')
      waits.push(seconds)
      await pass(seconds * 1000)
    }
    expect(waits).toEqual([60, 120, 240, 480, 960, 1920, 3600, 3600])

    await pass(DAY)
    await guess(10, '198.51.100.9')
    expect(await retryAfter(WRONG, '198.51.100.9')).toBe(60)
  })

  it('gains nothing by guessing all at once', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => signIn(WRONG, '198.51.100.9')))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30)
  })

  it.each([
    ['a /56', 20, (n: number) => `2001:db8:77:${n.toString(16)}::1`],
    ['a /48', 40, (n: number) => `2001:db8:77:${(n * 0x100).toString(16)}::1`],
  ])('has so many tries in all of %s: %d', async (_, tries, address) => {
    const seen: number[] = []
    for (let n = 0; n < tries; n++) seen.push((await signIn(WRONG, address(n))).status)
    expect([...new Set(seen)]).toEqual([401])
    expect((await signIn(RIGHT, address(tries))).status).toBe(429)
    expect((await signIn(RIGHT, '2001:db8:78::1')).status).toBe(200)
  })

  it('gains nothing by signing in to an account of their own in between', async () => {
    const { email } = await createStaff(database.db)
    await statuses(9, WRONG, '198.51.100.9')
    expect((await signIn({ email, password: ACCOUNT_PASSWORD }, '198.51.100.9')).status).toBe(200)
    expect((await signIn(WRONG, '198.51.100.9')).status).toBe(401)
    expect((await signIn(WRONG, '198.51.100.9')).status).toBe(429)
  })
})

describe('an account that many guess at', () => {
  it('gives each address only three tries, and the first of them always count', async () => {
    const { email } = await createStaff(database.db)
    const other = await createStaff(database.db)
    for (let address = 1; address <= 5; address++) await statuses(10, { ...WRONG, email }, `198.51.100.${address}`)

    expect(await statuses(3, { ...WRONG, email }, '203.0.113.1')).toEqual([401])
    expect(await retryAfter({ ...WRONG, email: email.toUpperCase() }, '203.0.113.1')).toBe(60)
    expect((await signIn({ password: ACCOUNT_PASSWORD, email }, '203.0.113.2')).status).toBe(200)
    expect(await statuses(10, { ...WRONG, email: other.email }, '203.0.113.3')).toEqual([401])

    await pass(HOUR)
    expect(await statuses(10, { ...WRONG, email }, '203.0.113.4')).toEqual([401])
  })

  it('looks the same where there is none', async () => {
    const email = 'nobody@leadwell.example'
    const throttle = createLoginThrottle(database.db)
    for (let n = 0; n < 50; n++) await (await throttle.admit({ address: `address ${n}`, account: email })).fail()
    expect(await statuses(3, { ...WRONG, email }, '203.0.113.1')).toEqual([401])
    expect(await retryAfter({ ...WRONG, email }, '203.0.113.1')).toBe(60)
    expect(JSON.stringify(await database.db('sign_in_attempts'))).not.toContain('nobody')
  })
})

it('staff at the address of a guesser get in with a browser that has signed in before, and keep their sessions', async () => {
  const { email } = await createStaff(database.db)
  const account = { email, password: ACCOUNT_PASSWORD }
  const staff = await api.signIn()
  const [ofShared, ofAccount] = [await deviceOf(RIGHT, '198.51.100.9'), await deviceOf(account, '198.51.100.9')]
  await statuses(11, WRONG, '198.51.100.9')

  expect((await signIn(RIGHT, '198.51.100.9', { cookie: ofShared })).status).toBe(200)
  expect((await signIn(account, '198.51.100.9', { cookie: ofAccount })).status).toBe(200)
  expect((await api.call('GET', '/api/leads', undefined, staff)).status).toBe(200)

  // A known browser is known where it has signed in, and may not guess for ever either.
  expect((await signIn(account, '198.51.100.9', { cookie: ofShared })).status).toBe(429)
  expect(await statuses(10, WRONG, '198.51.100.9', { cookie: ofShared })).toEqual([401])
  expect((await signIn(RIGHT, '198.51.100.9', { cookie: ofShared })).status).toBe(429)
})

it('guesses from everywhere at once are a hundred a minute for all unknown browsers together, and staff get in with a known one', async () => {
  const [server, another] = [
    await startApiServer(database.db, { TRUST_PROXY_HOPS: '1' }),
    await startApiServer(database.db, { TRUST_PROXY_HOPS: '1' }),
  ]
  try {
    const cookie = await deviceOf(RIGHT, '203.0.113.1')
    for (let n = 0; n < 100; n++) await guess(1, `198.51.100.${n}`)

    const { status, headers, body } = await signIn(RIGHT, '203.0.113.2', { server })
    expect({ status, code: body.code }).toEqual({ status: 429, code: 'rate_limited' })
    expect(body.error).toMatch(/^Too many wrong passwords are being sent to this site\. Please try again in a minute,/)
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60)
    expect((await signIn(RIGHT, '203.0.113.2', { server })).status).toBe(429)
    expect((await signIn(RIGHT, '203.0.113.2', { server, cookie })).status).toBe(200)

    await pass(MINUTE)
    // The refused tries were given back: all three of an address in an attack are left.
    expect(await statuses(3, WRONG, '203.0.113.2', { server: another })).toEqual([401])
  } finally {
    await Promise.all([server.close(), another.close()])
  }
})

it('the mark of a known browser is known to the secret that made it, and to no other', () => {
  const mark = markDevice('secret')
  expect(knownDevice(mark, 'secret')).toBe(mark.split('.')[0])
  for (const forged of [undefined, '', '.', 'x.y', mark.slice(1), `${mark}x`, mark.split('.')[0], `${mark}.x`]) {
    expect(knownDevice(forged, 'secret')).toBeNull()
  }
  expect(knownDevice(mark, 'another secret')).toBeNull()
  expect(knownDevice(mark, null)).toBeNull()
  expect(markDevice('secret')).not.toBe(mark)
})

it('a flood of sign-ins from many addresses holds up neither pages nor the staff whose browser is known', async () => {
  const { email } = await createStaff(database.db)
  const account = { email, password: ACCOUNT_PASSWORD }
  const cookie = await deviceOf(account, '203.0.113.1')
  const page = () => api.call('GET', '/', undefined, { accept: 'text/html' })
  await page()

  let failed = 0
  // A password is hashed at the full cost where there is no account.
  const flood = Array.from({ length: 100 }, async (_, n) => {
    const answer = await signIn({ ...WRONG, email: `nobody${n}@leadwell.example` }, `198.51.100.${n}`)
    if (answer.status === 401) failed += 1
    return answer
  })
  await Promise.race(flood)
  const known = signIn(account, '198.51.100.200', { cookie })
  expect((await page()).status).toBe(200)
  expect((await known).status).toBe(200)
  const failedMeanwhile = failed

  const answers = await Promise.all(flood)
  expect(failedMeanwhile).toBeLessThan(failed)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 503]))
  const refused = answers.find(({ status }) => status === 503)
  expect(refused?.headers.get('retry-after')).toBe('5')
  expect(refused?.body).toEqual({
    code: 'unavailable',
    error: 'Too many people are signing in at the moment. Please try again in a few seconds.',
  })
})
