import { MILES, POINT } from '../../leads/stores/zip-codes.ts'
import { type Db, only, queryRows } from '../../platform/db.ts'
import type { SyncImpact, SyncRunDetails } from '../contract/sync.ts'

const DAYS = 30

/**
 * Works out what happens to the leads of the providers that a run would deactivate, by those of the last 30 days. A zip is
 * looked up once, in the index of places. Providers that the run would activate count as active, new ones do not.
 */
export async function read(
  db: Db,
  { changes }: Pick<SyncRunDetails, 'changes'>,
  { radiusMiles }: { radiusMiles: number },
): Promise<SyncImpact> {
  const idsOf = (kind: 'deactivate' | 'reactivate') =>
    changes.flatMap((change) => (change.kind === kind && change.provider_id !== null ? [change.provider_id] : []))
  const gone = idsOf('deactivate')
  const row = only(
    await queryRows<Omit<SyncImpact, 'providers' | 'days'>>(
      db,
      `with taken as materialized (
         select zip_code as zip, match_distance_miles as before from leads
         where provider_id = any(cast(:gone as integer[])) and created_at > now() - :days * interval '24 hours' and not is_test
       ), wanted as materialized (
         select zip, ${POINT} as point from (select distinct zip from taken) wanted
       ), next as materialized (
         select zip, miles from wanted left join lateral (
           select ${MILES} as miles from providers
           where (status = 't' or id = any(cast(:back as integer[]))) and id <> all(cast(:gone as integer[]))
             and location is not null and point is not null
           order by location <-> point limit 1
         ) nearest on true
       )
       select count(*)::integer as leads, count(distinct zip)::integer as zips,
         (count(*) filter (where miles <= :radiusMiles))::integer as elsewhere,
         (count(*) filter (where miles is null or miles > :radiusMiles))::integer as unmatched,
         percentile_cont(0.5) within group (order by miles - before) filter (where miles <= :radiusMiles) as extra_miles
       from taken join next using (zip)`,
      { gone, back: idsOf('reactivate'), days: DAYS, radiusMiles },
    ),
  )
  return { providers: gone.length, days: DAYS, ...row }
}
