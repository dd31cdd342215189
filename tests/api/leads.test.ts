import { describe, expect, it, onTestFinished } from 'vitest'
import { apiWith, useApi } from '../support/api-server.ts'
import { createTestDatabase } from '../support/database.ts'
import { createProvider, leadForm } from '../support/factories.ts'

const { api, database } = useApi()
const HOUSTON = { zip_code: '77002' }
const NEW_YORK = { zip_code: '10001' }
const send = (body: unknown, { query = '', headers = {} } = {}) => api.call('POST', `/api/leads${query}`, body, headers)
const storedLead = () => database.db('leads').first()
const jobNames = async () =>
  (await database.db('jobs').select('name', 'purpose')).map(({ name, purpose }) => `${name} ${purpose}`).toSorted()

describe('POST /api/leads', () => {
  it.each(['999999', 'abc', '', '1;drop table leads', '1&providerId=2'])(
    'takes the nearest when the chosen provider makes no sense (%s)',
    async (providerId) => {
      const { id: nearest } = await createProvider(database.db)
      await createProvider(database.db, NEW_YORK)
      const { status, body } = await send(leadForm(), { query: `?providerId=${providerId}` })

      expect({ status, providerId: body.providerId }).toEqual({ status: 201, providerId: nearest })
    },
  )

  it('takes the radius from the settings', async () => {
    const far = await apiWith(database.app, { MATCH_RADIUS_MILES: '200' })
    const { id } = await createProvider(database.db, HOUSTON)
    expect((await far.call('POST', '/api/leads', leadForm())).body.providerId).toBe(id)
  })
})

it('a matching that fails never fails the submission: the lead is stored unmatched, and a job matches it', async () => {
  const own = await createTestDatabase()
  onTestFinished(own.drop)
  const broken = await apiWith(own.db)
  const { id: providerId } = await createProvider(own.db)
  await own.db.raw('alter table providers rename column location to place')

  for (const query of ['', `?providerId=${providerId}`]) {
    const { status, body } = await broken.call('POST', `/api/leads${query}`, leadForm())
    expect(status).toBe(201)
    expect(body).toEqual({ id: expect.any(Number) })
  }
  expect(await own.db('leads').pluck('provider_id')).toEqual([null, null])
  expect(await own.db('jobs').where('name', 'match-lead')).toHaveLength(2)
})

const TOO_FAST = { elapsed_ms: 40, touched: false }

it.each([
  ['honeypot', { topic: 'cheap pills' }],
  ['too_fast', TOO_FAST],
  ['odd_name', { first_name: 'you won, claim it at https://evil.example/win' }],
])(
  'holds a form that looks automated (%s): its clinic is not promised, and the sender learns of the review',
  async (reason, signals) => {
    const { id: providerId } = await createProvider(database.db)
    const { status, body } = await send({ ...leadForm(), ...signals })

    expect(status).toBe(201)
    expect(body).toEqual({ id: expect.any(Number), inReview: true })
    expect(await storedLead()).toMatchObject({ held_reason: reason, provider_id: providerId })
    expect(await jobNames()).toEqual(['send-email team'])
    expect(await database.db('consents')).toHaveLength(1)
  },
)

describe('attribution', () => {
  it('is kept, first and last touch', async () => {
    const attribution = {
      first: { landing_page: '/clinics', utm_source: 'radio', network: 'google' as const },
      last: { referrer: 'https://search.example/', utm_campaign: 'fall' },
    }
    await send(leadForm({ attribution }))
    expect((await storedLead())?.attribution).toEqual(attribution)
  })

  it.each([
    ['a text', 'nonsense', {}],
    ['touches of the wrong type', { first: 5, last: { utm_source: 'radio' } }, { last: { utm_source: 'radio' } }],
    ['a value of the wrong type', { first: { utm_source: 5, network: 'google' } }, { first: { network: 'google' } }],
    [
      'a network that we do not know',
      { first: { utm_source: 'radio', network: 'other' } },
      { first: { utm_source: 'radio' } },
    ],
    [
      'the ids of clicks, or a consent to ad measurement, as earlier pages sent them',
      {
        last: { network: 'google', gclid: 'a', gbraid: 'a', wbraid: 'a', msclkid: 'a', fbclid: 'a' },
        ad_consent: { clinic: 7, google: 'booking-1' },
      },
      { last: { network: 'google' } },
    ],
    ['unknown names', { first: { network: 'google', secret: 'x' }, third: {} }, { first: { network: 'google' } }],
  ])('is left out, and the lead taken, where it holds %s', async (_, attribution, kept) => {
    const { status } = await send({ ...leadForm(), attribution })
    expect(status).toBe(201)
    expect((await storedLead())?.attribution).toEqual(kept)
  })
})

describe('the limit of leads per address', () => {
  it('answers 429 with Retry-After, and counts each visitor behind the proxy alone', async () => {
    const limited = await apiWith(database.app, { LEAD_RATE_PER_MINUTE: '3', TRUST_PROXY_HOPS: '1' })
    const sendFrom = (ip: string, headers = {}) =>
      limited.call('POST', '/api/leads', leadForm(), { 'x-forwarded-for': ip, ...headers })
    for (let n = 0; n < 3; n++) expect((await sendFrom(`${n}.1.1.1, 198.51.100.9`)).status).toBe(201)

    const { status, headers, body } = await sendFrom('9.9.9.9, 198.51.100.9')
    expect(status).toBe(429)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60)
    expect(body).toMatchObject({ code: 'rate_limited', error: expect.stringMatching(/try again/) })
    expect((await sendFrom('198.51.100.10')).status).toBe(201)
    expect(await database.db('leads')).toHaveLength(4)
  })

  it('is eight times as high for all addresses of an IPv6 /48', async () => {
    const limited = await apiWith(database.db, { LEAD_RATE_PER_MINUTE: '2', TRUST_PROXY_HOPS: '1' })
    const sendFrom = (ip: string) => limited.call('POST', '/api/leads', leadForm(), { 'x-forwarded-for': ip })
    for (let n = 0; n < 16; n++) expect((await sendFrom(`2001:db8:77:${n}00::1`)).status).toBe(201)
    expect((await sendFrom('2001:db8:77:ff00::1')).status).toBe(429)
    expect((await sendFrom('2001:db8:78::1')).status).toBe(201)
  })
})
