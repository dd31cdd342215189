import { describe, expect, it } from 'vitest'
import { startApiServer, useApi } from '../support/api-server.ts'
import { leadForm } from '../support/factories.ts'

const { api, database } = useApi()

const send = (body: unknown, { query = '', headers = {} } = {}) => api.call('POST', `/api/leads${query}`, body, headers)
const storedLead = () => database.db('leads').first()

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
    ['a list', [], {}],
    ['null', null, {}],
    ['touches of the wrong type', { first: 5, last: { utm_source: 'radio' } }, { last: { utm_source: 'radio' } }],
    ['a value of the wrong type', { first: { utm_source: 5, network: 'google' } }, { first: { network: 'google' } }],
    [
      'a value too long',
      { first: { utm_source: 'x'.repeat(5000), network: 'google' } },
      { first: { network: 'google' } },
    ],
    [
      'control characters',
      { last: { referrer: 'a\u0000b', utm_term: 'c\r\nd', network: 'google' } },
      { last: { network: 'google' } },
    ],
    ['lone surrogates', { last: { referrer: 'a\ud800', network: 'google' } }, { last: { network: 'google' } }],
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
    const limited = await startApiServer(database.app, { LEAD_RATE_PER_MINUTE: '3', TRUST_PROXY_HOPS: '1' })
    const sendFrom = (ip: string, headers = {}) =>
      limited.call('POST', '/api/leads', leadForm(), { 'x-forwarded-for': ip, ...headers })
    try {
      for (let n = 0; n < 3; n++) expect((await sendFrom(`${n}.1.1.1, 198.51.100.9`)).status).toBe(201)

      const { status, headers, body } = await sendFrom('9.9.9.9, 198.51.100.9')
      expect(status).toBe(429)
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60)
      expect(body).toMatchObject({ code: 'rate_limited', error: expect.stringMatching(/try again/) })
      expect((await sendFrom('198.51.100.10')).status).toBe(201)
      expect(await database.db('leads')).toHaveLength(4)
    } finally {
      await limited.close()
    }
  })

  it('is eight times as high for all addresses of an IPv6 /48', async () => {
    const limited = await startApiServer(database.db, { LEAD_RATE_PER_MINUTE: '2', TRUST_PROXY_HOPS: '1' })
    const sendFrom = (ip: string) => limited.call('POST', '/api/leads', leadForm(), { 'x-forwarded-for': ip })
    try {
      for (let n = 0; n < 16; n++) expect((await sendFrom(`2001:db8:77:${n}00::1`)).status).toBe(201)
      expect((await sendFrom('2001:db8:77:ff00::1')).status).toBe(429)
      expect((await sendFrom('2001:db8:78::1')).status).toBe(201)
    } finally {
      await limited.close()
    }
  })
})
