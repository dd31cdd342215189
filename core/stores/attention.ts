import {
  type AttentionKind,
  type AttentionLine,
  type AttentionOf,
  HOURS_SHOWN_DAYS,
  MAX_LEADS_PER_LINE,
  MAX_LINES_PER_KIND,
} from '../contract/attention.ts'
import { RECENT_DAYS } from '../contract/lead-match.ts'
import { type Db, only, queryRows, type Transaction } from '../platform/db.ts'
import { HOUR } from '../time.ts'
import { PROMISED_AT } from './applications.ts'
import { REQUEST_EMAIL } from './clinic-people.ts'
import { OWN_PAUSES, ownHours } from './own-changes.ts'
import { MILES, POINT } from './zip-codes.ts'

/*
 * What needs the attention of staff. Each line comes from the rows that are in trouble, so it goes when the trouble does.
 * `attention_marks` has only what staff set aside.
 */

/** Deliveries that are retried automatically count after this time, in milliseconds. */
const RETRIED_FOR = HOUR
/** The time in which we promise to review an application, in hours. The e-mail to the applicant says so. */
const REVIEW_HOURS = 48
/** The time for which marks are kept, in days. What is still in trouble then returns. */
const MARKS_KEPT_DAYS = 366

/** Lines of the sync depend on its schedule, which the database does not know. */
type StoredKind = Exclude<AttentionKind, 'sync'>

/** SQL for a time as a version. */
const versionOf = (time: string) => `floor(extract(epoch from ${time}) * 1000)::bigint`

const CLINIC = `jsonb_build_object('id', providers.id, 'name', coalesce(practice_name, providers.name),
  'phone', nullif(providers.phone, ''), 'email', ${REQUEST_EMAIL})`

/** SQL for the lists of a group of leads. `at` is the time of each. */
const idsBy = (at: string) => `to_jsonb((array_agg(distinct_lead order by ${at} desc)
  filter (where distinct_lead is not null))[1:${MAX_LEADS_PER_LINE}])`

/**
 * SQL for the newest deliveries of their kind that failed for good, or are retried for long. The conditions on the state are
 * those of the index `jobs_failing_idx`. A clinic that has opened or answered a request has it, whatever became of the e-mail.
 */
const FAILING = `
  select lead_id, name, purpose, state, last_cause as cause, last_error as error, last_detail as detail,
    coalesce(finished_at, created_at) as at,
    case when row_number() over (partition by name, clinic_id, lead_id order by created_at desc) = 1
      then lead_id end as distinct_lead,
    clinic_id
  from (
    select jobs.*, leads.crm_sync_status, case purpose when 'provider' then leads.provider_id
      when 'passed_on' then previous_provider_id else told_provider_id end as clinic_id
    from jobs join leads on leads.id = lead_id
    where last_cause is not null and state in ('failed', 'waiting', 'enqueued') and not is_test
      and (name = 'sync-crm' or name = 'send-email' and (
        purpose in ('passed_on', 'opted_out', 'withdrawn') or purpose = 'provider' and outcome is null))
  ) jobs
  where (state = 'failed' or created_at < now() - :retriedFor * interval '1 ms')
    -- A CRM that has taken the lead once has it, and does not know yet that it must stop.
    and (name <> 'sync-crm' or crm_sync_status <> 'success' or purpose = 'opted_out')
    and (name = 'sync-crm' or clinic_id is not null)
    and not exists (
      select from jobs newer where newer.lead_id = jobs.lead_id and newer.generation > 1
        and newer.name = jobs.name and newer.purpose = jobs.purpose and newer.generation > jobs.generation
        and newer.told_provider_id is not distinct from jobs.told_provider_id
        and newer.previous_provider_id is not distinct from jobs.previous_provider_id offset 0)`

