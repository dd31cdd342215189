import { type Db, queryRows } from '../../platform/db.ts'
import type { WeekHours } from '../../providers/contract/provider-rules.ts'
import { averageDay, type Calendar, type Pause } from '../../providers/rules/business-hours.ts'
import { timeZoneOf } from '../../providers/rules/time-zone-of.ts'
import type { RowWith } from '../../tables/table.ts'

/** What holds for clinics without rules of their own: `CLINIC_HOURS`, `NETWORK_TIME_ZONE`, `ANSWER_HOURS`. */
export type UsualAnswers = { hours: WeekHours; timeZone: string; answerHours: number }

/**
 * Finds when a clinic is open since `since`, and how many hours it has for an answer. Its time zone is the one that staff
 * set, else that of its coordinates or its zip, else the network's. Hours without any open day count as not set.
 */
export async function findOfClinic(
  db: Db,
  providerId: number,
  since: Date,
  usual: UsualAnswers,
): Promise<{ calendar: Calendar; answerHours: number }> {
  const [row, pauses] = await Promise.all([readRow(db, providerId), listPauses(db, since)])
  const { hours, answer_hours } = row
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

async function readRow(db: Db, providerId: number): Promise<CalendarRow> {
  const [row] = await queryRows<CalendarRow>(
    db,
    `select hours, time_zone, answer_hours, coalesce(providers.latitude, zip_codes.latitude) as latitude,
       coalesce(providers.longitude, zip_codes.longitude) as longitude
     from providers
     left join provider_rules on provider_rules.provider_id = providers.id
     left join zip_codes on zip = zip_code
     where providers.id = ?`,
    [providerId],
    { name: 'find-calendar' },
  )
  return row ?? NOT_SET
}

function zoneOf({ time_zone, latitude, longitude }: CalendarRow): string | null {
  const isPlaced = latitude !== null && longitude !== null
  return time_zone ?? (isPlaced ? timeZoneOf({ latitude, longitude }) : null)
}

/** Finds when the network is open since `since`. */
export async function findOfNetwork(db: Db, since: Date, { hours, timeZone }: UsualAnswers): Promise<Calendar> {
  return { hours, timeZone, pauses: await listPauses(db, since) }
}

async function listPauses(db: Db, since: Date): Promise<Pause[]> {
  const rows = await db('network_pauses').select('starts_at', 'ends_at').where('ends_at', '>', since)
  return rows.map(({ starts_at, ends_at }) => ({ from: starts_at.getTime(), until: ends_at.getTime() }))
}

type CalendarRow = RowWith<'provider_rules', 'hours' | 'time_zone' | 'answer_hours'> &
  RowWith<'providers', 'latitude' | 'longitude'>

const NOT_SET: CalendarRow = { hours: null, time_zone: null, answer_hours: null, latitude: null, longitude: null }
