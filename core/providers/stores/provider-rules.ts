import type { RulesNow } from '../../leads/rules/matching.ts'
import { type Db, only, queryRows, type Transaction } from '../../platform/db.ts'
import type { Row, RowWith } from '../../tables/table.ts'
import {
  type CapPeriod,
  type NetworkPause,
  type NewNetworkPause,
  NO_RULES,
  type ProviderRules,
  type ProviderRulesAnswer,
} from '../contract/provider-rules.ts'

/**
 * The table `provider_rules` has a row for each provider that ever had a rule. A sync never writes it. The leads that
 * count for a cap are those of `answer_clocks`: a held lead does not count, one that moves to another provider gives its
 * place back, and a deleted one does not, because its provider was notified of it.
 */

/** SQL for the beginnings of the current periods in the network's time zone, worked out once. Weeks are those of ISO 8601. */
const PERIODS = `(
  select start_of_day(local::date, zone) as day, start_of_day(date_trunc('week', local)::date, zone) as week,
    start_of_day(date_trunc('month', local)::date, zone) as month
  from (select coalesce((select time_zone from network), 'UTC') as zone) network
  cross join lateral (select now() at time zone zone as local offset 0) here
  offset 0
)`

/** Sets the network's time zone. @throws Error when PostgreSQL does not know it */
export async function setTimeZone(db: Db, timeZone: string): Promise<void> {
  await db.raw('select now() at time zone ?', [timeZone])
  await db.raw(
    `insert into network (time_zone) values (?)
     on conflict (is_only) do update set time_zone = excluded.time_zone where network.time_zone <> excluded.time_zone`,
    [timeZone],
  )
}

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

/** SQL for what decides now about a lead, of a `rule` that may be missing, and the tables that this needs. */
export const RULES_COLUMNS = `rule.provider_id is not null as "hasRules", ${IS_PAUSED} as "isPaused",
  paused_until as "pausedUntil", daily_cap, weekly_cap, monthly_cap, used.day, used.week, used.month,
  radius_miles as "radiusMiles", backup_provider_id as "backupId", priority`
export const RULES_TABLES = `cross join ${PERIODS} periods left join lateral ${USED} used on ${HAS_CAPS}`

/** A row of `RULES_COLUMNS`, with what the rule says of the zip in question. */
export type RulesRow = Omit<RulesNow, 'caps' | 'pausedUntil'> &
  RowWith<'provider_rules', 'daily_cap' | 'weekly_cap' | 'monthly_cap'> & {
    hasRules: boolean
    /** As JSON has it, if it was read with other rows (`queryTogether`). */
    pausedUntil: Date | string | null
    day: number | null
    week: number | null
    month: number | null
  }

/** Returns the rules in a row, or null when its provider has none. */
export function rulesNow(row: RulesRow): RulesNow | null {
  if (!row.hasRules) return null
  const capOf = (period: CapPeriod, cap: number | null, used: number | null) =>
    cap === null ? [] : [{ period, used: used ?? 0, cap }]
  return {
    isPaused: row.isPaused,
    pausedUntil: row.isPaused && row.pausedUntil ? new Date(row.pausedUntil).toISOString() : null,
    caps: [
      ...capOf('day', row.daily_cap, row.day),
      ...capOf('week', row.weekly_cap, row.week),
      ...capOf('month', row.monthly_cap, row.month),
    ],
    radiusMiles: row.radiusMiles,
    hasExtraZip: row.hasExtraZip,
    isZipExcluded: row.isZipExcluded,
    backupId: row.backupId,
    priority: row.priority,
  }
}

/** Finds the rules of providers as they are now, for one zip if there is one. Skips providers without rules. */
export async function findNow(db: Db, ids: number[], zip: string | null = null): Promise<Map<number, RulesNow>> {
  const rows = await queryRows<RulesRow & { id: number }>(
    db,
    `select rule.provider_id as id, coalesce(?::text = any(extra_zips), false) as "hasExtraZip",
       coalesce(?::text = any(excluded_zips), false) as "isZipExcluded", ${RULES_COLUMNS}
     from provider_rules rule
     ${RULES_TABLES}
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

/** Lists the pauses that have not ended, the earliest first. */
export async function list(db: Db): Promise<NetworkPause[]> {
  const rows = await db('network_pauses').where('ends_at', '>', db.fn.now()).orderBy(['starts_at', 'id'])
  return rows.map(presentPause)
}

/** Makes changes of pauses wait for each other until the transaction ends. */
export async function lock(trx: Transaction): Promise<void> {
  await trx.raw(`select pg_advisory_xact_lock(hashtext('network_pauses'))`)
}

export async function add(trx: Transaction, pause: NewNetworkPause, actor: string): Promise<NetworkPause> {
  return presentPause(
    only(
      await trx('network_pauses')
        .insert({ ...pause, created_by: actor })
        .returning('*'),
    ),
  )
}

/** Ends a pause now, or deletes one that has not begun. Returns it as it was, or null when none is left to end. */
export async function end(trx: Transaction, id: number): Promise<NetworkPause | null> {
  const pause = await trx('network_pauses').where({ id }).where('ends_at', '>', trx.fn.now()).first()
  if (!pause) return null
  const future = await trx('network_pauses').where({ id }).where('starts_at', '>=', trx.fn.now()).delete()
  if (future === 0) await trx('network_pauses').where({ id }).update({ ends_at: trx.fn.now() })
  return presentPause(pause)
}

function presentPause({ starts_at, ends_at, ...row }: Row<'network_pauses'>): NetworkPause {
  return { ...row, starts_at: starts_at.toISOString(), ends_at: ends_at.toISOString() }
}
