import type { Env } from '../env.ts'
import type { UsualAnswers } from '../leads/stores/answer-clocks.ts'
import type { Db } from '../platform/db.ts'
import { REQUEST_EMAIL } from '../providers/stores/clinic-people.ts'
import type { ConditionFacts, ConditionId, ConditionLine } from './contract/conditions.ts'

export type ConditionEnv = Context['env']

export type Context = {
  env: Pick<Env, 'DATA_KEY' | 'MATCH_RADIUS_MILES' | 'WORDPRESS_URL' | 'WORDPRESS_SYNC_CRON' | 'NETWORK_TIME_ZONE'>
  /** Known in workers only. */
  usual?: UsualAnswers
  now: Date
}

/** What is found. `subject` tells it from others of its condition; `version` is the time of the newest event in milliseconds. */
export type Found<Data> = { subject: string; version: number; since: string; data: Data }

type Line = Omit<ConditionLine, 'kind' | 'key' | 'version' | 'since' | 'mark'> & {
  /** The sentence of an alert, if not `words`. It names clinics and numbers of leads, never a visitor, because a chat keeps it. */
  alert?: string
}

export type Condition<Data extends object> = ConditionFacts & {
  id: ConditionId
  /**
   * SQL for `subject`, `newest` and `since` (times) and `data`, or a function where the database does not know enough. SQL is read
   * every minute, so it reads what is recent or open, by an index.
   */
  find: string | ((db: Db, context: Context) => Promise<Found<Data>[]>)
  /** SQL for the data of the row with the id `subject`, where `find` leaves `data` null. Read for shown lines only. */
  details?: string
  /** Adds to the data of shown lines what SQL does not know. */
  complete?: (db: Db, data: Data[], context: Context) => Promise<void>
  present: (data: Data, of: { since: string; timeZone: string }) => Line
}

/** The conditions of all modules that are loaded so far. `conditions.ts` loads those of this folder. */
export const DEFINED: Condition<object>[] = []

/** Defines something that can be wrong. `npm run generate` writes its facts where the browser reads them. */
export function defineCondition<Data extends object>(condition: Condition<Data>): void {
  DEFINED.push(condition as unknown as Condition<object>)
}

export type Clinic = NonNullable<ConditionLine['clinic']>
export const CLINIC = `jsonb_build_object('id', providers.id, 'name', coalesce(practice_name, providers.name),
  'phone', nullif(providers.phone, ''), 'email', ${REQUEST_EMAIL})`

export type Leads = NonNullable<ConditionLine['leads']>
/** The most leads of a line that are named, the newest first. */
const MAX_LEADS_PER_LINE = 200
/** SQL for the `Leads` of a group, the newest first. `at` is the time of each. */
export const leadsBy = (at: string) => `jsonb_build_object('total', count(distinct_lead), 'older', 0, 'ids',
  to_jsonb((array_agg(distinct_lead order by ${at} desc) filter (where distinct_lead is not null))[1:${MAX_LEADS_PER_LINE}]))`

export const searchOf = (tab: string, of: Record<string, unknown> = {}) =>
  `?${new URLSearchParams({ tab, ...Object.fromEntries(Object.entries(of).map(([name, value]) => [name, String(value)])) })}`
export const leadSearch = (lead: number) => searchOf('leads', { lead })
export const clinicSearch = (provider: number) => searchOf('providers', { provider })

export const ofClinic = (clinic: Clinic) => ({ title: clinic.name, search: clinicSearch(clinic.id), clinic })
export const ofLead = ({ leadId, name }: { leadId: number; name: string }) => ({
  ...{ title: name, search: leadSearch(leadId), leadId },
})
