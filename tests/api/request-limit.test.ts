import { describe, expect, it } from 'vitest'
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
