import { beforeEach, describe, expect, it } from 'vitest'
import type { FoundPlace } from '../../core/contract/places.ts'
import { useApi } from '../support/api-server.ts'
import { createProvider } from '../support/factories.ts'

const { api, database } = useApi()
let quill: number
const search = async (q: string): Promise<FoundPlace[]> =>
  (await api.call('GET', `/api/places?${new URLSearchParams({ q })}`)).body
const names = async (q: string) => (await search(q)).map(({ kind, name }) => `${kind}: ${name}`)

beforeEach(async () => {
  const place = { latitude: 30.27, longitude: -97.74 }
  quill = (await createProvider(database.db, { practice_name: "Quill Men's Health", name: 'Dr. Ána Flores', ...place }))
    .id
  await createProvider(database.db, { practice_name: 'Quill Closed', status: 'f', ...place })
  await createProvider(database.db, { practice_name: 'Wichita Clinic', zip_code: '67202' })
})

describe('the search for a place', () => {
  it('finds a zip code, or those that begin like it', async () => {
    expect(await search('78704')).toEqual([
      {
        kind: 'zip',
        name: 'Austin, TX 78704',
        latitude: expect.closeTo(30.24, 1),
        longitude: expect.closeTo(-97.77, 1),
        zip: '78704',
        providerId: null,
        bounds: null,
      },
    ])
    expect((await names('7870')).slice(0, 2)).toEqual(['zip: Austin, TX 78701', 'zip: Austin, TX 78702'])
    expect(await names('00000')).toEqual([])
  })

  it('finds a city: that of exactly this name first, then the larger ones', async () => {
    const austin = await search('austin')
    expect(austin[0]).toMatchObject({ kind: 'city', name: 'Austin, TX', zip: expect.stringMatching(/^78/) })
    expect(austin[0]?.latitude).toBeCloseTo(30.3, 0)
    expect(await names('austin, minnesota')).toEqual(['city: Austin, MN'])
    expect((await names('st. louis'))[0]).toBe('city: Saint Louis, MO')
    expect((await names('spring')).length).toBe(8)
    expect((await names('new york'))[0]).toBe('city: New York, NY')
  })

  it('finds a state with its bounds', async () => {
    const [texas] = await search('Texas')
    expect(texas).toMatchObject({ kind: 'state', name: 'Texas', zip: null })
    expect(texas?.bounds?.map(Math.round)).toEqual([-107, 26, -94, 36])
    expect((await names('ak'))[0]).toBe('state: Alaska')
  })

  it('finds active clinics by any word of their names, also one that stands at its zip code', async () => {
    for (const text of ['quill', 'mens quill', 'ana flo', "QUILL men's"]) {
      expect((await search(text)).filter(({ kind }) => kind === 'clinic')).toMatchObject([
        { name: "Quill Men's Health", providerId: quill },
      ])
    }
    const [wichita] = (await search('wichita clinic')).filter(({ kind }) => kind === 'clinic')
    expect([wichita?.latitude, wichita?.longitude]).toEqual([expect.closeTo(37.69, 1), expect.closeTo(-97.34, 1)])
  })
})
