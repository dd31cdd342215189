import { OutcomeKind } from '../../leads/contract/outcomes.ts'
import { STAGE_OF_OUTCOME } from '../../leads/rules/outcomes.ts'
import { NO_TESTS } from '../../leads/stores/leads.ts'
import { type Db, only, queryRows, type Transaction } from '../../platform/db.ts'
import {
  Dimension,
  FIGURES,
  type Figures,
  FUNNEL_STAGES,
  type FunnelStage,
  type Group,
  MAX_GROUPS,
  type Overview,
} from '../contract/overview.ts'
import { daysOf, type Period, periodBefore } from '../rules/overview.ts'

const ZIPS_SHOWN = 100
const MAX_ID = 2_147_483_647

/** SQL for the leads from one day on to another, without test leads. Binds the last day as :to, and the time zone as :timeZone. */
const since = (first: ':from' | ':before') => `created_at >= start_of_day(cast(${first} as date), :timeZone)
  and created_at < start_of_day(cast(:to as date) + 1, :timeZone) and ${NO_TESTS}`

/** SQL for the jobs of a period's leads, and a few more: the range reads them in one piece from the index, because ids grow with time. */
const IN_RANGE = `subject_kind = 'lead' and subject_id between :first and :last`

type LocalPeriod = Period & { timeZone: string }
type Bindings = LocalPeriod & { before: string; first: number; last: number }

