import { NO_RULES, type ProviderRules, type ProviderRulesAnswer } from '../contract/provider-rules.ts'
import { type Db, only, queryRows, type Transaction } from '../platform/db.ts'
import { type Candidate, type Candidates, obstacleOf, type RulesNow, type Wanted } from '../rules/matching.ts'
import type { Row, RowWith } from './table.ts'
import { FEW, MILES, POINT } from './zip-codes.ts'

/**
 * The table `provider_rules` has a row for each provider that ever had a rule. A sync never writes it. The leads that
 * count for a cap are those of `answer_clocks`: a held lead does not count, one that moves to another clinic gives its
 * place back, and a deleted one does not, because its clinic was told of it.
 */

/**
 * SQL for the beginnings of the current periods in the network's time zone, worked out once. Weeks are those of ISO 8601.
 */
const PERIODS = `(
  select start_of_day(local::date, zone) as day, start_of_day(date_trunc('week', local)::date, zone) as week,
    start_of_day(date_trunc('month', local)::date, zone) as month
  from (select coalesce((select time_zone from network), 'UTC') as zone) network
  cross join lateral (select now() at time zone zone as local offset 0) here
  offset 0
)`

/** SQL for the numbers of leads that the provider of a `rule` got since the beginnings of `periods`. */
const USED = `(
  select count(*) filter (where started_at >= periods.day)::integer as day,
    count(*) filter (where started_at >= periods.week)::integer as week,
    count(*) filter (where started_at >= periods.month)::integer as month
  from answer_clocks
  where answer_clocks.provider_id = rule.provider_id and started_at >= case
    when monthly_cap is not null then least(periods.week, periods.month)
    when weekly_cap is not null then periods.week
    else periods.day end
)`
const HAS_CAPS = '(daily_cap is not null or weekly_cap is not null or monthly_cap is not null)'
const IS_PAUSED = '(is_paused and (paused_until is null or paused_until > now()))'

const RULES_NOW = `rule.provider_id is not null as "hasRules", ${IS_PAUSED} as "isPaused", paused_until as "pausedUntil",
  daily_cap, weekly_cap, monthly_cap, used.day, used.week, used.month, radius_miles as "radiusMiles",
  backup_provider_id as "backupId", priority`

type RulesNowRow = {
  hasRules: boolean
  pausedUntil: Date | null
  day: number | null
  week: number | null
  month: number | null
} & RowWith<'provider_rules', 'daily_cap' | 'weekly_cap' | 'monthly_cap'> &
  Omit<RulesNow, 'caps' | 'pausedUntil'>

function rulesNow(row: RulesNowRow): RulesNow | null {
  if (!row.hasRules) return null
  const { isPaused, pausedUntil, radiusMiles, hasExtraZip, isZipExcluded, backupId, priority } = row
  const { daily_cap, weekly_cap, monthly_cap, day, week, month } = row
  const caps = [
    { period: 'day' as const, cap: daily_cap, used: day ?? 0 },
    { period: 'week' as const, cap: weekly_cap, used: week ?? 0 },
    { period: 'month' as const, cap: monthly_cap, used: month ?? 0 },
  ]
  return {
    ...{ isPaused, radiusMiles, hasExtraZip, isZipExcluded, backupId, priority },
    pausedUntil: isPaused ? (pausedUntil?.toISOString() ?? null) : null,
    caps: caps.flatMap(({ cap, ...rest }) => (cap === null ? [] : [{ ...rest, cap }])),
  }
}

/** How many of the nearest providers are read, until one of them takes the lead. The last number is the most. */
const LOOKED_AT = [8, 32, 128, 512] as const

/**
 * Finds the candidates of leads where rules may matter: the chosen provider, the one that has an earlier request, the nearest
 * ones, those that are preferred or have the zip as extra, and their backups. Reads more of the nearest while none within the radius, in miles, takes
 * the lead.
 */
export async function findUnderRules(
  db: Db,
  wanted: Wanted[],
  { radiusMiles = Number.POSITIVE_INFINITY } = {},
): Promise<Candidates[]> {
  const result: Candidates[] = wanted.map(() => ({ chosen: null, nearest: [] }))
  let open = wanted.map((_, position) => position)
  for (const count of LOOKED_AT) {
    if (open.length === 0) break
    const rows = await readUnderRules(
      db,
      open.map((position) => wanted[position] as Wanted),
      count,
    )
    const found = open.map((position, index) => ({ position, rows: rows.filter((row) => row.position === index + 1) }))
    for (const { position, rows } of found) result[position] = candidatesOf(rows, wanted[position]?.again?.leadId)
    open = found.filter(({ rows }) => needsMore(rows, count, radiusMiles)).map(({ position }) => position)
  }
  return result
}

type Role = 'chosen' | 'again' | 'near' | 'preferred' | 'extra' | 'backup'
type UnderRulesRow = RulesNowRow & { position: number; role: Role; id: number; name: string; miles: number | null } & {
  leadCount: number
}

function candidatesOf(rows: UnderRulesRow[], againLeadId = 0): Candidates {
  const of = (...roles: Role[]): Candidate[] => {
    const ofRole = new Map(rows.filter(({ role }) => roles.includes(role)).map((row) => [row.id, row]))
    return [...ofRole.values()].map(({ id, name, miles, leadCount, ...row }) => ({
      ...{ id, name, miles, leadCount },
      rules: rulesNow(row as RulesNowRow),
    }))
  }
  const [again] = of('again')
  return {
    chosen: of('chosen')[0] ?? null,
    ...(again && { again: { ...again, leadId: againLeadId } }),
    nearest: of('extra', 'preferred', 'near'),
    backups: of('backup'),
  }
}

