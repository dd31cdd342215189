import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import type { MapCounts, StateCount } from '../../contract/page.ts'
import { type FoundPlace, MAX_PLACES, type Place, type ProviderPoint } from '../../contract/places.ts'
import { folded } from '../../contract/texts.ts'
import { countRows, type Db, only, type Query, queryRows } from '../../platform/db.ts'
import { MIGRATIONS } from '../../platform/migrations.ts'
import { partsOf, readPlaceSearch } from '../rules/search.ts'

/** SQL for the words of a clinic and of a place, exactly as in the indexes of the migration `lead-sources`. */
export const CLINIC_WORDS = `name_words(folded(name || ' ' || coalesce(practice_name, '')))`
export const PLACE_WORDS = `name_words(folded(coalesce(city, '') || ' ' || coalesce(state, '')))`

/** Shorter texts find too many clinics to be of use. */
const MIN_CLINIC_TEXT = 3
const MAX_CLINICS = 3

/** Finds the places that a text may mean, the best match first: zip codes, states, cities by their size, and clinics. */
export async function search(db: Db, text: string): Promise<FoundPlace[]> {
  const { zip, cities, states } = readPlaceSearch(text)
  if (zip) return findZips(db, zip)
  const [ofStates, clinics, ...ofCities] = await Promise.all([
    states.length > 0 ? findStates(db, states) : [],
    text.length >= MIN_CLINIC_TEXT ? findClinics(db, text) : [],
    ...cities.map((city) => findCities(db, city)),
  ])
  const found = ofCities.flat()
  const isCity = found.some(({ name }) => name.toLowerCase().startsWith(`${text.toLowerCase()},`))
  // `New York` is the city, `Texas` the state, and a clinic must not be pushed out by many cities.
  const places = isCity ? [...found, ...ofStates] : [...ofStates, ...found]
  const first = unique(places).slice(0, MAX_PLACES - clinics.length)
  return [...first, ...clinics]
}

function unique(places: FoundPlace[]): FoundPlace[] {
  return [...new Map(places.map((place) => [`${place.kind} ${place.name}`, place])).values()]
}

const NOT_CLINIC = 'null::integer as "providerId"'

/** Finds zip codes by their beginning. The digits are compared as a range, which uses the primary key in any collation. */
function findZips(db: Db, zip: string): Promise<FoundPlace[]> {
  return queryRows<FoundPlace>(
    db,
    `select 'zip' as kind, coalesce(city || ', ' || state || ' ', '') || zip as name, latitude, longitude, zip,
       ${NOT_CLINIC}, null as bounds
     from zip_codes where zip between ? and ? order by zip limit ?`,
    [zip.padEnd(5, '0'), zip.padEnd(5, '9'), MAX_PLACES],
  )
}

/** Finds cities by the beginning of their name. The one with exactly that name comes first, then those with most zips. */
function findCities(db: Db, { city, state }: { city: string; state?: string }): Promise<FoundPlace[]> {
  return queryRows<FoundPlace>(
    db,
    `select 'city' as kind, city || ', ' || state as name, avg(latitude) as latitude, avg(longitude) as longitude,
       -- The middle one, because the first may be that of an office far away.
       (array_agg(zip order by zip))[(count(*) + 1) / 2] as zip, ${NOT_CLINIC}, null as bounds
     from zip_codes where lower(city) like ? and state is not null ${state ? 'and state = ?' : ''}
     group by city, state
     order by lower(city) = ? desc, count(*) desc, city, state limit ?`,
    [`${city.replace(/[\\%_]/g, '\\$&')}%`, ...(state ? [state] : []), city, MAX_PLACES],
  )
}

async function findStates(db: Db, states: { code: string; name: string }[]): Promise<FoundPlace[]> {
  const rows = await queryRows<FoundPlace & { bounds: [number, number, number, number] }>(
    db,
    `select 'state' as kind, state as name, avg(latitude) as latitude, avg(longitude) as longitude, null as zip,
       ${NOT_CLINIC},
       -- The Aleutian Islands go beyond 180 degrees.
       array[min(longitude) filter (where longitude < 0), min(latitude),
         max(longitude) filter (where longitude < 0), max(latitude)] as bounds
     from zip_codes where state = any(?::text[]) group by state`,
    [states.map(({ code }) => code)],
  )
  return states.flatMap(({ code, name }) => {
    const found = rows.find((row) => row.name === code)
    return found ? [{ ...found, name }] : []
  })
}

/** SQL for the place of a provider: its own, or the center of its zip code. */
const [LATITUDE, LONGITUDE] = ['latitude', 'longitude'].map(
  (name) => `coalesce(providers.${name}, ${name}(providers.location))`,
)

/** Finds active clinics by the beginnings of the words of their names. */
function findClinics(db: Db, text: string): Promise<FoundPlace[]> {
  const words = partsOf(folded(text))
  if (words.length === 0) return Promise.resolve([])
  return queryRows<FoundPlace>(
    db,
    `select 'clinic' as kind, coalesce(practice_name, name) as name, ${LATITUDE} as latitude, ${LONGITUDE} as longitude,
       zip_code as zip, id as "providerId", null as bounds
     from providers
     where status = 't' and location is not null and ${CLINIC_WORDS} @@ ?::tsquery
     order by 2, id limit ?`,
    [words.map((word) => `'${word}':*`).join(' & '), MAX_CLINICS],
  )
}

export type Wishes = { isFree?: boolean; hasFinancing?: boolean }
/** A part of the map: within some miles of a point, or a state by its code. */
export type Area = (Place & { miles: number }) | { state: string }

