import { describe, expect, it } from 'vitest'
import { findCandidates } from '../../../../core/leads/stores/candidates.ts'
import * as providers from '../../../../core/providers/stores/providers.ts'
import { useDatabase } from '../../../support/database.ts'
import { createLead, createProvider } from '../../../support/factories.ts'
import { seededRandom } from '../../../support/random.ts'

const database = useDatabase()

type Place = { latitude: number; longitude: number }
const AUSTIN = { latitude: 30.2672, longitude: -97.7431 }

const radians = (degrees: number) => (degrees * Math.PI) / 180

/** Great-circle distance in miles by the haversine formula, on a sphere of the Earth's mean radius (3,958.8 miles). */
function haversine(a: Place, b: Place): number {
  const half = (from: number, to: number) => Math.sin(radians(to - from) / 2) ** 2
  const chord =
    half(a.latitude, b.latitude) +
    Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * half(a.longitude, b.longitude)
  return 2 * 3958.8 * Math.asin(Math.sqrt(chord))
}

const centreOf = async (zip: string): Promise<Place> =>
  database.db('zip_codes').where({ zip }).first('latitude', 'longitude')

async function findNearest(zip: string) {
  const [candidates] = await findCandidates(database.db, [{ zip }])
  return candidates?.nearest ?? []
}

async function findChosen(chosenId: number) {
  const [candidates] = await findCandidates(database.db, [{ zip: '78702', chosenId }])
  return candidates?.chosen
}

it('finds the provider that is nearest by every distance computed by hand, and its distance within half a percent', async () => {
  const random = seededRandom(20261120)
  const zips: (Place & { zip: string })[] = await database
    .db('zip_codes')
    .select('zip', 'latitude', 'longitude')
    .orderBy('zip')
  const pick = () => zips[Math.floor(random() * zips.length)] as Place & { zip: string }

  const places: (Place & { id: number })[] = []
  for (let n = 0; n < 300; n++) {
    const { latitude, longitude, zip } = pick()
    // Every third counts from its zip, the others from a point some miles off.
    const place =
      n % 3 === 0
        ? { latitude, longitude }
        : { latitude: latitude + random() - 0.5, longitude: Math.max(-180, longitude + random() - 0.5) }
    const { id } = await createProvider(database.db, n % 3 === 0 ? { zip_code: zip } : { zip_code: zip, ...place })
    places.push({ id, ...place })
  }

  for (let n = 0; n < 50; n++) {
    const here = pick()
    const all = places.map((place) => ({ id: place.id, miles: haversine(here, place) }))
    const miles = Math.min(...all.map((place) => place.miles))
    const ids = all.filter((place) => place.miles === miles).map(({ id }) => id)

    const found = await findNearest(here.zip)
    expect({ zip: here.zip, ids: found.map(({ id }) => id).toSorted((a, b) => a - b) }).toEqual({
      zip: here.zip,
      ids,
    })
    // A provider in the very centre of the zip is no miles away, give or take the rounding.
    expect(Math.abs(Number(found[0]?.miles) - miles)).toBeLessThanOrEqual(miles * 0.005 + 1e-6)
  }
})