/** Returns whether providers that were not read may take the lead before those that were. */
function needsMore(rows: UnderRulesRow[], count: number, radiusMiles: number): boolean {
  return (['near', 'preferred'] as const).some((role) => {
    const ofRole = rows.filter((row) => row.role === role)
    const isAll = ofRole.length < count || ofRole.some(({ miles }) => (miles ?? 0) > radiusMiles)
    const takes = (row: UnderRulesRow) =>
      row.priority !== -1 &&
      obstacleOf({ id: row.id, miles: row.miles, rules: rulesNow(row) }, { radiusMiles }) === null
    return !isAll && !ofRole.some(takes)
  })
}

/** Reads the candidates with their rules. `count` stands in the SQL, because a parameter would cost the index scan. */
async function readUnderRules(db: Db, wanted: Wanted[], count: (typeof LOOKED_AT)[number]): Promise<UnderRulesRow[]> {
  const nearest = (role: Role, condition = '') => `(
    select '${role}', id from providers
    where status = 't' ${condition} and id <> all(refused) and location is not null and point is not null
    order by location <-> point fetch first ${count} rows with ties
  )`
  return queryRows<UnderRulesRow>(
    db,
    `with wanted as materialized (
       select position::integer, zip, chosen_id, again_id, refused_ids::integer[] as refused, ${POINT} as point
       from unnest(?::text[], ?::integer[], ?::integer[], ?::text[])
         with ordinality as wanted (zip, chosen_id, again_id, refused_ids, position)
       where ${FEW}
     ), found as materialized (
       select position, role, id from wanted cross join lateral (
         select 'chosen' as role, id from providers where id = chosen_id and status = 't'
         union all
         select 'again', id from providers where id = again_id and status = 't' and id <> all(refused)
         union all ${nearest('near')}
         union all ${nearest('preferred', 'and match_priority = 1')}
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
         then (select count(*)::integer from leads where leads.provider_id = provider.id) else 0 end as "leadCount",
       zip = any(extra_zips) as "hasExtraZip", zip = any(excluded_zips) as "isZipExcluded", ${RULES_NOW}
     from every
     join wanted using (position)
     join providers provider on provider.id = every.id
     left join provider_rules rule on rule.provider_id = provider.id
     cross join ${PERIODS} periods
     left join lateral ${USED} used on ${HAS_CAPS}
     where status = 't' and (role = 'chosen' or provider.id <> all(refused))`,
    [
      wanted.map(({ zip }) => zip),
      wanted.map(({ chosenId }) => chosenId ?? null),
      wanted.map(({ again }) => again?.providerId ?? null),
      wanted.map(({ except = [] }) => `{${except}}`),
    ],
    { name: `find-under-rules-${count}` },
  )
}

/** Finds the rules of providers as they are now, for one zip if there is one. Skips providers without rules. */
export async function findNow(db: Db, ids: number[], zip: string | null = null): Promise<Map<number, RulesNow>> {
  const rows = await queryRows<RulesNowRow & { id: number }>(
    db,
    `select rule.provider_id as id, coalesce(?::text = any(extra_zips), false) as "hasExtraZip",
       coalesce(?::text = any(excluded_zips), false) as "isZipExcluded", ${RULES_NOW}
     from provider_rules rule
     cross join ${PERIODS} periods
     left join lateral ${USED} used on ${HAS_CAPS}
     where rule.provider_id = any(?::integer[])`,
    [zip, zip, ids],
  )
  return new Map(rows.flatMap((row) => [[row.id, rulesNow(row)] as const]).filter((entry) => entry[1] !== null) as [])
}

/** Takes the lock under which leads are matched with providers that have caps. It is held until the transaction ends. */
export async function lockCaps(trx: Transaction): Promise<void> {
  await trx.raw(`select pg_advisory_xact_lock(hashtext('provider caps'))`)
}

const COLUMNS = Object.keys(NO_RULES) as (keyof ProviderRules)[]

/** Finds the rules of a provider with what it got in the current periods. A pause that has ended counts as none. */
export async function find(db: Db, providerId: number): Promise<ProviderRulesAnswer> {
  const row = await db('provider_rules').where('provider_id', providerId).first()
  const used = await queryRows<ProviderRulesAnswer['used']>(
    db,
    `select used.* from (select ?::integer as provider_id, null as daily_cap, null as weekly_cap, 1 as monthly_cap) rule
     cross join ${PERIODS} periods cross join lateral ${USED} used`,
    [providerId],
  )
  return {
    rules: row ? present(row) : NO_RULES,
    used: only(used),
    updated_at: row?.updated_at.toISOString() ?? null,
    updated_by: row?.updated_by ?? null,
  }
}

function present(row: Row<'provider_rules'>): ProviderRules {
  const isOver = row.paused_until !== null && row.paused_until.getTime() <= Date.now()
  const rules = Object.fromEntries(COLUMNS.map((column) => [column, row[column]])) as ProviderRules
  const pause = isOver
    ? { is_paused: false, paused_until: null, paused_because: null }
    : { paused_until: row.paused_until?.toISOString() ?? null }
  return { ...rules, ...pause }
}

/** Adds or changes the rules of a provider. The caller holds the lock of the provider. */
export async function save(trx: Transaction, providerId: number, rules: ProviderRules, actor: string): Promise<void> {
  const row = {
    ...rules,
    hours: rules.hours && JSON.stringify(rules.hours),
    updated_at: trx.fn.now(),
    updated_by: actor,
  }
  await trx('provider_rules')
    .insert({ provider_id: providerId, ...row })
    .onConflict('provider_id')
    .merge()
}

/** Finds the address of a clinic that is told of late answers. */
export async function findSecondEmail(db: Db, providerId: number): Promise<string | null> {
  return (await db('provider_rules').where('provider_id', providerId).first('second_email'))?.second_email ?? null
}
