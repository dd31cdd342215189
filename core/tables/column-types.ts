import type { Knex } from 'knex'
import type { AlertPayload } from '../conditions/contract/alerts.ts'
import type { ConditionId } from '../conditions/contract/conditions.ts'
import type { WorkerSettings } from '../conditions/stores/health.ts'
import type { ClinicPart } from '../contract/page.ts'
import type { LedgerJob } from '../deliveries/contract/jobs.ts'
import type { JobPayload, SubjectKind } from '../deliveries/emails.ts'
import type { JobName } from '../deliveries/jobs.ts'
import type { LeadWorkChange } from '../leads/contract/lead-changes.ts'
import type { NewAnswer } from '../leads/contract/outcomes.ts'
import type { SkippedClinic, WeekHours } from '../providers/contract/provider-rules.ts'
import type { AccessLine, AuditLine } from '../staff/contract/audit-log.ts'
import type { SyncChange, SyncRun, SyncRunDetails } from '../sync/contract/sync.ts'
import type { SensitiveChange } from '../sync/rules/sync-approval.ts'

/** The columns of which the database knows less than the contract: JSON, and text without a constraint. */
export interface ColumnTypes {
  'access_log.filter': AccessLine['filter']
  'alert_states.event': ConditionId
  'audit_log.action': AuditLine['action']
  'audit_log.entity': AuditLine['entity']
  'audit_log.details': AuditLine['details']
  'bulk_actions.input': BulkInput
  'one_time_tokens.page': ClinicPart
  'jobs.name': JobName
  'jobs.payload': JobPayload | AlertPayload | { to: string | null }
  'jobs.subject_kind': SubjectKind
  'jobs.result': NonNullable<LedgerJob['result']>
  'all_leads.attribution': Record<string, unknown>
  'all_leads.match_skipped': SkippedClinic[]
  'provider_rules.hours': WeekHours
  'provider_syncs.changes': SyncChange[]
  'provider_syncs.doubts': SyncRunDetails['doubts']
  'provider_syncs.skipped_posts': SyncRunDetails['skipped']
  'provider_syncs.approval_reasons': SyncRun['approval_reasons']
  'provider_syncs.sensitive_changes': SensitiveChange[]
  'worker_heartbeats.settings': WorkerSettings
}

/** What a bulk action does, and for whom. `ip` and `sessionId` are those of the call, for the audit log. */
export type BulkInput = {
  providerId?: number
  outcome?: NewAnswer
  work?: LeadWorkChange
  /** The clinic whose unanswered leads are passed on. */
  waitingAt?: number
  /** The provider whose emails alone are sent again. */
  toClinic?: number
  /** In milliseconds: how long the deliveries of a match wait. */
  delay?: number
  actorId: number | null
  ip: string | null
  sessionId: number | null
}

/** A row after `to_jsonb`: times are text. */
export type JsonRow<Columns> = { [Column in keyof Columns]: Json<Columns[Column]> }
type Json<Value> = Value extends Date ? string : Value

declare const kind: unique symbol

/**
 * A column with a default (`default`), and one that is written in another form than it is read (`converted`): JSON as text, integers
 * of 64 bits as numbers.
 */
export type Column<Value, Kind extends 'default' | 'converted'> = { value: Value; [kind]: Kind }

/** A table: its rows as pg reads them. Times may be written as ISO text, and every column as SQL. */
export type Table<Columns> = Knex.CompositeTableType<
  Read<Columns>,
  Omit<Written<Columns>, MayBeLeftOut<Columns>> & Partial<Pick<Written<Columns>, MayBeLeftOut<Columns>>>,
  Partial<Written<Columns>>
>

type Read<Columns> = {
  [Name in keyof Columns]: Columns[Name] extends Column<infer Value, infer _> ? Value : Columns[Name]
}

type Written<Columns> = {
  [Name in keyof Columns]:
    | Read<Columns>[Name]
    | (Columns[Name] extends { [kind]: infer Kind } ? ('converted' extends Kind ? string | number : never) : never)
    | (Date extends Read<Columns>[Name] ? string : never)
    | Knex.Raw
    | Knex.QueryBuilder
}

/** The columns with a default, and those that may be null. */
type MayBeLeftOut<Columns> = {
  [Name in keyof Columns]: null extends Read<Columns>[Name]
    ? Name
    : Columns[Name] extends { [kind]: infer Kind }
      ? 'default' extends Kind
        ? Name
        : never
      : never
}[keyof Columns]
