import { beforeAll, describe, expect, it } from 'vitest'
import { loadZipCodes } from '../../../../core/leads/stores/places.ts'
import { StaffProvider } from '../../../../core/providers/contract/providers.ts'
import * as providers from '../../../../core/providers/stores/providers.ts'
import type { Row } from '../../../../core/tables/table.ts'
import { listZips } from '../../../../ops/zips.ts'
import { useDatabase } from '../../../support/database.ts'
import { createLead, createProvider } from '../../../support/factories.ts'

const database = useDatabase()

const AUSTIN = { latitude: 30.2672, longitude: -97.7431 }

describe('list and find', () => {
  it('present a provider in the shape of the contract, with the number of its leads', async () => {
    const { id } = await createProvider(database.db, {
      ...AUSTIN,
      wordpress_id: 12,
      mpxapi: 'x',
      domain: 'clinic.example',
    })
    await createLead(database.db, { providerId: id })

    const found = await providers.find(database.db, id)
    const [counted] = await providers.forStaff(database.db, found ? [found] : [])
    expect(StaffProvider.parse(counted)).toEqual(counted)
    expect(counted).toMatchObject({ id, leadCount: 1, wordpress_id: 12, zipCode: '78701', ...AUSTIN })
    expect(await providers.list(database.db, 'active')).toEqual([found])
  })

  it('separate the active from the inactive, by name', async () => {
    const [b, a] = [await createProvider(database.db, { name: 'B' }), await createProvider(database.db, { name: 'A' })]
    const off = await createProvider(database.db, { name: 'C', status: 'f' })

    expect((await providers.list(database.db, 'active')).map(({ id }) => id)).toEqual([a.id, b.id])
    expect((await providers.list(database.db, 'inactive')).map(({ id }) => id)).toEqual([off.id])
  })

  it('know a domain whatever its case, and with or without www.', async () => {
    const { id } = await createProvider(database.db, { domain: 'Clinic.example' })

    for (const same of ['cLINIC.example', 'www.clinic.example']) {
      expect((await providers.findByDomain(database.db, same))?.id).toBe(id)
    }
    for (const other of ['clinic_example', 'www.www.clinic.example', 'clinic.exampl', '%', '']) {
      expect(await providers.findByDomain(database.db, other)).toBeNull()
    }
  })

  it('do not allow one domain twice', async () => {
    await createProvider(database.db, { domain: 'clinic.example' })
    await expect(createProvider(database.db, { domain: 'CLINIC.example' })).rejects.toThrow('providers_domain_key')
  })
})

describe('zip_codes', () => {
  let rows: Map<string, Row<'zip_codes'>>
  beforeAll(async () => {
    rows = new Map((await database.db('zip_codes')).map((row) => [row.zip, row]))
  })

  it('has every zip of the country, as the data sets have them', async () => {
    const list = (await listZips()).split('\n')
    expect(list.length).toBeGreaterThanOrEqual(41_000)
    const inTable = new Set(
      [...rows.values()].map(({ zip, latitude, longitude, city, state }) =>
        [zip, latitude, longitude, city, state].join('\t'),
      ),
    )
    expect(inTable.size).toBe(list.length)
    expect(list.filter((line) => !inTable.has(line))).toEqual([])
  })

  it('is filled again by the next migration when the file differs from the one that filled it', async () => {
    const { db } = database
    await db('zip_codes').where({ zip: '78701' }).update({ latitude: 0 })
    await loadZipCodes(db)
    expect(await db('zip_codes').where({ zip: '78701' }).first()).toMatchObject({ latitude: 0 })
    await db.raw("comment on table zip_codes is 'another'")
    await loadZipCodes(db)
    expect(await db('zip_codes').where({ zip: '78701' }).first()).toEqual(rows.get('78701'))
  })

  it.each([
    ['99503', 61.2, -149.9],
    ['33112', 25.8, -80.4],
    ['36421', 31.3, -86.5],
  ])('puts %s near its county or its city, where a source is wrong', (zip, latitude, longitude) => {
    expect(rows.get(zip)?.latitude).toBeCloseTo(latitude, 1)
    expect(rows.get(zip)?.longitude).toBeCloseTo(longitude, 1)
  })

  it('leaves out a zip of which no source says a plausible place', () => {
    expect(rows.has('20588')).toBe(false)
  })

  it.each([
    ['00501', 'Holtsville', 'NY', 40.8, -73.0],
    ['10001', 'New York', 'NY', 40.75, -74.0],
    ['78701', 'Austin', 'TX', 30.27, -97.74],
    ['90210', 'Beverly Hills', 'CA', 34.1, -118.41],
    ['96813', 'Honolulu', 'HI', 21.31, -157.86],
    ['99501', 'Anchorage', 'AK', 61.22, -149.88],
    ['02108', 'Boston', 'MA', 42.36, -71.06],
  ])('knows %s: %s, %s', (zip, city, state, latitude, longitude) => {
    const row = rows.get(zip)
    expect(row).toMatchObject({ city, state })
    expect(row?.latitude).toBeCloseTo(latitude, 0)
    expect(row?.longitude).toBeCloseTo(longitude, 0)
  })

  it.each([
    ['09012', 'AE'],
    ['09865', 'AE'],
    ['34002', 'AA'],
    ['96201', 'AP'],
    ['96350', 'AP'],
    ['96365', 'AP'],
  ])('knows the military zip %s: %s', (zip, state) => {
    expect(rows.get(zip)).toMatchObject({ city: expect.stringMatching(/^[AF]PO$/), state })
  })

  it('places every one of them on the map', async () => {
    const [stray] = await database.db('zip_codes').whereNull('location').orWhere({ latitude: 0, longitude: 0 }).count()
    expect(Number(stray?.count)).toBe(0)
  })
})
