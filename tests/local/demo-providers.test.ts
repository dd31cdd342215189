import { describe, expect, test } from 'vitest'
import { addDemoProviders, demoProviders } from '../../local/demo-providers.ts'
import { useDatabase } from '../support/database.ts'

const database = useDatabase({ isKept: true })

describe('the demo providers', () => {
  const providers = demoProviders()

  test('are many, all over the country, and the same each time', () => {
    expect(providers.length).toBeGreaterThanOrEqual(72)
    expect(new Set(providers.map(({ address }) => address.slice(-2))).size).toBeGreaterThan(40)
    expect(demoProviders()).toEqual(providers)
  })

  test('have microsites on host names of this machine, active and complete', () => {
    const microsites = providers.filter(({ domain }) => domain)
    expect(microsites.length).toBeGreaterThanOrEqual(3)
    for (const { domain, status, logo_url, image_url } of microsites) {
      expect(domain).toMatch(/^[a-z]+\.localhost$/)
      expect([status, typeof logo_url, typeof image_url]).toEqual(['t', 'string', 'string'])
    }
  })

  test('are added once, to a database without providers', async () => {
    const { db } = database
    expect(await addDemoProviders(db)).toBe(providers.length)
    expect(await addDemoProviders(db)).toBe(0)

    const [row] = await db('providers').whereNull('location').count()
    expect(row).toEqual({ count: '0' })
  })
})
