import { DAY, HOUR, MINUTE } from '../../contract/time.ts'
import type { OutcomeReason } from '../../leads/contract/outcomes.ts'
import { ATTENDED, BOOKED, REACHED } from '../../leads/rules/outcomes.ts'
import { type Db, only, queryRows } from '../../platform/db.ts'
import { MAX_IDS } from '../../staff/contract/bulk.ts'
import * as auditLog from '../../staff/stores/audit-log.ts'
import type { SyncChange } from '../../sync/contract/sync.ts'
import type { RowWith } from '../../tables/table.ts'
import {
  type ClinicChange,
  type ClinicFigures,
  type ClinicMonth,
  MAX_LISTED,
  MAX_MONTHS,
  MIN_REQUESTS,
  type NetworkFigures,
  type ProviderRecord,
  RECORD_DAYS,
} from '../contract/provider-record.ts'

type Place = ProviderRecord['place']

const IN_PERIOD = (at: string) => `${at} >= now() - interval '${RECORD_DAYS} days'`
const STAGES = { reached: REACHED, booked: BOOKED }

const COUNTS = `count(*)::integer as requests,
    (count(*) filter (where outcome = any(:reached)))::integer as reached,
    (count(*) filter (where outcome = any(:booked)))::integer as booked,
    (count(*) filter (where due_at is not null and (answered_at is not null or due_at < now())))::integer as timed,
    (count(*) filter (where answered_at <= due_at))::integer as in_time`
/** SQL for the requests of clinics. A clock counts only for the clinic that it was started for. */
const REQUESTS = `leads
    left join answer_clocks on lead_id = leads.id and answer_clocks.provider_id = leads.provider_id
    where held_reason is null and not is_test`

/** Returns SQL for the figures of clinics in the period. `which` is the condition on the leads. */
const perClinic = (which: string) => `
  select leads.provider_id, ${COUNTS}, (count(*) filter (where outcome is not null))::integer as opened,
    percentile_cont(0.5) within group (order by (extract(epoch from answered_at - started_at) * 1000)::double precision)
      as answer_time,
    percentile_cont(array[0.5, 0.9]) within group (order by match_distance_miles) as distance
  from ${REQUESTS} and ${IN_PERIOD('created_at')} and ${which}
  group by leads.provider_id`

/** Reads the last months of a clinic, the newest first, from the first one with a request. */
export async function readMonths(db: Db, providerId: number, timeZone: string): Promise<ClinicMonth[]> {
  return queryRows<ClinicMonth>(
    db,
    `with request as (
       select date_trunc('month', created_at at time zone :timeZone) as month, outcome, due_at, answered_at
       from ${REQUESTS} and leads.provider_id = :id
     )
     select to_char(month, 'YYYY-MM') as month, ${COUNTS.replace('count(*)::', 'count(request.month)::')},
       (count(*) filter (where outcome = any(:attended)))::integer as came
     from generate_series((select min(month) from request), date_trunc('month', now() at time zone :timeZone), '1 month') month
     left join request using (month)
     group by month order by month desc limit ${MAX_MONTHS}`,
    { ...STAGES, attended: ATTENDED, id: providerId, timeZone },
  )
}

/** Lists the unanswered requests of a clinic whose email to it failed, the newest first. */
export async function listFailedLeads(db: Db, providerId: number): Promise<number[]> {
  const rows = await queryRows<{ id: number }>(
    db,
    `select id from leads
     where provider_id = ? and held_reason is null and not is_test and outcome is null and (
       select state from jobs
       where subject_kind = 'lead' and subject_id = leads.id and name = 'send-email' and purpose = 'provider'
       order by generation desc limit 1
     ) = 'failed'
     order by id desc limit ${MAX_IDS}`,
    [providerId],
  )
  return rows.map(({ id }) => id)
}

type FigureRow = Pick<
  ClinicFigures,
  'requests' | 'opened' | 'reached' | 'booked' | 'answer_time' | 'timed' | 'in_time'
> & { distance: [number | null, number | null] }

export async function readFigures(db: Db, providerId: number): Promise<ClinicFigures> {
  const id = { id: providerId }
  const [[figures = NOTHING], [mails], notes] = await Promise.all([
    queryRows<FigureRow>(db, perClinic('leads.provider_id = :id'), { ...STAGES, ...id }),
    queryRows<Pick<ClinicFigures, 'delivered' | 'failed'>>(db, MAILS, id),
    queryRows<{ what: 'declined' | 'opted_out' | 'not_called'; reason: OutcomeReason; count: number }>(db, NOTES, id),
  ])
  const { distance, requests, opened, reached, booked, answer_time, timed, in_time } = figures
  const countOf = (what: string) => notes.find((row) => row.what === what)?.count ?? 0
  return {
    ...{ requests, opened, reached, booked, answer_time, timed, in_time },
    ...{ delivered: mails?.delivered ?? 0, failed: mails?.failed ?? 0 },
    ...{ opted_out: countOf('opted_out'), not_called: countOf('not_called') },
    declined: notes.flatMap(({ what, reason, count }) => (what === 'declined' ? { reason, count } : [])),
    distance: { p50: distance[0], p90: distance[1] },
  }
}

const NOTHING: FigureRow = {
  ...{ requests: 0, opened: 0, reached: 0, booked: 0, answer_time: null, timed: 0, in_time: 0, distance: [null, null] },
}

/** The emails with a request: the newest generation for each. */
const MAILS = `
  select (count(*) filter (where mail.state = 'done'))::integer as delivered,
    (count(*) filter (where mail.state = 'failed'))::integer as failed
  from leads
  cross join lateral (
    select state from jobs
    where subject_kind = 'lead' and subject_id = leads.id and name = 'send-email' and purpose = 'provider'
    order by generation desc limit 1
  ) mail
  where provider_id = :id and ${IN_PERIOD('created_at')} and held_reason is null and not is_test`

