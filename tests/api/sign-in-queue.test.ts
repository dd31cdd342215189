import { describe, expect, it } from 'vitest'
import { createSignInQueue } from '../../api/sign-in-queue.ts'
import { useApi } from '../support/api-server.ts'
import { ACCOUNT_PASSWORD, createStaff } from '../support/factories.ts'

const { api, database } = useApi({ TRUST_PROXY_HOPS: '1' })

/** Each from an address of its own, at accounts that do not exist: such a password is hashed at the full cost. */
function attack(count: number) {
  return Array.from({ length: count }, (_, n) =>
    api.call(
      'POST',
      '/api/session',
      { email: `nobody${n}@leadwell.example`, password: 'a wrong password' },
      { 'x-forwarded-for': `198.51.100.${n}` },
    ),
  )
}

describe('the queue of sign-ins', () => {
  const unknown = (key: string) => ({ isKnown: false, key })
  const known = (key: string) => ({ isKnown: true, key })

  /** Lets them all wait for the first one. Returns who came in, in that order, and who was refused. */
  async function queue(sources: { isKnown: boolean; key: string }[]) {
    const { run } = createSignInQueue()
    let endFirst = () => {}
    const first = new Promise<void>((resolve) => {
      endFirst = resolve
    })
    const order: string[] = []
    const refused: string[] = []
    const all = [
      run(unknown('first'), () => first),
      ...sources.map((source) =>
        run(source, async () => void order.push(source.key)).catch(() => refused.push(source.key)),
      ),
    ]
    endFirst()
    await Promise.all(all)
    return { order, refused }
  }
  const many = (count: number, source: (key: string) => { isKnown: boolean; key: string }, name: string) =>
    Array.from({ length: count }, (_, n) => source(`${name}${n}`))

  it('lets known browsers overtake', async () => {
    const { order } = await queue([unknown('a'), unknown('b'), known('c'), known('d')])
    expect(order).toEqual(['c', 'd', 'a', 'b'])
  })

  it('takes ten unknown browsers, and known ones even then', async () => {
    const { order, refused } = await queue([...many(12, unknown, 'u'), known('k')])
    expect(order).toEqual(['k', ...Array.from({ length: 10 }, (_, n) => `u${n}`)])
    expect(refused).toEqual(['u10', 'u11'])
  })

  it('takes five of one network or one known browser', async () => {
    const { order, refused } = await queue([...Array(7).fill(unknown('office')), unknown('elsewhere')])
    expect(refused).toEqual(['office', 'office'])
    expect(order.at(-1)).toBe('elsewhere')
  })

  it('goes on after a sign-in that fails', async () => {
    const { run } = createSignInQueue()
    const failing = run(unknown('a'), () => Promise.reject(new Error('no database')))
    const next = run(unknown('b'), async () => 'signed in')
    await expect(failing).rejects.toThrow('no database')
    expect(await next).toBe('signed in')
    expect(await run(unknown('c'), async () => 'signed in')).toBe('signed in')
  })
})

it('more sign-ins at once than can be handled are refused with a time to try again, and hold up neither pages nor the staff whose browser is known', async () => {
  const { email } = await createStaff(database.db)
  const login = { email, password: ACCOUNT_PASSWORD }
  const { headers } = await api.call('POST', '/api/session', login)
  const cookie = headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ')

  // The first drawing of a page takes as long as hashes do.
  await api.call('GET', '/', undefined, { accept: 'text/html' })

  const done: string[] = []
  const attacks = attack(30)
  for (const each of attacks) each.then(({ status }) => done.push(String(status)))
  await Promise.all([
    api.call('GET', '/', undefined, { accept: 'text/html' }).then(({ status }) => done.push(`page ${status}`)),
    api.call('POST', '/api/session', login, { cookie }).then(({ status }) => done.push(`staff ${status}`)),
  ])
  const answers = await Promise.all(attacks)

  const wrongBefore = (what: string) => done.slice(0, done.indexOf(what)).filter((each) => each === '401').length
  expect(done).toContain('page 200')
  expect(done).toContain('staff 200')
  expect(wrongBefore('page 200')).toBeLessThan(4)
  expect(wrongBefore('staff 200')).toBeLessThan(4)

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 503]))
  const refused = answers.find(({ status }) => status === 503)
  expect(refused?.headers.get('retry-after')).toBe('5')
  expect(refused?.body).toEqual({
    code: 'unavailable',
    error: 'Too many people are signing in at the moment. Please try again in a few seconds.',
  })
})
