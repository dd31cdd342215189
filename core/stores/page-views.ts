import {
  Device,
  type Experiment,
  FORM_FAULTS,
  LEAD_PAGES,
  MAX_CAMPAIGNS,
  OTHER_SOURCE,
  type PageView,
  type PageViewGroup,
  type PageViews,
  VARIANTS,
  type Variant,
  VISIT_STEPS,
  VITALS,
  type Vital,
  type VitalSummary,
} from '../contract/page-views.ts'
import { type Db, only, queryRows, type Transaction } from '../platform/db.ts'
import { difference, isSplitUneven, planOf, type Trials } from '../rules/experiments.ts'
import type { Period } from '../rules/periods.ts'
import { bucketOf, summarize } from '../rules/web-vitals.ts'
import { NO_TESTS } from './lead-counts.ts'
import { deleteRows, hasRows, type OldRows } from './old-rows.ts'

type Zone = { timeZone: string }

const TODAY = 'cast(now() at time zone :timeZone as date)'

/**
 * Adds what a page has told to the counts of today. Rows are written in a fixed order, so that no two calls wait for each other.
 * @param heading that of the running experiment; what is told about another one is left out
 */
export async function add(db: Db, view: PageView, { timeZone, heading }: Zone & { heading?: string }): Promise<void> {
  const events = [...view.steps, ...view.faults]
  if (events.length > 0) await addEvents(db, { ...view, events: events.toSorted(), timeZone })
  const vitals = VITALS.flatMap((vital) => {
    const value = view.vitals[vital]
    return value === undefined ? [] : [{ vital, bucket: bucketOf(vital, value) }]
  })
  if (vitals.length > 0) await addVitals(db, { ...view, vitals: JSON.stringify(vitals), timeZone })
  if (heading && view.experiment) await addToExperiment(db, { ...view.experiment, heading, timeZone })
}

/** Counts a campaign that comes after the first `MAX_CAMPAIGNS` of its day as another one. */
async function addEvents(
  db: Db,
  view: Zone & Pick<PageView, 'page' | 'device' | 'source' | 'campaign'> & { events: string[] },
): Promise<void> {
  const { source, campaign, ...rest } = view
  await db.raw(
    `with origin as (
       select day, case when
         exists (select from page_view_counts where day = today.day and source = :source and campaign = :campaign)
         or (select count(*) from (select from page_view_counts where day = today.day group by source, campaign) each)
           < :most
       then array[:source, :campaign] else array[:other, ''] end as name
       from (select ${TODAY} as day) today
     )
     insert into page_view_counts (day, source, campaign, page, device, event, count)
     select day, name[1], name[2], :page, :device, event, 1 from origin, unnest(cast(:events as text[])) event
     on conflict (day, source, campaign, page, device, event) do update set count = page_view_counts.count + 1`,
    { ...rest, source: source ?? '', campaign: campaign ?? '', most: MAX_CAMPAIGNS, other: OTHER_SOURCE },
  )
}

async function addVitals(db: Db, view: Zone & Pick<PageView, 'page' | 'device'> & { vitals: string }): Promise<void> {
  const { page, device, vitals, timeZone } = view
  await db.raw(
    `insert into web_vital_counts (day, page, device, vital, bucket, count)
     select ${TODAY}, :page, :device, vital, bucket, 1
     from jsonb_to_recordset(cast(:vitals as jsonb)) as told (vital text, bucket smallint) order by vital
     on conflict (day, page, device, vital, bucket) do update set count = web_vital_counts.count + 1`,
    { page, device, vitals, timeZone },
  )
}

async function addToExperiment(
  db: Db,
  { variant, steps, heading, timeZone }: NonNullable<PageView['experiment']> & Zone & { heading: string },
): Promise<void> {
  const one = (step: (typeof steps)[number]) => Number(steps.includes(step))
  await db.raw(
    `insert into experiment_counts (heading, day, variant, seen, submitted)
     values (:heading, ${TODAY}, :variant, :seen, :submitted)
     on conflict (heading, day, variant) do update set seen = experiment_counts.seen + excluded.seen,
       submitted = experiment_counts.submitted + excluded.submitted`,
    { heading, variant, seen: one('seen'), submitted: one('submitted'), timeZone },
  )
}

type Now = { isOn: boolean; heading?: string }

/** Reads the counts of a period, in one snapshot. `heading` is that of the running experiment. */
export async function read(db: Db, period: Period & Zone, { isOn, heading }: Now): Promise<PageViews> {
  return db.transaction(
    async (trx) => ({
      ...{ from: period.from, to: period.to, isOn },
      ...(await readTotals(trx, period)),
      ...(await readGroups(trx, period)),
      vitals: await readVitals(trx, period),
      experiment: await readExperiment(trx, heading),
    }),
    { isolationLevel: 'repeatable read', readOnly: true },
  )
}

const IN_PERIOD = 'day between cast(:from as date) and cast(:to as date)'

async function readTotals(trx: Transaction, period: Period & Zone): Promise<Pick<PageViews, 'since' | 'leads'>> {
  const rows = await queryRows<Pick<PageViews, 'since' | 'leads'>>(
    trx,
    `select (select to_char(min(day), 'YYYY-MM-DD') from page_view_counts) as since,
       (select count(*)::integer from leads where created_at >= start_of_day(cast(:from as date), :timeZone)
          and created_at < start_of_day(cast(:to as date) + 1, :timeZone) and ${NO_TESTS}) as leads`,
    period,
  )
  return only(rows)
}

type EventRow = {
  dimension: 'page' | 'device' | 'campaign' | 'all'
  name: string
  source: string
  events: Record<string, number>
  total: number
}