describe('the nearest candidates', () => {
  it('gives every one of the equally near, with the number of its leads', async () => {
    const [a, b] = [await createProvider(database.db, AUSTIN), await createProvider(database.db, AUSTIN)]
    await createProvider(database.db, { latitude: 33, longitude: -97 })
    await createLead(database.db, { providerId: a.id })
    await createLead(database.db, { providerId: a.id })

    const nearest = await findNearest('78702')
    const leadCounts = nearest.toSorted((x, y) => x.id - y.id).map(({ id, leadCount }) => ({ id, leadCount }))
    expect(leadCounts).toEqual([
      { id: a.id, leadCount: 2 },
      { id: b.id, leadCount: 0 },
    ])
  })

  it('counts a provider without coordinates from its zip', async () => {
    const { id } = await createProvider(database.db, { zip_code: '10001', latitude: null, longitude: null })

    const [nearest] = await findNearest('10002')
    const miles = haversine(await centreOf('10001'), await centreOf('10002'))
    expect(nearest?.id).toBe(id)
    expect(nearest?.miles).toBeGreaterThan(miles * 0.995)
    expect(nearest?.miles).toBeLessThan(miles * 1.005)
  })

  it('follows a provider that moves', async () => {
    const { id } = await createProvider(database.db, { zip_code: '78701' })
    await database.db('providers').where({ id }).update({ zip_code: '10001' })
    expect((await findNearest('10001'))[0]?.miles).toBeLessThan(0.01)

    await database.db('providers').where({ id }).update(AUSTIN)
    expect((await findNearest('78702'))[0]?.miles).toBeLessThan(10)
  })

  it('places a zip that the table does not know in the centre of its first three digits', async () => {
    const { id } = await createProvider(database.db, AUSTIN)
    const known = new Set(await database.db('zip_codes').whereLike('zip', '787%').pluck('zip'))
    const unknown = Array.from({ length: 100 }, (_, n) => `787${String(n).padStart(2, '0')}`).find(
      (zip) => !known.has(zip),
    )

    const [nearest] = await findNearest(String(unknown))
    expect(nearest?.id).toBe(id)
    expect(nearest?.miles).toBeLessThan(40)
  })

  it('finds nobody for a zip of which not even the first three digits are known', async () => {
    await createProvider(database.db, AUSTIN)
    const known = new Set((await database.db('zip_codes').pluck('zip')).map((zip) => zip.slice(0, 3)))
    const unknown = Array.from({ length: 1000 }, (_, n) => String(n).padStart(3, '0')).find(
      (prefix) => !known.has(prefix),
    )

    expect(await findNearest(`${unknown}11`)).toEqual([])
  })

  it('passes over the inactive', async () => {
    await createProvider(database.db, { ...AUSTIN, status: 'f' })
    const far = await createProvider(database.db, { zip_code: '10001' })

    expect((await findNearest('78702')).map(({ id }) => id)).toEqual([far.id])
  })

  it('passes over a provider that cannot be placed', async () => {
    await createProvider(database.db, { zip_code: 'unknown' })
    expect(await findNearest('78702')).toEqual([])
    const { id } = await createProvider(database.db, { zip_code: '10001' })
    expect((await findNearest('78702')).map((found) => found.id)).toEqual([id])
  })
})

describe('the providers around a zip', () => {
  it('are the nearest active ones, nearest first, whatever the distance', async () => {
    const { db } = database
    const far = await createProvider(db, { zip_code: '10001' })
    const near = await createProvider(db, { zip_code: '78701', practice_name: null, phone: null })
    const farther = await createProvider(db, { zip_code: '02108' })
    await createProvider(db, { zip_code: '78702', status: 'f' })
    await createProvider(db, { zip_code: '00000' })

    const found = await providers.listNearest(db, '78702', 5)
    expect(found.map(({ id }) => id)).toEqual([near.id, far.id, farther.id])
    expect(found[0]).toMatchObject({ practiceName: null, zipCode: '78701', phone: null })
    expect(found[0]?.miles).toBeLessThan(5)
    expect(found[1]?.miles).toBeGreaterThan(1400)
    expect(await providers.listNearest(db, '78702', 2)).toEqual(found.slice(0, 2))
  })

  it('are none for a zip that cannot be placed', async () => {
    await createProvider(database.db)
    expect(await providers.listNearest(database.db, '00000', 5)).toEqual([])
  })
})

describe('the chosen candidate', () => {
  it('knows an active provider and its distance', async () => {
    const { id } = await createProvider(database.db, { zip_code: '10001' })
    const candidate = await findChosen(id)
    const miles = haversine(await centreOf('10001'), await centreOf('78702'))

    expect(candidate?.id).toBe(id)
    expect(candidate?.miles).toBeGreaterThan(miles * 0.995)
    expect(candidate?.miles).toBeLessThan(miles * 1.005)
  })

  it('knows no inactive and no unknown one', async () => {
    const { id } = await createProvider(database.db, { status: 'f' })
    expect(await findChosen(id)).toBeNull()
    expect(await findChosen(id + 1)).toBeNull()
  })

  it('has no distance where provider or zip cannot be placed', async () => {
    const { id } = await createProvider(database.db, { zip_code: 'unknown' })
    expect(await findChosen(id)).toMatchObject({ id, miles: null })
  })
})