/** SQL for what lines about failing deliveries have in common. */
const FAILING_DATA = `'leads', count(distinct_lead), 'leadIds', ${idsBy('at')},
  'cause', (array_agg(cause order by at desc))[1], 'error', (array_agg(error order by at desc))[1],
  'detail', (array_agg(detail order by at desc))[1], 'isRetrying', bool_and(state <> 'failed')`

/**
 * SQL for the answer of a CRM without what differs from lead to lead: words that have a digit or an `@`. So one mistake makes
 * one line.
 */
const ANSWER = `regexp_replace(coalesce(error, '') || ' ' || coalesce(detail, ''), '[^[:space:]"'']*[0-9@][^[:space:]"'']*', '', 'g')`

/** SQL for the lead of a stop that the CRM does not take: each one has a line of its own, until it is noted there by hand. */
const STOPPED = `case when purpose = 'opted_out' and state = 'failed' then lead_id end`

/**
 * SQL for the lines of each kind: `key`, `version`, `since`, and all else that a line has, as `data`. Of a line about one row,
 * `data` is null and `subject` is the id of the row: `DETAILS` reads the rest, for the lines that are shown.
 */
const LINES: Record<StoredKind, string> = {
  stop: `
    select 'stop:' || id as key, ${versionOf('due_at')} as version, due_at as since, id as subject, null::jsonb as data
    from opt_outs where confirmed_at is null and withdrawn_at is null and due_at < now()`,
  'not-reached': `
    select 'not-reached:' || clinic_id, ${versionOf('max(at)')}, min(at), null::integer,
      jsonb_build_object('clinic', ${CLINIC}, ${FAILING_DATA})
    from failing join providers on providers.id = clinic_id
    where failing.name = 'send-email'
    group by clinic_id, providers.id`,
  'no-answer': `
    select 'no-answer:' || providers.id, ${versionOf('newest')}, oldest, null::integer,
      jsonb_build_object('clinic', ${CLINIC}, 'leads', leads, 'older', older, 'leadIds', ids)
    from (
      select provider_id, max(due_at) as newest, min(due_at) as oldest, count(*) as leads, ${idsBy('due_at')} as ids,
        count(*) filter (where created_at < now() - interval '${RECENT_DAYS} days') as older
      from (
        select leads.id as distinct_lead, leads.provider_id, due_at, created_at
        from answer_clocks join leads on leads.id = lead_id and leads.provider_id = answer_clocks.provider_id
        -- As in the index.
        where due_at < now() and due_at is not null and answered_at is null and held_reason is null
      ) late
      group by provider_id
    ) late
    join providers on providers.id = provider_id`,
  'wrong-number': `
    select 'wrong-number:' || id, ${versionOf('outcome_at')}, outcome_at, id, null::jsonb
    from leads where outcome = 'wrong_number' and held_reason is null and not is_test`,
  unmatched: `
    select 'unmatched:' || id, ${versionOf('created_at')}, created_at, id, null::jsonb
    from leads
    where provider_id is null and held_reason is null and not is_test
      -- Waits for a clinic that has no room, and is matched as soon as it has.
      and id not in (
        select id from leads where provider_id is null and match_skipped is not null
          and created_at > now() - :waitingDays * interval '1 day' and (
            match_skipped @> '[{"obstacle": {"reason": "paused"}}]' or match_skipped @> '[{"obstacle": {"reason": "full"}}]'))
      -- Is being matched. The open jobs are read by their indexes, one for each state.
      and id not in (${['waiting', 'enqueued']
        .map(
          (state) => `select lead_id from jobs where state = '${state}' and name = 'match-lead' and lead_id is not null
            and created_at > now() - :retriedFor * interval '1 ms'`,
        )
        .join(' union all ')})`,
  paused: `
    select 'paused:' || providers.id, ${versionOf('own.at')}, own.at, null::integer,
      jsonb_build_object('clinic', ${CLINIC}, 'until', to_char(paused_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
        'because', paused_because, 'leads', (
          select count(*)::integer from leads where provider_id = providers.id and matched_at > now() - interval '30 days' and not is_test))
    from (${OWN_PAUSES}) own join providers on providers.id = own.provider_id
    join provider_rules on provider_rules.provider_id = providers.id`,
  crm: `
    select 'crm:' || cause || ':' || md5(${ANSWER}) || coalesce(':' || ${STOPPED}, ''), ${versionOf('max(at)')}, min(at),
      null::integer, jsonb_build_object(${FAILING_DATA}, 'isStop', ${STOPPED} is not null)
    from failing where name = 'sync-crm'
    group by cause, md5(${ANSWER}), ${STOPPED}`,
  activation: `
    select 'activation:' || id, ${versionOf('created_at')}, created_at, null::integer,
      jsonb_build_object('clinic', ${CLINIC}, 'zip', zip_code)
    from providers where activation = 'waiting'`,
  held: `
    select 'held:' || id, ${versionOf('created_at')}, created_at, id, null::jsonb from leads
     where held_reason is not null and not is_test`,
  hours: `
    select 'hours:' || providers.id, ${versionOf('own.at')}, own.at, null::integer,
      jsonb_build_object('clinic', ${CLINIC}, 'hours', hours)
    from (${ownHours(HOURS_SHOWN_DAYS)}) own join providers on providers.id = own.provider_id
    join provider_rules on provider_rules.provider_id = providers.id`,
  application: `
    select 'application:' || id,
      ${versionOf(`case when held_reason is null then ${PROMISED_AT} + ${REVIEW_HOURS} * interval '1 hour' else created_at end`)},
      case when held_reason is null then ${PROMISED_AT} else created_at end, id, null::jsonb
    from provider_applications
    where status = 'new' and (held_reason is not null or ${PROMISED_AT} < now() - ${REVIEW_HOURS} * interval '1 hour')`,
}

