import { type Db, only } from '../core/platform/db.ts'

/** Adds providers near zips of the contiguous states, nine in ten of them active. */
export async function addManyProviders(db: Db, count: number): Promise<void> {
  const places = await db('zip_codes').whereBetween('latitude', [24, 50]).orderByRaw('md5(zip)')
  const rows = Array.from({ length: count }, (_, number) => {
    const { zip, latitude, longitude } = only(places.slice(number % places.length))
    return {
      name: `Provider ${number}`,
      practice_name: `Clinic ${number}`,
      address: `${number} Main Street`,
      phone: '(202) 555-0100',
      zip_code: zip,
      email: `clinic${number}@clinics.example`,
      latitude: latitude + Math.random() - 0.5,
      longitude: longitude + Math.random() - 0.5,
      status: number % 10 === 0 ? 'f' : 't',
    }
  })
  await db.batchInsert('providers', rows, 5000)
  await db.raw('vacuum analyze providers')
}