async function readGroups(trx: Transaction, { from, to }: Period) {
  const rows = await queryRows<EventRow>(
    trx,
    `with counted as (
       select case when grouping(page) = 0 then 'page' when grouping(device) = 0 then 'device'
           when grouping(campaign) = 0 then 'campaign' else 'all' end as dimension,
         coalesce(page, device, campaign, '') as name, coalesce(source, '') as source, event,
         sum(count)::double precision as count
       from page_view_counts where ${IN_PERIOD}
       group by grouping sets ((page, event), (device, event), (source, campaign, event), (event))
     ),
     grouped as (
       select dimension, name, source, jsonb_object_agg(event, count) as events,
         coalesce(sum(count) filter (where event = 'seen'), 0) as seen
       from counted group by 1, 2, 3
     ),
     ranked as (
       select *, row_number() over (partition by dimension order by seen desc, source, name) as rank,
         (count(*) over (partition by dimension))::integer as total
       from grouped
     )
     select dimension, name, source, events, total from ranked where rank <= ${MAX_CAMPAIGNS} order by dimension, rank`,
    { from, to },
  )
  const of = (dimension: EventRow['dimension']) => rows.filter((row) => row.dimension === dimension)
  const groupOf = (dimension: EventRow['dimension'], name: string) =>
    toGroup(of(dimension).find((row) => row.name === name)?.events)
  return {
    all: groupOf('all', ''),
    pages: LEAD_PAGES.map((page) => ({ page, ...groupOf('page', page) })),
    devices: Device.options.map((device) => ({ device, ...groupOf('device', device) })),
    campaigns: of('campaign').map(({ name, source, events }) => ({
      ...{ source: source || null, campaign: name || null },
      ...toGroup(events),
    })),
    totalCampaigns: of('campaign')[0]?.total ?? 0,
  }
}

function toGroup(events: Record<string, number> = {}): PageViewGroup {
  const counts = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, events[name] ?? 0]))
  return { steps: counts(VISIT_STEPS), faults: counts(FORM_FAULTS) } as PageViewGroup
}

type VitalRow = {
  vital: Vital
  page: VitalSummary['page']
  device: VitalSummary['device']
  buckets: [number, number][]
}

async function readVitals(trx: Transaction, { from, to }: Period): Promise<VitalSummary[]> {
  const rows = await queryRows<VitalRow>(
    trx,
    `select vital, page, device, jsonb_agg(jsonb_build_array(bucket, count)) as buckets from (
       select vital, page, device, bucket, sum(count)::double precision as count from web_vital_counts where ${IN_PERIOD}
       group by grouping sets ((vital, bucket), (vital, page, bucket), (vital, device, bucket))
     ) counted group by 1, 2, 3 order by page nulls first, device nulls first`,
    { from, to },
  )
  return VITALS.flatMap((vital) => rows.filter((row) => row.vital === vital)).map(
    ({ vital, page, device, buckets }) => ({ vital, page, device, ...summarize(vital, new Map(buckets)) }),
  )
}

type ExperimentRow = { heading: string; variant: Variant; seen: number; submitted: number; from: string; to: string }

/** The days before an experiment whose share it is planned with. */
const BASELINE_DAYS = 28

/** Reads the running experiment, or else the last one, over all its days. */
async function readExperiment(trx: Transaction, running: string | undefined): Promise<Experiment | null> {
  const rows = await queryRows<ExperimentRow>(
    trx,
    `select heading, variant, sum(seen)::double precision as seen, sum(submitted)::double precision as submitted,
       to_char(min(min(day)) over (), 'YYYY-MM-DD') as from, to_char(max(max(day)) over (), 'YYYY-MM-DD') as to
     from experiment_counts
     where heading = coalesce(cast(:running as text), (
       select heading from experiment_counts order by day desc, heading limit 1
     )) group by heading, variant`,
    { running: running ?? null },
  )
  const [first] = rows
  if (!first) return null
  const { heading, from, to } = first
  const before = await queryRows<Trials>(
    trx,
    `select coalesce(sum(count) filter (where event = 'seen'), 0)::double precision as seen,
       coalesce(sum(count) filter (where event = 'submitted'), 0)::double precision as submitted
     from page_view_counts
     where page = 'home' and day >= cast(:from as date) - ${BASELINE_DAYS} and day < cast(:from as date)`,
    { from },
  )
  const trials = Object.fromEntries(
    VARIANTS.map((variant) => {
      const { seen = 0, submitted = 0 } = rows.find((row) => row.variant === variant) ?? {}
      return [variant, { seen, submitted }]
    }),
  ) as Record<Variant, Trials>
  const planned = planOf(only(before))
  const withShare = ({ seen, submitted }: Trials) => ({ seen, submitted, share: seen === 0 ? null : submitted / seen })
  return {
    ...{ heading, isRunning: heading === running, from, to },
    variants: { original: withShare(trials.original), other: withShare(trials.other) },
    difference: difference(trials),
    planned,
    isComplete: VARIANTS.every((variant) => trials[variant].seen >= planned.perVariant),
    isSplitUneven: isSplitUneven(trials),
  }
}

const TABLES = ['page_view_counts', 'web_vital_counts', 'experiment_counts'] as const
const old = (days: number): OldRows[] =>
  days === Infinity
    ? []
    : TABLES.map((table) => ({ table, where: 'day < current_date - ?::integer', bindings: [days] }))

export async function isPurgeDue(db: Db, days: number): Promise<boolean> {
  for (const rows of old(days)) if (await hasRows(db, rows)) return true
  return false
}

/** Deletes a batch of counts that are older than so many days. Returns their number. */
export async function purge(db: Db, days: number): Promise<number> {
  let deleted = 0
  for (const rows of old(days)) deleted += await deleteRows(db, rows)
  return deleted
}