/** Reads the overview of a period and the one before, in one snapshot. Deleted and test leads are not part of it. */
export async function read(db: Db, period: LocalPeriod): Promise<Overview> {
  const before = periodBefore(period)
  return db.transaction(
    async (trx) => {
      // With the default of 4 MB, hashes over two months of leads spill to disk.
      await trx.raw(`set local work_mem = '64MB'`)
      const ids = `select coalesce(min(id), :none) as first, coalesce(max(id), 0) as last from leads where ${since(':before')}`
      const range = await queryRows<Pick<Bindings, 'first' | 'last'>>(trx, ids, {
        ...{ ...period, before: before.from, none: MAX_ID },
      })
      const where = { ...period, before: before.from, ...only(range) }
      return {
        ...{ from: period.from, to: period.to, before },
        ...figuresOf(await countLeads(trx, where), period),
        deliveries: await readDeliveries(trx, period),
        coverage: await readCoverage(trx, period),
      }
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  )
}

/** SQL for the number of the last stage of a lead, from its outcome and whether it is delivered. */
const STAGE = `case outcome ${OutcomeKind.options
  .map((kind) => `when '${kind}' then ${FUNNEL_STAGES.indexOf(STAGE_OF_OUTCOME[kind])}`)
  .join(' ')} else case when delivered_at >= matched_at then 1 else 0 end end`

/** SQL for the condition of each figure, and whether a lead was made up. */
const COUNTED: Record<keyof Figures | 'madeUp', string> = {
  ...(Object.fromEntries(FUNNEL_STAGES.map((name, stage) => [name, `stage >= ${stage}`])) as Record<
    FunnelStage,
    string
  >),
  unmatched: 'is_unmatched',
  held: 'is_held',
  due: 'is_due',
  inTime: 'is_in_time',
  madeUp: 'is_made_up',
}
const COUNTS = ['is_now', 'not is_now']
  .map(
    (period) => `array[${Object.values(COUNTED).map((counted) => `count(*) filter (where ${period} and ${counted})`)}]`,
  )
  .join(' || ')

type Row = {
  dimension: Dimension | 'day' | 'outcome' | 'all'
  key: string | null
  source: string | null
  providerId: number | null
  /** In the order of `COUNTED`: first those of the period, then those before. */
  counts: number[]
  /** The number of groups of the dimension. */
  total: number
  /** Of all leads: the median times to an answer. */
  medians: Overview['answerTime'] | null
}

/** Reads the leads of both periods once, and counts them in every way: one long statement. `before` is the first day of the period before. */
function countLeads(trx: Transaction, where: Bindings): Promise<Row[]> {
  return queryRows<Row>(
    trx,
    `with lead as materialized (
       select is_now, leads.provider_id, outcome, state, day, lead_source(attribution) as source,
         lead_campaign(attribution) as campaign, attribution->'made_up' is not null as is_made_up, ${STAGE} as stage,
         held_reason is not null as is_held, held_reason is null and leads.provider_id is null as is_unmatched,
         due_at is not null and (answered_at is not null or due_at < now()) as is_due, answered_at <= due_at as is_in_time,
         extract(epoch from answered_at - started_at)::double precision * 1000 as answer_ms
       from (
         select id, provider_id, outcome, matched_at, attribution, zip_code, held_reason,
           created_at >= start_of_day(cast(:from as date), :timeZone) as is_now,
           to_char(created_at at time zone :timeZone, 'YYYY-MM-DD') as day
         from leads where ${since(':before')}
       ) leads
       left join (
         select subject_id as id, max(finished_at) as delivered_at from jobs
         where ${IN_RANGE} and name = 'send-email' and purpose = 'provider' and state = 'done' group by 1
       ) delivered using (id)
       left join answer_clocks on lead_id = id and answer_clocks.provider_id = leads.provider_id
         and lead_id between :first and :last
       left join zip_codes on zip = zip_code
     ),
     grouped as (
       select case when grouping(provider_id) = 0 then 'provider' when grouping(campaign) = 0 then 'campaign'
           when grouping(source) = 0 then 'source' when grouping(state) = 0 then 'state'
           when grouping(day) = 0 then 'day' when grouping(outcome) = 0 then 'outcome' else 'all' end as dimension,
         provider_id, source, ${COUNTS} as counts, case when grouping(campaign) = 0 then campaign
           when grouping(source) = 0 then source else coalesce(state, day, outcome) end as key
       from lead group by grouping sets ((), (provider_id), (source), (source, campaign), (state), (day), (outcome))
     ),
     ranked as (
       select *, row_number() over (partition by dimension order by counts[1] desc, counts[:beforeAt] desc, provider_id,
         source, key) as rank, (count(*) over (partition by dimension))::integer as total
       from grouped where dimension <> 'campaign' or key is not null
     )
     select dimension, case dimension when 'provider' then coalesce(practice_name, name) else key end as key,
       case dimension when 'campaign' then source end as source, provider_id as "providerId", counts::integer[] as counts, total,
       case dimension when 'all' then (select jsonb_object_agg(case when is_now then 'now' else 'before' end, median) from (
         select is_now, percentile_cont(0.5) within group (order by answer_ms) as median from lead group by is_now
       ) answers) end as medians
     from ranked left join providers on providers.id = provider_id
     where rank <= ${MAX_GROUPS} order by dimension, rank`,
    { ...where, beforeAt: Object.keys(COUNTED).length + 1 },
  )
}

type Counted = Omit<Overview, 'from' | 'to' | 'before' | 'deliveries' | 'coverage'>

function figuresOf(rows: Row[], period: Period): Counted {
  const all = only(rows.filter(({ dimension }) => dimension === 'all'))
  const names = Object.keys(COUNTED)
  const figures = (counts: number[], offset: number) =>
    Object.fromEntries(FIGURES.map((name) => [name, counts[offset + names.indexOf(name)] ?? 0])) as Figures
  const pair = ({ counts }: Row) => ({ now: figures(counts, 0), before: figures(counts, names.length) })
  const of = (dimension: Row['dimension']) => rows.filter((row) => row.dimension === dimension)
  const countOf = (dimension: 'day' | 'outcome', key: string) => {
    const row = of(dimension).find((each) => each.key === key)
    return figures(row?.counts ?? [], 0)
  }
  const group = (row: Row): Group => ({ name: row.key, source: row.source, providerId: row.providerId, ...pair(row) })
  const byDimension = <Value>(value: (rows: Row[]) => Value) =>
    Object.fromEntries(Dimension.options.map((each) => [each, value(of(each))])) as Record<Dimension, Value>
  return {
    totals: pair(all),
    answerTime: { now: all.medians?.now ?? null, before: all.medians?.before ?? null },
    outcomes: Object.fromEntries(
      OutcomeKind.options.map((kind) => [kind, countOf('outcome', kind).received]),
    ) as Overview['outcomes'],
    groups: byDimension((found) => found.map(group)),
    totalGroups: byDimension((found) => found[0]?.total ?? 0),
    days: daysOf(period).map((day) => {
      const { received, unmatched, held } = countOf('day', day)
      return { day, received, matched: received - unmatched - held, unmatched, held }
    }),
    madeUp: [0, names.length].reduce((sum, offset) => sum + (all.counts[offset + names.indexOf('madeUp')] ?? 0), 0),
  }
}

/** Counts the leads by the states of their deliveries, by which the list filters. Held leads have none under way. */
async function readDeliveries(trx: Transaction, where: LocalPeriod): Promise<Overview['deliveries']> {
  const counts = (status: string) => `jsonb_build_object('success', count(*) filter (where ${status} = 'success'),
    'pending', count(*) filter (where ${status} = 'pending' and held_reason is null),
    'failed', count(*) filter (where ${status} = 'failed'))`
  const query = `select ${counts('email_status')} as email, ${counts('crm_sync_status')} as crm
    from leads where ${since(':from')}`
  return only(await queryRows<Overview['deliveries']>(trx, query, where))
}

/** Reads the zips of leads that had no provider in reach. Skips leads that were matched automatically later. */
async function readCoverage(trx: Transaction, period: LocalPeriod): Promise<Overview['coverage']> {
  const rows = await queryRows<CoverageRow>(
    trx,
    `select wanted.*, city, state, nearest.miles as "nearestMiles"
     from (
       select zip_code as zip, count(*)::integer as leads, (count(*) over ())::integer as "totalZips",
         count(provider_id)::integer as "matchedByHand", max(match_distance_miles) as "matchedMiles"
       from leads
       where ${since(':from')} and unreached_at is not null and (provider_id is null or match_kind = 'staff')
       group by zip_code order by leads desc, zip_code limit ${ZIPS_SHOWN}
     ) wanted
     left join zip_codes using (zip)
     cross join lateral (select coalesce(zip_codes.location, zip_location(wanted.zip)) as point offset 0) here
     left join lateral (
       select earth_distance(location, point) / 1609.344 as miles
       from providers where status = 't' order by location <-> point limit 1
     ) nearest on point is not null
     order by leads desc, zip`,
    period,
  )
  return {
    zips: rows.map(({ totalZips: _, ...zip }) => zip),
    totalZips: rows[0]?.totalZips ?? 0,
  }
}

type CoverageRow = Overview['coverage']['zips'][number] & { totalZips: number }
