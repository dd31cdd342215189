import { type Db, only, type Query, queryRows, type Transaction } from '../../platform/db.ts'
import type { WeekHours } from '../../providers/contract/provider-rules.ts'
import { averageDay, type Calendar, type Pause, timeZoneOf } from '../../providers/rules/business-hours.ts'
import type { Changes, Row, RowWith } from '../../tables/table.ts'
import type { AnswerClock } from '../contract/outcomes.ts'

/**
 * The table `answer_clocks` has a row for each lead that a clinic has to answer. `storeLead` adds it with a matched lead.
 * The caller of the functions that change it holds the lock of the lead.
 */

/**
 * Starts the time of a clinic, from now. `null`: no clinic has the lead now, and nothing is left to do. A test lead has no
 * clock, because its clinic does not know of it.
 */
export async function restart(trx: Transaction, leadId: number, providerId: number | null): Promise<void> {
  const isTest = (await trx('leads').where('id', leadId).first('is_test'))?.is_test
  if (providerId === null || isTest) {
    await trx('answer_clocks').where('lead_id', leadId).delete()
    return
  }
  const fresh = { provider_id: providerId, started_at: trx.fn.now(), step: 'start' as const, step_at: trx.fn.now() }
  const unset = { due_at: null, offer_at: null, answered_at: null, is_stale: false }
  await trx('answer_clocks')
    .insert({ lead_id: leadId, ...fresh, ...unset, ask_visitor_at: null, ask_visit_at: null })
    .onConflict('lead_id')
    .merge()
}

/** Records the first answer, now or `at` an earlier time (ISO 8601), and ends the steps that wait for one. */
export async function stop(trx: Transaction, leadId: number, at?: string): Promise<void> {
  await trx('answer_clocks')
    .where('lead_id', leadId)
    .update({ answered_at: trx.raw('coalesce(answered_at, ?::timestamptz, now())', [at ?? null]), step_at: null })
}

/** A clock as it was, for `putBack`. */
export type KeptClock = { [Column in keyof Row<'answer_clocks'>]: unknown } | null

/** Reads the clock of a lead, to put it back later. Returns null when it has none. */
export async function keep(trx: Transaction, leadId: number): Promise<KeptClock> {
  const [row] = await queryRows<{ clock: KeptClock }>(
    trx,
    'select to_jsonb(answer_clocks) as clock from answer_clocks where lead_id = ?',
    [leadId],
  )
  return row?.clock ?? null
}

/** Makes the clock of a lead what it was. Its times are worked out again, because hours may have changed meanwhile. */
export async function putBack(trx: Transaction, leadId: number, clock: KeptClock): Promise<void> {
  await trx('answer_clocks').where('lead_id', leadId).delete()
  if (clock === null) return
  await trx.raw('insert into answer_clocks select (jsonb_populate_record(null::answer_clocks, ?)).*', [
    JSON.stringify({ ...clock, is_stale: clock.answered_at === null }),
  ])
}

/**
 * Has the open clocks worked out again by a worker, before their next step: of clinics whose hours, time zone or place staff or a sync
 * changed, or of all. Deadlines that have passed stay (`advanceClocks`).
 */
export async function markStale(trx: Transaction, providerIds?: number[]): Promise<void> {
  await trx('answer_clocks')
    .where('is_stale', false)
    .modify((clocks) => providerIds && void clocks.whereRaw('provider_id = any(?)', [providerIds]))
    .whereRaw('(answered_at is null or ask_visitor_at is not null)')
    .update({ is_stale: true })
}

/** A clock with the time of the database, which decides what is due. */
export type TickingClock = Row<'answer_clocks'> & { now: Date }

/** A clock whose times are to be worked out, with its person and the calendar of its clinic since it began. */
export type UnsetClock = TickingClock & RowWith<'leads', 'email' | 'phone'> & CalendarRow

/**
 * Locks up to `limit` clocks whose times are to be worked out: those that began, and those that a change made stale. Skips
 * those that another transaction holds, and held and deleted leads: a deleted one goes on when it is restored.
 */
export async function takeUnset(trx: Transaction, limit: number, except: number[]): Promise<UnsetClock[]> {
  return queryRows<UnsetClock>(
    trx,
    `select answer_clocks.*, now(), leads.email, leads.phone, ${calendarFrom('started_at')}
     join answer_clocks on answer_clocks.provider_id = providers.id
     join leads on leads.id = lead_id
     where held_reason is null and (is_stale or (step = 'start' and step_at <= now())) and lead_id <> all(?::integer[])
     limit ? for update of answer_clocks skip locked`,
    [except, limit],
    { name: 'take-unset-clocks' },
  )
}

type TimeColumn = 'step_at' | 'due_at' | 'offer_at' | 'ask_visitor_at' | 'ask_visit_at'
/** The times of a clock, the new ones in ISO 8601. */
export type ClockTimes = Pick<Row<'answer_clocks'>, 'lead_id' | 'step'> & Record<TimeColumn, Date | string | null>

/** Writes the times of clocks, which are no longer stale. The caller holds their locks. */
export async function writeTimes(trx: Transaction, clocks: ClockTimes[]): Promise<void> {
  await queryRows(
    trx,
    `update answer_clocks set is_stale = false, step = row.step, step_at = row.step_at, due_at = row.due_at,
       offer_at = row.offer_at, ask_visitor_at = row.ask_visitor_at, ask_visit_at = row.ask_visit_at
     from jsonb_populate_recordset(null::answer_clocks, ?) as row where answer_clocks.lead_id = row.lead_id`,
    [JSON.stringify(clocks)],
    { name: 'write-clock-times' },
  )
}

