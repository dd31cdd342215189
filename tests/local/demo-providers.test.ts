import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { addDemoProviders, demoProviders } from '../../local/demo-providers.ts'
import { useDatabase } from '../support/database.ts'

const PUBLIC = fileURLToPath(new URL('../../web/public', import.meta.url))

const database = useDatabase()

describe('the demo providers', () => {
  const providers = demoProviders()

  test('are many, all over the country, and the same each time', () => {
    expect(providers.length).toBeGreaterThanOrEqual(72)
    expect(new Set(providers.map(({ address }) => address.slice(-2))).size).toBeGreaterThan(40)
    expect(demoProviders()).toEqual(providers)
  })

  test.each([
    ['inactive', { status: 'f' }],
    ['without coordinates', { latitude: null, longitude: null }],
    ['without a practice name', { practice_name: null }],
    ['without a picture', { image_url: null }],
    ['without a website', { website: null }],
    ['with financing', { accepts_financing: true }],
    ['without free consultation', { accepts_free_consultation: false }],
  ])('some are %s, most are not', (_name, fields) => {
    const some = providers.filter((provider) => expect.objectContaining(fields).asymmetricMatch(provider))
    expect(some.length).toBeGreaterThanOrEqual(5)
    expect(some.length).toBeLessThan(providers.length)
  })

  test('belong to nobody: fictional phone numbers and internet addresses', () => {
    for (const { phone, email, website } of providers) {
      expect(phone).toMatch(/^\(\d{3}\) 555-01\d\d$/)
      expect(email).toMatch(/@[a-z0-9-]+\.example$/)
      expect(website ?? '.example').toMatch(/\.example$/)
    }
  })

  test('have microsites on host names of this machine, active and complete', () => {
    const microsites = providers.filter(({ domain }) => domain)
    expect(microsites.length).toBeGreaterThanOrEqual(3)
    for (const { domain, status, logo_url, image_url } of microsites) {
      expect(domain).toMatch(/^[a-z]+\.localhost$/)
      expect([status, typeof logo_url, typeof image_url]).toEqual(['t', 'string', 'string'])
    }
  })

  test('show pictures that we serve', () => {
    const files = new Set(providers.flatMap(({ image_url, logo_url }) => [image_url, logo_url]))
    for (const file of files) if (file) expect(existsSync(`${PUBLIC}${file}`), file).toBe(true)
  })

  test('are added once, to a database without providers', async () => {
    const { db } = database
    expect(await addDemoProviders(db)).toBe(providers.length)
    expect(await addDemoProviders(db)).toBe(0)

    const [row] = await db('providers').whereNull('location').count()
    expect(row).toEqual({ count: '0' })
  })
})
