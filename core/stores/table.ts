import type { Knex } from 'knex'
import type { AccessLine } from '../contract/access-log.ts'
import type { AlertEvent } from '../contract/alerts.ts'
import type { AuditLine } from '../contract/audit-log.ts'
import type { LedgerJob } from '../contract/jobs.ts'
import type { LeadView } from '../contract/lead-views.ts'
import type { LeadExportQuery } from '../contract/leads.ts'
import type { ClinicPart } from '../contract/page.ts'
import type { SkippedClinic, WeekHours } from '../contract/provider-rules.ts'
import type { SyncChange, SyncRun, SyncRunDetails } from '../contract/sync.ts'
import type { JobName } from '../jobs/jobs.ts'
import type { SensitiveChange } from '../rules/sync-approval.ts'
import type { BulkInput } from './bulk.ts'
import type { Tables } from './tables.ts'
import type { WorkerSettings } from './worker-heartbeats.ts'

declare module 'knex/types/tables.js' {
  interface Tables extends DatabaseTables {}
}
type DatabaseTables = Tables

/** A row of a table, as pg reads it. */
export type Row<Name extends keyof Tables> = Tables[Name]['base']

/** Some columns of a table, and computed ones: the row of a `select` with `raw`, which knex cannot type. */
export type RowWith<Name extends keyof Tables, Column extends keyof Row<Name>, Computed = unknown> = Pick<
  Row<Name>,
  Column
> &
  Computed

/** The columns that a query may write into a table. */
export type Changes<Name extends keyof Tables> = Tables[Name]['update']

/** The columns of which the database knows less than the contract: JSON, and text without a constraint. */
export interface ColumnTypes {
  'access_log.filter': AccessLine['filter']
  'alert_rules.event': AlertEvent
  'alert_states.event': AlertEvent
  'audit_log.action': AuditLine['action']
  'audit_log.entity': AuditLine['entity']
  'audit_log.details': AuditLine['details']
  'bulk_actions.input': BulkInput
  'clinic_links.page': ClinicPart
  'deleted_leads.lead': { [Column in keyof Row<'leads'>]: Json<Row<'leads'>[Column]> }
  'exports.query': LeadExportQuery
  'jobs.name': JobName
  'jobs.result': NonNullable<LedgerJob['result']>
  'lead_views.query': Pick<LeadView, 'filter' | 'sort'>
  'leads.attribution': Record<string, unknown>
  'leads.match_skipped': SkippedClinic[]
  'match_changes.clock': { [Column in keyof Row<'answer_clocks'>]: Json<Row<'answer_clocks'>[Column]> }
  'match_changes.before': { [Column in keyof Row<'leads'>]?: Json<Row<'leads'>[Column]> }
  'provider_rules.hours': WeekHours
  'provider_syncs.changes': SyncChange[]
  'provider_syncs.doubts': SyncRunDetails['doubts']
  'provider_syncs.skipped_posts': SyncRunDetails['skipped']
  'provider_syncs.approval_reasons': SyncRun['approval_reasons']
  'provider_syncs.sensitive_changes': SensitiveChange[]
  'worker_heartbeats.settings': WorkerSettings
}

/** A value after `to_jsonb`: times are text. */
type Json<Value> = Value extends Date ? string : Value

/**
 * A table: its rows as pg reads them, the columns with a default, and those that are written in another form than they
 * are read (JSON as text, integers of 64 bits as numbers). Times may be written as ISO text, and every column as SQL.
 */
export type Table<
  Columns extends object,
  Default extends keyof Columns,
  Otherwise extends keyof Columns,
> = Knex.CompositeTableType<
  Columns,
  Omit<Written<Columns, Otherwise>, Default | Nullable<Columns>> &
    Partial<Pick<Written<Columns, Otherwise>, Default | Nullable<Columns>>>,
  Partial<Written<Columns, Otherwise>>
>

type Written<Columns, Otherwise> = {
  [Column in keyof Columns]:
    | Columns[Column]
    | (Column extends Otherwise ? string | number : never)
    | (Date extends Columns[Column] ? string : never)
    | Knex.Raw
    | Knex.QueryBuilder
}

type Nullable<Columns> = { [Column in keyof Columns]: null extends Columns[Column] ? Column : never }[keyof Columns]
