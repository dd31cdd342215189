import { OutcomeKind } from '../../leads/contract/outcomes.ts'
import { STAGE_OF_OUTCOME } from '../../leads/rules/outcomes.ts'
import { type Db, only, queryRows, type Transaction } from '../../platform/db.ts'
import {
  FUNNEL_STAGES,
  type Funnel,
  type FunnelDimension,
  MAX_ATTENTION,
  MAX_FUNNEL_GROUPS,
  type StageCounts,
} from '../contract/overview.ts'
import { attentionReasons, type ClinicFacts, type Period, periodBefore, SILENT_REQUESTS } from '../rules/overview.ts'

type LocalPeriod = Period & { timeZone: string }

/** Reads the outcomes of the leads of a period and of the previous one, in one snapshot. Deleted and test leads are not part of it. */
export async function read(db: Db, period: LocalPeriod): Promise<Funnel> {
  const before = periodBefore(period)
  return db.transaction(
    async (trx) => {
      // With the default of 4 MB, hashes over two months of leads spill to disk.
      await trx.raw(`set local work_mem = '64MB'`)
      const found = await readLeads(trx, { ...period, before: before.from })
      const clinics = attention(found.clinics)
      return {
        from: period.from,
        to: period.to,
        before,
        leads: pair(found.leads),
        people: pair(found.people),
        outcomes: Object.fromEntries(
          OutcomeKind.options.map((kind) => [kind, found.outcomes?.[kind] ?? 0]),
        ) as Funnel['outcomes'],
        answers: { now: answersOf(found.answers, true), before: answersOf(found.answers, false) },
        ...groupsOf(found.groups ?? []),
        attention: clinics.slice(0, MAX_ATTENTION),
        totalAttention: clinics.length,
        madeUp: found.madeUp,
      }
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  )
}

/** SQL for the number of the last stage of a lead, from its outcome and whether it is delivered. */
const STAGE = `case outcome ${OutcomeKind.options
  .map((kind) => `when '${kind}' then ${FUNNEL_STAGES.indexOf(STAGE_OF_OUTCOME[kind])}`)
  .join(' ')} else case when delivered_at >= matched_at then 1 else 0 end end`

/** SQL that counts rows by stage, into arrays: those of the period, and those before. */
const counts = (now: string, before: string) =>
  [now, before]
    .map((stage) => `array[${FUNNEL_STAGES.map((_, index) => `count(*) filter (where ${stage} >= ${index})`)}]`)
    .join(' || ')

/** The counts of both periods: first all stages of the period, then those before. */
type Counts = number[]
type GroupRow = {
  dimension: FunnelDimension
  name: string | null
  source: string | null
  provider_id: number | null
  counts: Counts
  total: number
}
type AnswerRow = { is_now: boolean; answered: number; median: number | null; in_time: number; due: number }
type ClinicRow = { id: number; name: string; late: number; refused: number; is_silent: boolean; counts: Counts }
type Found = {
  leads: Counts
  people: Counts
  outcomes: Partial<Record<OutcomeKind, number>> | null
  answers: AnswerRow[] | null
  groups: GroupRow[] | null
  clinics: ClinicRow[] | null
  madeUp: number
}

/** Reads the leads of both periods once, and counts them in every way: one long statement. `before` is the first day of the period before. */
async function readLeads(trx: Transaction, where: LocalPeriod & { before: string }): Promise<Found> {
  const inBoth = `created_at >= start_of_day(cast(:before as date), :timeZone)
    and created_at < start_of_day(cast(:to as date) + 1, :timeZone) and not is_test`
  const range = only(
    await queryRows<{ first: number | null; last: number | null }>(
      trx,
      `select min(id) as first, max(id) as last from leads where ${inBoth}`,
      where,
    ),
  )
  const rows = await queryRows<Found>(
    trx,
    `with lead as materialized (
       select id, provider_id, outcome, email, is_now, state, ${STAGE} as stage, lead_source(attribution) as source,
         lead_campaign(attribution) as campaign, attribution->'made_up' is not null as made_up,
         case when is_now then ${STAGE} end as now, case when not is_now then ${STAGE} end as before
       from (
         select id, provider_id, outcome, matched_at, lower(email) as email, attribution, zip_code,
           created_at >= start_of_day(cast(:from as date), :timeZone) as is_now
         from leads where ${inBoth}
       ) read
       left join (
         -- In one piece from the index, because ids grow with time.
         select subject_id as id, max(finished_at) as delivered_at from jobs
         where subject_kind = 'lead' and subject_id between :first and :last and name = 'send-email' and purpose = 'provider' and state = 'done'
         group by 1
       ) delivered using (id)
       left join zip_codes on zip = zip_code
     ),
     grouped as (
       select case when grouping(provider_id) = 0 then 'clinic' when grouping(campaign) = 0 then 'campaign'
           when grouping(source) = 0 then 'source' else 'state' end as dimension,
         provider_id, source, campaign, state, ${counts('now', 'before')} as counts
       from lead group by grouping sets ((provider_id), (source), (source, campaign), (state))
     ),
     ranked as (
       select *, row_number() over (partition by dimension order by counts[1] desc, counts[7] desc, provider_id, source,
           campaign, state) as rank, (count(*) over (partition by dimension))::integer as total
       from grouped where dimension <> 'campaign' or campaign is not null
     ),
     clock as (
       select lead.id, lead.provider_id, is_now, started_at, due_at, answered_at,
         answered_at is not null or due_at < now() as is_due, answered_at is null and due_at < now() as is_late
       from lead join answer_clocks on lead_id = lead.id and answer_clocks.provider_id = lead.provider_id
       where lead_id between :first and :last
     ),
     silent as (
       select provider_id from (
         select provider_id, is_late, row_number() over (partition by provider_id order by id desc) as place
         from clock where is_now and is_due
       ) newest where place <= :silent group by 1 having count(*) = :silent and bool_and(is_late)
     ),
     late as (select provider_id, count(*)::integer as late from clock where is_now and is_late group by 1),
     refused as (
       select provider_id, count(*)::integer as refused from lead
       where is_now and provider_id is not null and id in (
         -- The conditions are those of the index of failing jobs. A newer generation has no gap before it.
         select subject_id from jobs where subject_kind = 'lead' and subject_id between :first and :last
           and last_cause is not null and state = 'failed'
           and name = 'send-email' and purpose = 'provider' and (subject_id, generation + 1) not in (
             select subject_id, generation from jobs
             where subject_kind = 'lead' and subject_id between :first and :last and generation > 1 and name = 'send-email' and purpose = 'provider'
           )
       ) group by 1
     )
     select
       (select to_jsonb(${counts('now', 'before')}) from lead) as leads,
       (select to_jsonb(${counts('now', 'before')}) from (
         select max(now) as now, max(before) as before from lead group by email
       ) person) as people,
       (select jsonb_object_agg(outcome, leads) from (
         select outcome, count(*) as leads from lead where is_now and outcome is not null group by 1
       ) counted) as outcomes,
       (select jsonb_agg(counted) from (
         select is_now, count(answered_at) as answered, count(*) filter (where is_due) as due,
           count(*) filter (where answered_at <= due_at) as in_time, percentile_cont(0.5) within group (
             order by extract(epoch from answered_at - started_at)::double precision * 1000
           ) as median
         from clock group by is_now
       ) counted) as answers,
       (select jsonb_agg(counted order by rank) from (
         select dimension, rank, total, provider_id, source, counts, case dimension
           when 'clinic' then coalesce(practice_name, name) when 'source' then source when 'campaign' then campaign
           else state end as name
         from ranked left join providers on providers.id = provider_id where rank <= ${MAX_FUNNEL_GROUPS}
       ) counted) as groups,
       (select jsonb_agg(counted) from (
         select grouped.provider_id as id, coalesce(practice_name, name) as name, counts,
           coalesce(late, 0) as late, coalesce(refused, 0) as refused, silent.provider_id is not null as is_silent
         from grouped join providers on providers.id = grouped.provider_id
         left join late using (provider_id) left join refused using (provider_id) left join silent using (provider_id)
         where dimension = 'clinic'
       ) counted) as clinics,
       (select count(*)::integer from lead where made_up) as "madeUp"`,
    { ...where, first: range.first ?? 0, last: range.last ?? 0, silent: SILENT_REQUESTS },
  )
  return only(rows)
}

function stagesOf(counts: Counts, offset: number): StageCounts {
  const entries = FUNNEL_STAGES.map((stage, index) => [stage, counts[offset + index] ?? 0])
  return Object.fromEntries(entries) as StageCounts
}

const pair = (counts: Counts) => ({ now: stagesOf(counts, 0), before: stagesOf(counts, FUNNEL_STAGES.length) })

function answersOf(rows: AnswerRow[] | null, isNow: boolean): Funnel['answers']['now'] {
  const row = rows?.find(({ is_now }) => is_now === isNow)
  const median = row?.median ?? null
  return {
    answered: row?.answered ?? 0,
    medianMs: median === null ? null : Math.round(median),
    inTime: row?.in_time ?? 0,
    due: row?.due ?? 0,
  }
}

type Groups = Pick<Funnel, 'groups' | 'totalGroups'>

function groupsOf(rows: GroupRow[]): Groups {
  const groups: Groups['groups'] = { clinic: [], source: [], campaign: [], state: [] }
  const totalGroups: Groups['totalGroups'] = { clinic: 0, source: 0, campaign: 0, state: 0 }
  for (const { dimension, name, source, provider_id: providerId, counts, total } of rows) {
    const { now: stages, before } = pair(counts)
    groups[dimension].push({ name, source: dimension === 'campaign' ? source : null, providerId, stages, before })
    totalGroups[dimension] = total
  }
  return { groups, totalGroups }
}

function attention(clinics: ClinicRow[] | null): Funnel['attention'] {
  return (clinics ?? [])
    .map(({ id, name, counts, is_silent, ...rest }) => {
      const { now, before } = pair(counts)
      const facts: ClinicFacts = {
        ...rest,
        isSilent: is_silent,
        received: now.received,
        booked: now.booked,
        receivedBefore: before.received,
        bookedBefore: before.booked,
      }
      return { providerId: id, name, reasons: attentionReasons(facts), received: now.received }
    })
    .filter(({ reasons }) => reasons.length > 0)
    .toSorted((a, b) => b.reasons.length - a.reasons.length || b.received - a.received || a.providerId - b.providerId)
    .map(({ received: _, ...clinic }) => clinic)
}