/** Lists leads whose clock has a step or a question due. Skips held and deleted leads. */
export async function listDue(db: Db, limit: number): Promise<number[]> {
  const rows = await queryRows<RowWith<'answer_clocks', 'lead_id'>>(
    db,
    `select lead_id from answer_clocks join leads on leads.id = lead_id
     where held_reason is null and (step_at <= now() or ask_visitor_at <= now() or ask_visit_at <= now())
     order by coalesce(step_at, ask_visitor_at, ask_visit_at), lead_id limit ?`,
    [limit],
    { name: 'list-due-clocks' },
  )
  return rows.map(({ lead_id }) => lead_id)
}

/** Reads the clock of a lead. The caller holds the lock of the lead. */
export async function read(trx: Transaction, leadId: number): Promise<TickingClock | null> {
  const [row] = await queryRows<TickingClock>(
    trx,
    'select answer_clocks.*, now() from answer_clocks where lead_id = ? for update',
    [leadId],
    { name: 'read-clock' },
  )
  return row ?? null
}

/** Writes times and steps. The caller holds the lock of the lead. */
export async function write(trx: Transaction, leadId: number, columns: Changes<'answer_clocks'>): Promise<void> {
  await trx('answer_clocks').where('lead_id', leadId).update(columns)
}

export async function findMany(db: Db, leadIds: number[]): Promise<Map<number, AnswerClock>> {
  const rows = await queryRows<RowWith<'answer_clocks', 'lead_id' | 'started_at' | 'due_at' | 'answered_at'>>(
    db,
    'select lead_id, started_at, due_at, answered_at from answer_clocks where lead_id = any(?::integer[])',
    [leadIds],
    { name: 'find-answer-clocks' },
  )
  return new Map(
    rows.map(({ lead_id, started_at, due_at, answered_at }) => [
      lead_id,
      {
        started_at: started_at.toISOString(),
        due_at: due_at?.toISOString() ?? null,
        answered_at: answered_at?.toISOString() ?? null,
      },
    ]),
  )
}

/** What holds for clinics without rules of their own: `CLINIC_HOURS`, `NETWORK_TIME_ZONE`, `ANSWER_HOURS`. */
export type UsualAnswers = { hours: WeekHours; timeZone: string; answerHours: number }

/**
 * Finds when a clinic is open since `since`, and how many hours it has for an answer. Its time zone is the one that staff
 * set, else that of its coordinates or its zip, else the network's. Hours without any open day count as not set.
 */
export async function findOfClinic(db: Db, providerId: number, since: Date, usual: UsualAnswers) {
  return answersOf(await readRow(db, providerId, since), usual)
}

/** Returns what `findOfClinic` finds, from the row of a clinic; undefined for one that is gone. */
export function answersOf(
  row: CalendarRow = NOT_SET,
  usual: UsualAnswers,
): { calendar: Calendar; answerHours: number } {
  const { hours, answer_hours, pauses } = row
  const calendar = {
    hours: hours && averageDay(hours) > 0 ? hours : usual.hours,
    timeZone: zoneOf(row) ?? usual.timeZone,
    pauses,
  }
  return { calendar, answerHours: answer_hours ?? usual.answerHours }
}

/** Finds the time zone of a clinic, in which its pages and emails tell times. `networkZone` is that of the network. */
export async function findTimeZone(db: Db, providerId: number, networkZone: string): Promise<string> {
  return zoneOf(await readRow(db, providerId)) ?? networkZone
}

async function readRow(db: Db, providerId: number, since?: Date): Promise<CalendarRow> {
  const [row = NOT_SET] = await queryRows<CalendarRow>(db, ...calendarQuery(providerId, since), {
    name: 'find-calendar',
  })
  return row
}

/** Reads the calendar of a clinic with the pauses of the network since `since`. */
export const calendarQuery = (providerId: number, since = new Date()): Query => [
  `select ${calendarFrom('?')} where providers.id = ?`,
  [since, providerId],
]

/** SQL for the columns and tables of `CalendarRow`. */
const calendarFrom = (since: string) =>
  `hours, time_zone, answer_hours, coalesce(providers.latitude, zip_codes.latitude) as latitude,
     coalesce(providers.longitude, zip_codes.longitude) as longitude, (${pausesSince(since)}) as pauses
   from providers
   left join provider_rules on provider_rules.provider_id = providers.id
   left join zip_codes on zip = providers.zip_code`

const pausesSince = (
  since: string,
) => `select coalesce(json_agg(json_build_object('from', extract(epoch from starts_at) * 1000,
  'until', extract(epoch from ends_at) * 1000)), '[]') from network_pauses where ends_at > ${since}`

function zoneOf({ time_zone, latitude, longitude }: CalendarRow): string | null {
  const isPlaced = latitude !== null && longitude !== null
  return time_zone ?? (isPlaced ? timeZoneOf({ latitude, longitude }) : null)
}

export async function findOfNetwork(db: Db, since: Date, { hours, timeZone }: UsualAnswers): Promise<Calendar> {
  const { pauses } = only(await queryRows<{ pauses: Pause[] }>(db, `select (${pausesSince('?')}) as pauses`, [since]))
  return { hours, timeZone, pauses }
}

export type CalendarRow = RowWith<'provider_rules', 'hours' | 'time_zone' | 'answer_hours'> &
  RowWith<'providers', 'latitude' | 'longitude', { pauses: Pause[] }>

const UNPLACED = { latitude: null, longitude: null }
const NOT_SET: CalendarRow = { hours: null, time_zone: null, answer_hours: null, ...UNPLACED, pauses: [] }
