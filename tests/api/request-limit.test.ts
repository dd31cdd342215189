import { describe, expect, it } from 'vitest'
import { addressKey } from '../../api/middleware/proxy.ts'
import { PUBLIC_PROVIDERS_PER_PAGE } from '../../core/providers/contract/providers.ts'
import { useApi, useStaff } from '../support/api-server.ts'
import { createProvider } from '../support/factories.ts'

const { api, database } = useApi({ TRUST_PROXY_HOPS: '1', REQUEST_RATE_PER_MINUTE: '5' })
const staff = useStaff(database)
let addresses = 0
const from = (ip: string) => ({ 'x-forwarded-for': ip })

const newAddress = () => {
  addresses += 1
  return from(`198.51.100.${addresses}`)
}

describe('an address that asks for everything', () => {
  it('is told when to come back, and others are not', async () => {
    const busy = newAddress()
    for (let n = 0; n < 5; n++) expect((await api.call('GET', '/api/places?q=78701', undefined, busy)).status).toBe(200)
    for (const path of ['/api/places?q=78701', '/api/providers', '/api/openapi.json', '/']) {
      const { status, headers } = await api.call('GET', path, undefined, busy)
      expect([path, status, Number(headers.get('retry-after')) > 0]).toEqual([path, 429, true])
    }
    expect((await api.call('GET', '/api/places?q=78701', undefined, newAddress())).status).toBe(200)
  })

  it('still gets health checks and stored files, but no pictures that are made for it, and is limited with its whole network', async () => {
    const network = (n: number) => from(`2001:db8:77:${n.toString(16)}::1`)
    const answers = []
    for (let n = 0; n < 60; n++) {
      answers.push((await api.call('GET', '/api/places?q=78701', undefined, network(n))).status)
    }
    expect(answers.slice(0, 5)).toEqual([200, 200, 200, 200, 200])
    expect(answers.at(-1)).toBe(429)
    expect((await api.call('GET', '/healthz', undefined, network(1))).status).toBe(200)
    for (const file of ['/art/map/pin.svg', '/favicon.svg', '/assets/none.js']) {
      expect((await api.call('GET', file, undefined, network(1))).status, file).not.toBe(429)
    }
    for (const missing of ['/art/none', '/demo/none', '/demo/', '/tiles/none', '/assets/none']) {
      const { headers } = await api.call('GET', missing, undefined, { ...newAddress(), accept: 'text/html' })
      expect([missing, headers.get('content-type')]).toEqual([missing, expect.not.stringContaining('html')])
    }
    const stored = `/pictures/${'0'.repeat(32)}.webp`
    expect((await api.call('GET', stored, undefined, network(1))).status).not.toBe(429)
    for (const made of ['/pictures/clinic-1.png', '/pictures/clinics/1/share.png', '/pictures/other'])
      expect((await api.call('GET', made, undefined, network(1))).status, made).toBe(429)
  })
})

it('the public list of providers comes in pages with a link to the next, and staff get all at once', async () => {
  await database.db.raw(
    `insert into providers (name, zip_code, status, email)
       select 'Clinic ' || to_char(number, 'FM0000'), '78701', 't', 'clinic' || number || '@clinics.example'
       from generate_series(1, ?) as number`,
    [PUBLIC_PROVIDERS_PER_PAGE],
  )
  await createProvider(database.db, { name: 'Zenith Clinic' })

  const first = await api.call('GET', '/api/providers', undefined, newAddress())
  expect(first.body).toHaveLength(PUBLIC_PROVIDERS_PER_PAGE)
  const [, next = ''] = /^<(.+)>; rel="next"$/.exec(first.headers.get('link') ?? '') ?? []
  const second = await api.call('GET', next, undefined, newAddress())
  expect(second.body.map(({ name }: { name: string }) => name)).toEqual(['Zenith Clinic'])
  expect(second.headers.get('link')).toBeNull()

  const all = await api.call('GET', '/api/providers', undefined, { ...newAddress(), ...staff })
  expect(all.body).toHaveLength(PUBLIC_PROVIDERS_PER_PAGE + 1)
})

describe('addressKey', () => {
  it('counts an IPv4 address alone', () => {
    expect(addressKey('198.51.100.9')).not.toBe(addressKey('198.51.100.10'))
  })

  it.each([
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:aaaa:bbbb:cccc:dddd'],
    ['2001:db8:1:2::1', '2001:0db8:0001:0002::ffff'],
    ['2001:db8::1', '2001:db8::2'],
    ['2001:db8::1', '2001:db8::a:b:c:d'],
    ['2001:db8:0:0::1', '2001:db8::2'],
    ['::1', '::2'],
  ])('counts a whole IPv6 /64 as one: %s and %s', (one, other) => {
    expect(addressKey(one)).toBe(addressKey(other))
  })

  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:3::1'],
    ['2001:db8::1', '2001:db8:0:1::1'],
    ['2001:db8::1', '2001:db9::1'],
    ['::ffff:198.51.100.9', '::ffff:198.51.100.10'],
  ])('tells %s from %s', (one, other) => {
    expect(addressKey(one)).not.toBe(addressKey(other))
  })

  it('counts an IPv4 address the same in its IPv6 clothes', () => {
    expect(addressKey('::ffff:198.51.100.9')).toBe(addressKey('198.51.100.9'))
  })

  it.each(['', 'unknown', '198.51.100.9:4711', 'fe80::1%eth0'])('takes what a proxy makes of it (%j)', (address) => {
    expect(typeof addressKey(address)).toBe('string')
  })
})