/** SQL for providers that visitors see on the map, and where they are. The parameters are two wishes. */
const ON_MAP = `from providers left join zip_codes on zip_codes.zip = zip_code
  where providers.location is not null and (status = 't' or not hidden)
    and (accepts_free_consultation or not ?::boolean) and (accepts_financing or not ?::boolean)`
const wishesOf = ({ isFree = false, hasFinancing = false }: Wishes) => [isFree, hasFinancing]

const POINTS = `select providers.id, ${LATITUDE} as latitude, ${LONGITUDE} as longitude, providers.latitude is null as "isOfZip",
  zip_codes.state, accepts_free_consultation as "isFree", accepts_financing as "hasFinancing", status = 'f' as "isInactive" ${ON_MAP}`

/** Lists the places of the active or the inactive providers with what they offer, by id. Skips hidden ones. */
export function listPoints(db: Db, status: 'active' | 'inactive'): Promise<ProviderPoint[]> {
  return queryRows(db, `${POINTS} and status = ? order by providers.id`, [
    ...wishesOf({}),
    status === 'active' ? 't' : 'f',
  ])
}

/** Finds where a provider is on the map, active or not. */
export async function findPoint(db: Db, id: number): Promise<ProviderPoint | null> {
  const found = await queryRows<ProviderPoint>(db, `${POINTS} and providers.id = ?`, [...wishesOf({}), id])
  return found[0] ?? null
}

/** Lists the providers that are nearest to a point, nearest first, active or not; with a state, only those there. */
export function listNearest(
  db: Db,
  { latitude, longitude, state = null }: Place & { state?: string | null },
  { limit, ...wishes }: Wishes & { limit: number },
): Promise<ProviderPoint[]> {
  return queryRows(
    db,
    `${POINTS} and coalesce(zip_codes.state = ?, ?::text is null)
     order by providers.location <-> ll_to_earth(?, ?), providers.id limit ?`,
    [...wishesOf(wishes), state, state, latitude, longitude, limit],
  )
}

/** Counts the active providers on the map, or in an area: all that fulfill the wishes, and those that would fulfill one more. */
export async function countOnMap(db: Db, wishes: Wishes, area?: Area): Promise<MapCounts> {
  const near = 'and earth_distance(providers.location, ll_to_earth(?, ?)) <= ? * 1609.344'
  const [within, values] =
    area && 'state' in area
      ? ['and zip_codes.state = ?', [area.state]]
      : area
        ? [near, [area.latitude, area.longitude, area.miles]]
        : ['', []]
  return only(
    await queryRows<MapCounts>(
      db,
      `select count(*)::integer as total, (count(*) filter (where accepts_free_consultation))::integer as free,
         (count(*) filter (where accepts_financing))::integer as financing
       ${ON_MAP} and status = 't' ${within}`,
      [...wishesOf(wishes), ...values],
    ),
  )
}

/** Counts the active providers on the map by the code of their state. */
export function countByState(db: Db, wishes: Wishes): Promise<StateCount[]> {
  return queryRows(
    db,
    `select zip_codes.state, count(*)::integer as clinics ${ON_MAP} and status = 't' and zip_codes.state is not null group by 1`,
    wishesOf(wishes),
  )
}

/** The center of a zip code in degrees (WGS 84), and its place if known. */
export type ZipCodePlace = {
  zip: string
  latitude: number
  longitude: number
  city: string | null
  state: string | null
}

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
  const [found = null] = await queryRows<ZipCodePlace>(db, ...findQuery(zip), { name: 'find-zip' })
  return found
}

export const findQuery = (zip: string): Query => [
  'select zip, latitude, longitude, city, state from zip_codes where zip = ?',
  [zip],
]

/** Finds the center of a provider's zip code. */
export async function findOfProvider(db: Db, id: number): Promise<Omit<ZipCodePlace, 'zip'> | null> {
  const [found = null] = await queryRows<Omit<ZipCodePlace, 'zip'>>(
    db,
    `select zip_codes.latitude, zip_codes.longitude, zip_codes.city, zip_codes.state
     from providers join zip_codes on zip = zip_code where id = ?`,
    [id],
    { name: 'find-zip-of-provider' },
  )
  return found
}

export async function listUnknown(db: Db, zips: string[]): Promise<string[]> {
  const known = new Set(await db('zip_codes').whereRaw('zip = any(?::text[])', [zips]).pluck('zip'))
  return zips.filter((zip) => !known.has(zip))
}

/** Every US ZIP with its center, city and state, as `npm run zips` writes them. */
export const ZIPS = new URL('zips.tsv.br', MIGRATIONS)

/** Fills the table with the zips of the file, unless the comment of the table says that it has. Returns the number of zips. */
export async function loadZipCodes(db: Db): Promise<number> {
  const file = await readFile(ZIPS)
  const hash = createHash('sha256').update(file).digest('hex')
  const [table] = await queryRows<{ comment: string | null }>(
    db,
    `select obj_description('zip_codes'::regclass) as comment`,
  )
  if (table?.comment !== hash) {
    const text = (await promisify(brotliDecompress)(file)).toString()
    await db.transaction(async (trx) => {
      await trx.raw('lock table zip_codes in share row exclusive mode')
      await trx('zip_codes').delete()
      await trx.raw(
        `insert into zip_codes (zip, latitude, longitude, city, state)
         select row[1], row[2]::double precision, row[3]::double precision, nullif(row[4], ''), nullif(row[5], '')
         from string_to_table(?, e'\n') line, string_to_array(line, e'\t') row`,
        [text],
      )
      await trx.raw(`comment on table zip_codes is '${hash}'`)
    })
  }
  return countRows(db('zip_codes'))
}
