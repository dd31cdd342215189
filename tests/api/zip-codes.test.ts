import { describe, expect, it } from 'vitest'
import { ZipReach } from '../../core/contract/places.ts'
import { apiWith, useApi } from '../support/api-server.ts'
import { createLead, createProvider, signedInStaff } from '../support/factories.ts'

const { api, database } = useApi()
const AUSTIN = '78702'
const FARAWAY = '99901' // Ketchikan, Alaska

const ask = (zip: string, query = '') => api.call('GET', `/api/zip-codes/${zip}/reach${query}`)

async function rule(id: number, rules: Record<string, unknown>): Promise<void> {
  const { headers: manager } = await signedInStaff(database.db)
  expect((await api.call('PATCH', `/api/providers/${id}/rules`, rules, manager)).status).toBe(200)
}

describe('what a zip code comes to', () => {
  it('is its place and the whole miles to the nearest clinic, kept by caches for a minute, and nothing more', async () => {
    await createProvider(database.db, { zip_code: '78701' })
    const { status, body, headers } = await ask(AUSTIN)
    expect(status).toBe(200)
    expect(ZipReach.strict().parse(body)).toEqual(body)
    expect(body).toEqual({
      ...{ zip: AUSTIN, city: 'Austin', state: 'TX' },
      ...{ inReach: true, miles: expect.any(Number), noneWithinMiles: null },
      clinicPlace: {
        city: 'Austin',
        state: 'TX',
        latitude: expect.closeTo(30.3, 0),
        longitude: expect.closeTo(-97.7, 0),
      },
    })
    expect(body.miles).toBeLessThan(5)
    expect(headers.get('cache-control')).toBe('public, max-age=60')
  })

  it('has the radius of the settings if it holds no clinic', async () => {
    await createProvider(database.db)
    expect((await ask(FARAWAY)).body).toMatchObject({
      ...{ city: 'Ketchikan', state: 'AK', inReach: false, miles: null, noneWithinMiles: 100 },
    })
    const far = await apiWith(database.app, { MATCH_RADIUS_MILES: '5000' })
    expect((await far.call('GET', `/api/zip-codes/${FARAWAY}/reach`)).body.inReach).toBe(true)
  })

  it('has no clinic and no radius if the clinic nearby is paused, full, or excludes the zip', async () => {
    const { id } = await createProvider(database.db)
    for (const rules of [
      { is_paused: true },
      { is_paused: false, excluded_zips: [AUSTIN] },
      { excluded_zips: [], radius_miles: 0.1 },
    ]) {
      await rule(id, rules)
      expect((await ask(AUSTIN)).body, JSON.stringify(rules)).toMatchObject({
        ...{ inReach: false, miles: null, noneWithinMiles: null },
      })
    }
    await rule(id, { radius_miles: null, daily_cap: 1 })
    expect((await ask(AUSTIN)).body.inReach).toBe(true)
    await createLead(database.db, { providerId: id })
    expect((await ask(AUSTIN)).body.inReach).toBe(false)
  })

  it('is of the clinic that the visitor chose, at any distance, and of no other', async () => {
    const chosen = await createProvider(database.db, { zip_code: '80202' }) // Denver
    await createProvider(database.db)
    const far = await ask(AUSTIN, `?providerId=${chosen.id}`)
    expect(far.body.inReach).toBe(true)
    expect(far.body.miles).toBeGreaterThan(500)

    await rule(chosen.id, { is_paused: true })
    expect((await ask(AUSTIN, `?providerId=${chosen.id}`)).body).toMatchObject({
      ...{ city: 'Austin', inReach: false, miles: null, noneWithinMiles: null },
    })
  })
})

it('may be asked four times as often as forms may be sent', async () => {
  const limited = await apiWith(database.app, { LEAD_RATE_PER_MINUTE: '1' })
  const answers = []
  for (let n = 0; n < 5; n++) answers.push((await limited.call('GET', `/api/zip-codes/${AUSTIN}/reach`)).status)
  expect(answers).toEqual([200, 200, 200, 200, 429])
})