const IS_NO_TEST = 'lead_id not in (select id from leads where is_test)'

/** What clinic and visitors said of its requests, also of those that another clinic has by now. */
const NOTES = `
  select what, reason, count(*)::integer as count
  from (
    select 'opted_out' as what, null as reason, asked_at as at
    from opt_outs where provider_id = :id and withdrawn_at is null
    union all
    select 'not_called', null, max(at) from lead_outcomes
    where provider_id = :id and kind = 'no_answer' and source = 'visitor' and ${IS_NO_TEST} group by lead_id
    union all
    select kind, coalesce(reason, 'other'), at from (
      select distinct on (lead_id) kind, reason, at from lead_outcomes
      where provider_id = :id and kind <> 'opened' and ${IS_NO_TEST} order by lead_id, id desc
    ) latest where kind = 'declined'
  ) noted where ${IN_PERIOD('at')}
  group by what, reason
  order by count desc, reason`

/** Reads the medians of all clinics with enough requests. Reads every lead of the period. */
export async function readNetwork(db: Db): Promise<NetworkFigures> {
  const median = (value: string) => `percentile_cont(0.5) within group (order by ${value})`
  const medianShare = (part: string) => median(`${part}::double precision / requests`)
  return only(
    await queryRows<NetworkFigures>(
      db,
      `select count(*)::integer as clinics, ${median('requests')} as requests,
         ${medianShare('opened')} as opened, ${medianShare('reached')} as reached, ${medianShare('booked')} as booked,
         ${median('answer_time')} as answer_time, ${median('in_time::double precision / nullif(timed, 0)')} as in_time,
         ${median('distance[1]')} as distance
       from (${perClinic('leads.provider_id is not null')}) clinic
       where requests >= :least`,
      { ...STAGES, least: MIN_REQUESTS },
    ),
  )
}

export async function findPlace(db: Db, zip: string): Promise<Place> {
  const row = await db('zip_codes').where({ zip }).first('city', 'state')
  return row?.city && row.state ? { city: row.city, state: row.state } : null
}

/** Lists the last changes of a clinic by syncs and by staff, the newest first. */
export async function listChanges(db: Db, providerId: number): Promise<ClinicChange[]> {
  const [syncs, { lines }] = await Promise.all([
    queryRows<{ id: number; at: Date; change: SyncChange }>(
      db,
      `select id, coalesce(finished_at, created_at) as at, change
       from provider_syncs cross join lateral jsonb_array_elements(changes) change
       where not dry_run and state = 'done' and changes @> ?::jsonb and change->>'provider_id' = ?
       order by id desc limit ?`,
      [JSON.stringify([{ provider_id: providerId }]), String(providerId), MAX_LISTED],
    ),
    auditLog.list(db, { page: 1, limit: MAX_LISTED, entity: 'provider', entityId: String(providerId) }),
  ])
  const changes: ClinicChange[] = [
    ...syncs.map(({ id, at, change }) => ({ at: at.toISOString(), sync: { id, change } })),
    ...lines.map((act) => ({ at: act.at, act })),
  ]
  return changes.toSorted((a, b) => b.at.localeCompare(a.at)).slice(0, MAX_LISTED)
}

/** The time for which a worker claims a picture, in milliseconds. */
const CLAIM = 5 * MINUTE
/** The interval between two copies of a picture, which may change at the same address. */
const REFRESH_INTERVAL = 7 * DAY
const MIN_BACKOFF = 10 * MINUTE
const MAX_BACKOFF = 12 * HOUR

export type Picture = { fileName: string; body: Buffer }

/** Adds a row for each picture of a provider, and removes those that no provider has. */
export async function register(db: Db): Promise<void> {
  await db.raw(
    `with wanted as (
      select distinct source from providers cross join lateral (values (image_url), (logo_url)) as picture (source)
      where source like 'http%'
    ), gone as (
      delete from pictures where not exists (select from wanted where source = source_url)
    )
    insert into pictures (source_url) select source from wanted on conflict do nothing`,
  )
}

/** Claims due pictures, so that no other worker fetches them. Returns their addresses. */
export async function claim(db: Db, limit: number): Promise<string[]> {
  const rows = await queryRows<RowWith<'pictures', 'source_url'>>(
    db,
    `update pictures set next_attempt_at = now() + ? * interval '1 ms'
     where source_url in (
       select source_url from pictures where next_attempt_at <= now()
       order by next_attempt_at limit ? for update skip locked
     )
     returning source_url`,
    [CLAIM, limit],
  )
  return rows.map(({ source_url }) => source_url)
}

export async function save(db: Db, sourceUrl: string, { fileName, body }: Picture): Promise<void> {
  await db('pictures')
    .where('source_url', sourceUrl)
    .update({
      file_name: fileName,
      body,
      problem: null,
      failures: 0,
      next_attempt_at: db.raw(`now() + ? * interval '1 ms'`, [REFRESH_INTERVAL]),
    })
}

/** Records in a sentence why a picture could not be fetched. An earlier copy stays. */
export async function fail(db: Db, sourceUrl: string, problem: string): Promise<void> {
  await db('pictures')
    .where('source_url', sourceUrl)
    .update({
      problem,
      failures: db.raw('failures + 1'),
      next_attempt_at: db.raw(`now() + least(? * power(2, least(failures, 20)), ?) * interval '1 ms'`, [
        MIN_BACKOFF,
        MAX_BACKOFF,
      ]),
    })
}

export async function find(db: Db, fileName: string): Promise<Buffer | null> {
  const row = await db('pictures').select('body').where('file_name', fileName).first()
  return row?.body ?? null
}