/** SQL for all else that a line about one row has. */
const DETAILS: Partial<Record<StoredKind, string>> = {
  stop: `
    select jsonb_build_object('optOutId', opt_outs.id, 'leadId', lead_id, 'name', first_name || ' ' || last_name,
      'clinic', ${CLINIC})
    from opt_outs join providers on providers.id = opt_outs.provider_id left join leads on leads.id = lead_id
    where opt_outs.id = subject`,
  unmatched: `
    select jsonb_build_object('leadId', id, 'name', first_name || ' ' || last_name, 'zip', zip_code)
    from leads where id = subject`,
  'wrong-number': `
    select jsonb_build_object('leadId', leads.id, 'name', first_name || ' ' || last_name, 'do_not_contact', false,
      'clinic', coalesce(practice_name, providers.name), 'asked', exists (
        select from jobs where lead_id = leads.id and jobs.name = 'send-email' and purpose = 'wrong_number'
          and state not in ('failed', 'cancelled') and jobs.created_at >= matched_at))
    from leads left join providers on providers.id = provider_id where leads.id = subject`,
  held: `
    select jsonb_build_object('leadId', id, 'name', first_name || ' ' || last_name, 'zip', zip_code, 'reason', held_reason)
    from leads where id = subject`,
  application: `
    select jsonb_build_object('applicationId', id, 'practice', practice_name, 'name', name, 'zip', zip_code,
      'heldReason', held_reason)
    from provider_applications where id = subject`,
}
const DATA = `coalesce(data, case kind ${Object.entries(DETAILS)
  .map(([kind, sql]) => `when '${kind}' then (${sql})`)
  .join(' ')} end)`

/** SQL for a mark that still hides a line. */
const IS_ASIDE = 'mark.version >= line.version and (snoozed_until is null or snoozed_until > now())'

