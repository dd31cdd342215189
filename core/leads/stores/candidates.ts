import { type Db, type Query, queryRows } from '../../platform/db.ts'
import { RULES_COLUMNS, RULES_TABLES, type RulesRow, rulesNow } from '../../providers/stores/provider-rules.ts'
import { type Candidate, type Candidates, obstacleOf, type Wanted } from '../rules/matching.ts'
import { NO_TESTS } from './leads.ts'
import { FEW, MILES, POINT } from './places.ts'

/** How many of the nearest providers are read where there are rules, until one takes the lead. The last is the most. */
const LOOKED_AT = [4, 16, 64, 512] as const

type Role = 'chosen' | 'again' | 'near' | 'preferred' | 'extra' | 'backup'
type Found = { role: Role; candidate: Candidate }

/**
 * Finds the candidates for each of several leads, in their order. In a network without rules, `nearest` has the nearest
 * active provider at any distance, and those that are exactly as near; the index makes this constant time. In a network
 * with rules, it has as many of the nearest as are needed to find one that takes the lead, those that are preferred, and
 * those that have the zip as extra. It is empty when no provider is active or the zip cannot be placed. For a sender whose
 * earlier requests are read at the same time, it has a few more if one was declined.
 * @param options.radiusMiles no provider beyond it is looked for
 * @param options.first the rows of `candidatesQuery`, if they were read before
 * @param options.countTo counts the leads that each got within the hour, up to this number
 */
export async function findCandidates(
  db: Db,
  wanted: Wanted[],
  { radiusMiles = Number.POSITIVE_INFINITY, countTo = 0, first = undefined as FoundRow[] | undefined } = {},
): Promise<Candidates[]> {
  const candidates: Candidates[] = []
  let open = [...wanted.entries()]
  for (const count of LOOKED_AT) {
    if (open.length === 0) break
    const leads = open.map(([, lead]) => lead)
    const query = candidatesQuery(leads, { count, countTo })
    const rows =
      count === LOOKED_AT[0] && first
        ? first
        : await queryRows<FoundRow>(db, ...query, { name: `find-candidates-${count}` })
    const found: Found[][] = leads.map(() => [])
    for (const row of rows) found[row.position - 1]?.push(present(row, countTo))
    for (const [index, [position, lead]] of open.entries())
      candidates[position] = candidatesOf(found[index] ?? [], lead)
    open = open.filter((_, index) => needsMore(found[index] ?? [], count, radiusMiles))
  }
  return candidates
}

function candidatesOf(found: Found[], { again: earlier, email }: Wanted): Candidates {
  const of = (...roles: Role[]): Candidate[] => {
    const ofRoles = found.flatMap(({ role, candidate }) => (roles.includes(role) ? [candidate] : []))
    return [...new Map(ofRoles.map((candidate) => [candidate.id, candidate])).values()]
  }
  const [again] = of('again')
  return {
    chosen: of('chosen')[0] ?? null,
    ...(again && earlier && { again: { ...again, leadId: earlier.leadId } }),
    ...(email !== undefined && { known: of('again') }),
    nearest: of('extra', 'preferred', 'near'),
    backups: of('backup'),
  }
}

/** Returns whether a provider that was not read may take the lead before those that were. */
function needsMore(found: Found[], count: number, radiusMiles: number): boolean {
  const takes = ({ candidate }: Found) =>
    candidate.rules?.priority !== -1 && obstacleOf(candidate, { radiusMiles }) === null
  // A preferred one comes before all that are only near.
  for (const role of ['preferred', 'near']) {
    const ofRole = found.filter((each) => each.role === role)
    if (ofRole.some(takes)) return false
    const isAll = ofRole.length < count || ofRole.some(({ candidate }) => (candidate.miles ?? 0) > radiusMiles)
    if (!isAll) return true
  }
  return false
}

export type FoundRow = RulesRow & { position: number; role: Role; id: number; name: string; miles: number | null } & {
  leadCount: number
  hourCount: number
}

/** SQL for the providers of the earlier requests of a sender, as `findEarlier` finds them by email. */
const ofSender = (condition: string) => `select provider_id from leads
  where recipient_of(email) = recipient_of(sender) and lower(email) = lower(sender) and held_reason is null and not is_test
    and ${condition}`

/**
 * Reads the candidates of each lead with their rules. `count` stands in the SQL, because a parameter would cost the index
 * scan.
 */
export function candidatesQuery(
  wanted: Wanted[],
  { count = LOOKED_AT[0], countTo }: { count?: (typeof LOOKED_AT)[number]; countTo: number },
): Query {
  const nearest = (role: Role, first: number, condition: string) => `(
    select '${role}', id from providers
    where status = 't' and ${condition} and id <> all(refused) and location is not null and point is not null
    order by location <-> point fetch first ${first} rows with ties
  )`
  return [
    `with wanted as materialized (
       select position::integer, zip, chosen_id, again_id, refused_ids::integer[] as refused, sender, ${POINT} as point,
         exists (select from provider_rules) or exists (${ofSender("outcome = 'declined'")}) as has_several
       from unnest(?::text[], ?::integer[], ?::integer[], ?::text[], ?::text[])
         with ordinality as wanted (zip, chosen_id, again_id, refused_ids, sender, position)
       where ${FEW}
     ), found as materialized (
       select position, role, id from wanted cross join lateral (
         select 'chosen' as role, id from providers where id = chosen_id and status = 't'
         union all
         select 'again', id from providers where id = again_id and status = 't' and id <> all(refused)
         union all
         select 'again', id from providers where status = 't' and id = any(array(${ofSender('provider_id is not null')}))
         union all ${nearest('near', 1, 'not has_several')}
         union all ${nearest('near', count, 'has_several')}
         union all ${nearest('preferred', count, 'match_priority = 1')}
         union all
         select 'extra', id from provider_rules rule join providers on id = provider_id
         where extra_zips @> array[zip] and status = 't' and id <> all(refused)
       ) each
     ), every as (
       select position, role, id from found
       union
       select position, 'backup', backup_provider_id from found join provider_rules on provider_id = id
       where backup_provider_id is not null
     )
     select position, role, provider.id, coalesce(practice_name, name) as name, ${MILES} as miles,
       case when count(*) over (partition by position, role, location) > 1
         then (select count(*)::integer from leads where leads.provider_id = provider.id and ${NO_TESTS}) else 0 end as "leadCount",
       (select count(*)::integer from (
         select from leads where leads.provider_id = provider.id and held_reason is null
           and created_at > now() - interval '1 hour' and ${NO_TESTS} order by created_at desc limit ?
       ) newest) as "hourCount",
       zip = any(extra_zips) as "hasExtraZip", zip = any(excluded_zips) as "isZipExcluded", ${RULES_COLUMNS}
     from every
     join wanted using (position)
     join providers provider on provider.id = every.id
     left join provider_rules rule on rule.provider_id = provider.id
     ${RULES_TABLES}
     where status = 't' and (role = 'chosen' or provider.id <> all(refused))`,
    [
      wanted.map(({ zip }) => zip),
      wanted.map(({ chosenId }) => chosenId ?? null),
      wanted.map(({ again }) => again?.providerId ?? null),
      wanted.map(({ except = [] }) => `{${except}}`),
      wanted.map(({ email }) => email ?? null),
      countTo,
    ],
  ]
}

function present(row: FoundRow, countTo: number): Found {
  const { id, name, miles, leadCount, hourCount, role } = row
  const candidate = { id, name, miles, leadCount, ...(countTo > 0 && { hourCount }), rules: rulesNow(row) }
  return { role, candidate }
}
