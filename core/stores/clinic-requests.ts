import type { ClinicFigures, ClinicRequest, ClinicRequests, ClinicRequestsQuery } from '../contract/clinic.ts'
import { type Db, only, queryRows } from '../platform/db.ts'
import { BOOKED, REACHED } from '../rules/outcome-stages.ts'
import * as answerClocks from './answer-clocks.ts'
import { readAll } from './cursor.ts'

/*
 * The requests of one clinic, for its own pages: the leads that it has now and that are not held. A lead that went to
 * another clinic is gone from here.
 */

/** The days that the figures are about. */
const FIGURE_DAYS = 90

const REQUESTS = `from leads
  left join zip_codes on zip_codes.zip = leads.zip_code
  left join lateral (
    select reason, booked_for::text, note from lead_outcomes
    where lead_id = leads.id and lead_outcomes.provider_id = leads.provider_id and kind = leads.outcome
    order by id desc limit 1
  ) latest on outcome is not null
  where leads.provider_id = :clinic and held_reason is null`

const COLUMNS = `leads.id, first_name, last_name, email, phone, zip_code, city, state, match_distance_miles as miles,
  matched_at as received_at, outcome, outcome_at, reason, booked_for, note`

/** Lists one page of the requests of a clinic, the newest first. */
export async function list(
  db: Db,
  clinicId: number,
  { show, page, limit }: ClinicRequestsQuery,
): Promise<ClinicRequests> {
  const wanted = { all: 'true', open: IS_OPEN, answered: `not (${IS_OPEN})` }[show as 'all'] ?? 'outcome = :show'
  const bindings = { clinic: clinicId, show, limit, offset: (page - 1) * limit }
  type Found = Omit<ClinicRequest, 'received_at' | 'outcome_at' | 'answer'> & {
    received_at: Date
    outcome_at: Date | null
  }
  const [rows, counts] = await Promise.all([
    queryRows<Found>(
      db,
      `select ${COLUMNS} ${REQUESTS} and ${wanted} order by matched_at desc, leads.id desc limit :limit offset :offset`,
      bindings,
    ),
    queryRows<{ total: number; open: number }>(
      db,
      `select (count(*) filter (where ${wanted}))::integer as total, (count(*) filter (where ${IS_OPEN}))::integer as open
       from leads where provider_id = :clinic and held_reason is null`,
      bindings,
    ),
  ])
  const answers = await answerClocks.findMany(
    db,
    rows.map(({ id }) => id),
  )
  const requests = rows.map((row) => ({
    ...row,
    received_at: row.received_at.toISOString(),
    outcome_at: row.outcome_at?.toISOString() ?? null,
    answer: answers.get(row.id) ?? null,
  }))
  return { requests, ...only(counts) }
}

const IS_OPEN = `(outcome is null or outcome = 'opened')`

/** Returns whether the clinic has this lead now. */
export async function has(db: Db, clinicId: number, leadId: number): Promise<boolean> {
  const found = await db('leads').where({ id: leadId, provider_id: clinicId, held_reason: null }).first('id')
  return found !== undefined
}

const EXPORTED = [
  ...['id', 'received_at', 'first_name', 'last_name', 'email', 'phone', 'zip_code', 'city', 'state'],
  ...['outcome', 'outcome_at', 'reason', 'booked_for', 'note'],
] as const

/** Exports the requests of a clinic, the newest first. Times are local ISO 8601 with their offset. */
export function exported(db: Db, clinicId: number, timeZone: string) {
  const time = (column: string) => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SSTZH:TZM') as ${column}`
  const rows = readAll<Record<(typeof EXPORTED)[number], string | number | null>>(
    db,
    (trx) =>
      trx
        .with('request', trx.raw(`select ${COLUMNS} ${REQUESTS}`, { clinic: clinicId } as never))
        .from('request')
        .select(EXPORTED.map((column) => (column.endsWith('_at') ? trx.raw(time(column)) : column)))
        .orderBy([
          { column: 'request.received_at', order: 'desc' },
          { column: 'id', order: 'desc' },
        ]),
    timeZone,
  )
  return { columns: EXPORTED, rows }
}

/**
 * Returns what a clinic made of its requests of the last 90 days, beside the median of all clinics that had any. Without
 * another clinic there is no median, because it would be the clinic's own.
 */
export async function figures(db: Db, clinicId: number): Promise<ClinicFigures> {
  const rows = await queryRows<Record<string, number | null>>(
    db,
    `with clinic as (
       select leads.provider_id as id, count(*)::integer as requests,
         percentile_cont(0.5) within group (order by extract(epoch from answered_at - started_at) / 60) as minutes,
         avg((answered_at <= due_at)::integer) filter (where due_at is not null and (answered_at is not null or due_at < now()))
           as in_time,
         avg((outcome is not null and outcome = any(:reached))::integer) as reached,
         avg((outcome is not null and outcome = any(:booked))::integer) as booked
       from leads left join answer_clocks on lead_id = leads.id
       where matched_at > now() - :days * interval '1 day' and leads.provider_id is not null and held_reason is null
       group by leads.provider_id
     ), network as (
       select count(*) as clinics,
         percentile_cont(0.5) within group (order by minutes) as minutes,
         percentile_cont(0.5) within group (order by in_time) as in_time,
         percentile_cont(0.5) within group (order by reached) as reached,
         percentile_cont(0.5) within group (order by booked) as booked
       from clinic
     )
     select coalesce(own.requests, 0) as requests,
       own.minutes::float, own.in_time::float, own.reached::float, own.booked::float,
       case when clinics > 1 then network.minutes end::float as network_minutes,
       case when clinics > 1 then network.in_time end::float as network_in_time,
       case when clinics > 1 then network.reached end::float as network_reached,
       case when clinics > 1 then network.booked end::float as network_booked
     from network left join clinic own on own.id = :clinic`,
    { clinic: clinicId, days: FIGURE_DAYS, reached: [...REACHED], booked: [...BOOKED] },
  )
  const row = only(rows)
  const figure = (name: string) => ({ own: row[name] ?? null, network: row[`network_${name}`] ?? null })
  return {
    days: FIGURE_DAYS,
    requests: row.requests ?? 0,
    minutes_to_answer: figure('minutes'),
    answered_in_time: figure('in_time'),
    reached: figure('reached'),
    booked: figure('booked'),
  }
}