const WITH_LINES = `
  with failing as materialized (${FAILING}), line as materialized (
    select line.*, mark.key is not null as is_aside,
      case when mark.key is not null then jsonb_build_object('until', snoozed_until, 'by', marked_by,
        'by_name', (select name from staff_accounts where lower(email) = lower(marked_by))) end as mark
    from (${Object.entries(LINES)
      .map(([kind, sql]) => `select '${kind}' as kind, own.* from (${sql}) own`)
      .join(' union all ')}) line
    left join attention_marks mark on mark.key = line.key and ${IS_ASIDE}
  )`

export type AttentionContext = {
  /** For so many days a lead waits for a clinic that has no room, without staff; 0 if it does not wait. */
  waitingDays: number
}

type StoredLine = Extract<AttentionLine, { kind: StoredKind }>
/** A line of the database: without the places of its zip. */
type Read = {
  lines: (Pick<AttentionLine, 'key' | 'version' | 'since' | 'mark'> & { kind: StoredKind; data: object })[]
  counts: Partial<Record<StoredKind, number>>
  aside: number
}

/** Lists the newest lines of each kind but the sync, those set aside or the others, and counts all. */
export async function list(
  db: Db,
  { aside, waitingDays }: AttentionContext & { aside: boolean },
): Promise<{ lines: StoredLine[]; counts: Partial<Record<StoredKind, number>>; aside: number }> {
  const found = only(
    await queryRows<Read>(
      db,
      `${WITH_LINES}
       select
         (select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'key', key, 'version', version, 'since', since, 'mark', mark,
           'data', ${DATA}) order by version desc, key), '[]') from (
           select *, row_number() over (partition by kind order by version desc, key) as place
           from line where is_aside = :aside
         ) shown where place <= ${MAX_LINES_PER_KIND}) as lines,
         (select coalesce(jsonb_object_agg(kind, lines), '{}') from (
           select kind, count(*) as lines from line where not is_aside group by kind
         ) counted) as counts,
         (select count(*)::integer from line where is_aside) as aside`,
      { aside, waitingDays, retriedFor: RETRIED_FOR },
    ),
  )
  const lines = found.lines.map(({ data, since, mark, ...line }) => ({
    ...line,
    ...data,
    since: isoOf(since),
    mark: mark && { ...mark, until: mark.until && isoOf(mark.until) },
  })) as StoredLine[]
  return { ...found, lines: await withPlaces(db, lines) }
}

/** JSON of PostgreSQL has times with an offset and microseconds. */
const isoOf = (time: string) => new Date(time).toISOString()

/** Counts the lines that need attention, of each kind but the sync. */
export async function count(db: Db, { waitingDays }: AttentionContext): Promise<number> {
  const rows = await queryRows<{ lines: number }>(
    db,
    `${WITH_LINES} select count(*)::integer as lines from line where not is_aside`,
    { waitingDays, retriedFor: RETRIED_FOR },
  )
  return only(rows).lines
}

/** Adds the place of its zip and the nearest clinic to each unmatched lead. */
async function withPlaces(db: Db, lines: StoredLine[]): Promise<StoredLine[]> {
  const zips = new Set(lines.flatMap((line) => (line.kind === 'unmatched' ? line.zip : [])))
  if (zips.size === 0) return lines
  type Place = Pick<AttentionOf<'unmatched'>, 'zip' | 'city' | 'state' | 'nearest'>
  const places = await queryRows<Place>(
    db,
    `select wanted.zip, place.city, place.state, case when nearest.id is not null then
       jsonb_build_object('id', nearest.id, 'name', nearest.name, 'miles', nearest.miles) end as nearest
     from unnest(?::text[]) as wanted (zip)
     left join zip_codes place on place.zip = wanted.zip
     cross join lateral (select ${POINT} as point offset 0) here
     left join lateral (
       select id, coalesce(practice_name, name) as name, ${MILES} as miles from providers
       where status = 't' and location is not null and point is not null
       order by location <-> point, id limit 1
     ) nearest on true`,
    [[...zips]],
  )
  const of = new Map(places.map((place) => [place.zip, place]))
  const unknown = { city: null, state: null, nearest: null }
  return lines.map((line) =>
    line.kind === 'unmatched' ? { ...line, do_not_contact: false, ...(of.get(line.zip) ?? unknown) } : line,
  )
}

