import type { StaffProvider } from '../contract/providers.ts'
import type { Db } from '../db.ts'
import type { Candidate, NearestCandidate } from '../rules/matching.ts'

/** Miles from a point to a provider. earthdistance counts in metres on a sphere; a mile has 1609.344. */
const MILES = 'earth_distance(location, point) / 1609.344'

/** Active or inactive providers by name, each with the number of its leads. */
export async function list(db: Db, status: 'active' | 'inactive'): Promise<StaffProvider[]> {
  return query(db)
    .where('status', status === 'active' ? 't' : 'f')
    .orderBy(['name', 'id'])
}

export async function find(db: Db, id: number): Promise<StaffProvider | null> {
  return (await query(db).where('id', id).first()) ?? null
}

/** The provider whose microsite is served on this host, by exact name whatever its case. */
export async function findByDomain(db: Db, hostname: string): Promise<StaffProvider | null> {
  return (await query(db).whereRaw('lower(domain) = ?', hostname.toLowerCase()).first()) ?? null
}

/** The provider with that id if it is active, with its distance from the zip; else null. */
export async function findCandidate(db: Db, id: number, zip: string): Promise<Candidate | null> {
  const { rows } = await db.raw(
    `select id, ${MILES} as miles from providers, zip_location(:zip) as point where id = :id and status = 't'`,
    { id, zip },
  )
  return rows[0] ?? null
}

/**
 * The nearest active provider to a zip, and every one that is exactly as near, whatever the distance: from the index,
 * so in constant time. Empty when nobody is active or the zip cannot be placed.
 */
export async function findNearest(db: Db, zip: string): Promise<NearestCandidate[]> {
  const { rows } = await db
    .raw(
      `with here as materialized (
         select coalesce((select location from zip_codes where zip = ?), zip_location(?)) as point
       )
       select id, miles, case when count(*) over () > 1
         then (select count(*)::integer from leads where provider_id = nearest.id) else 0 end as "leadCount"
       from (
         select id, ${MILES} as miles from here, lateral (
           select id, location from providers where status = 't' order by location <-> point fetch first 1 row with ties
         ) active
         where point is not null
       ) nearest
       where miles is not null`,
      [zip, zip],
    )
    .options({ name: 'nearest-provider' })
  return rows
}

function query(db: Db) {
  return db('providers').select(
    'id',
    'wordpress_id',
    'name',
    { practiceName: 'practice_name' },
    'address',
    { zipCode: 'zip_code' },
    'status',
    'latitude',
    'longitude',
    'phone',
    'email',
    'website',
    'url',
    'mpxapi',
    'domain',
    'google_ads_id',
    'bing_ads_id',
    'image_url',
    'logo_url',
    'accepts_free_consultation',
    'accepts_financing',
    db.raw('(select count(*)::integer from leads where provider_id = providers.id) as "leadCount"'),
  )
}