/** The last run that changes something if it failed, the given run that waits for approval, and leads that are too old. */
export async function readSyncTrouble(
  db: Db,
  { needsApproval }: { needsApproval: number | null },
): Promise<{ failed: SyncTrouble | null; unapproved: SyncTrouble | null; oldLeads: SyncTrouble[] }> {
  const [runs, oldLeads] = await Promise.all([
    queryRows<SyncTrouble & { state: string }>(
      db,
      `select id, finished_at as at, error, state, 0 as leads from provider_syncs
       where id = :needsApproval::integer
         or id = (select max(id) from provider_syncs where not dry_run and finished_at is not null)`,
      { needsApproval },
    ),
    queryRows<SyncTrouble>(
      db,
      `select run.id, run.finished_at as at, null as error, count(*)::integer as leads
       from provider_syncs run join leads on leads.id = any(run.old_leads)
       where run.old_leads <> '{}' and run.finished_at is not null and not dry_run
         and leads.provider_id is null and held_reason is null and not is_test
       group by run.id order by run.id desc limit ${MAX_LINES_PER_KIND}`,
    ),
  ])
  return {
    failed: runs.find(({ state }) => state === 'failed') ?? null,
    unapproved: runs.find(({ id }) => id === needsApproval) ?? null,
    oldLeads,
  }
}
export type SyncTrouble = { id: number; at: Date; error: string | null; leads: number }

/** Finds the marks that still hide lines, by key. */
export async function findMarks(
  db: Db,
  lines: Pick<AttentionLine, 'key' | 'version'>[],
): Promise<Map<string, NonNullable<AttentionLine['mark']>>> {
  type Found = { key: string; until: Date | null; by: string; by_name: string | null }
  const rows = await queryRows<Found>(
    db,
    `select mark.key, snoozed_until as until, marked_by as by,
       (select name from staff_accounts where lower(email) = lower(marked_by)) as by_name
     from unnest(?::text[], ?::bigint[]) as line (key, version) join attention_marks mark on mark.key = line.key
     where ${IS_ASIDE}`,
    [lines.map(({ key }) => key), lines.map(({ version }) => version)],
  )
  return new Map(rows.map(({ key, until, ...by }) => [key, { ...by, until: until?.toISOString() ?? null }]))
}

/** Sets a line aside. `until` is null for a line that is done. Also deletes marks that are too old. */
export async function mark(
  trx: Transaction,
  { key, version, until, by }: { key: string; version: number; until: string | null; by: string },
): Promise<void> {
  await trx('attention_marks')
    .where('marked_at', '<', trx.raw(`now() - ? * interval '1 day'`, [MARKS_KEPT_DAYS]))
    .delete()
  await trx('attention_marks')
    .insert({ key, version, snoozed_until: until, marked_at: trx.fn.now(), marked_by: by })
    .onConflict('key')
    .merge()
}

/** Takes a line back. Returns whether it was set aside. */
export async function unmark(trx: Transaction, key: string): Promise<boolean> {
  return (await trx('attention_marks').where({ key }).delete()) > 0
}

/** Reads since when nothing needs attention. */
export async function readQuietSince(db: Db): Promise<string | null> {
  return (await db('network').first('quiet_since'))?.quiet_since?.toISOString() ?? null
}

/** Records whether nothing needs attention now. A time that is recorded already stays. Returns whether that has changed. */
export async function noteQuiet(db: Db, isQuiet: boolean): Promise<boolean> {
  const changed = await queryRows(
    db,
    `update network set quiet_since = case when :isQuiet then now() end
     where (quiet_since is null) = :isQuiet returning 1`,
    { isQuiet },
  )
  return changed.length > 0
}
