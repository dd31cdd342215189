import { z } from 'zod'
import { defineCall, PageQuery, RowParams } from '../../contract/call.ts'

const namesIn = <Name extends string>(words: Record<Name, string>) => Object.keys(words) as [Name, ...Name[]]

/** The acts that are logged, as a line of the log and its filter say them. */
export const ACTION_WORDS = {
  'retry-sync': 'CRM sync retried',
  'retry-email': 'Emails resent',
  'retry-match': 'Matching retried',
  'retry-job': 'Job retried',
  'retry-failed': 'All failed deliveries retried',
  'test-email': 'Test email sent',
  'check-mail': 'Mail server tested',
  'check-crm': 'CRM tested',
  'send-test-lead': 'Test lead sent',
  'delete-test-lead': 'Test lead deleted',
  'send-report': 'Weekly report sent',
  'assign-provider': 'Lead matched',
  'no-provider': 'Visitor notified that no provider is near',
  'pass-on': 'Lead passed on',
  'undo-match': 'Match undone',
  release: 'Released',
  'set-status': 'Status changed',
  'application-owner': 'Owner of an application changed',
  'application-note': 'Note on an application',
  'delete-application-note': 'Note on an application deleted',
  certify: 'Application certified',
  'pause-network': 'Network paused',
  'end-pause': 'Pause ended',
  'pause-sending': 'Sending paused',
  'resume-sending': 'Sending resumed',
  delete: 'Deleted',
  restore: 'Restored',
  purge: 'Permanently deleted',
  export: 'Export downloaded',
  sync: 'Providers synced',
  'confirm-email': 'New address confirmed',
  'keep-email': 'Old address kept',
  activate: 'Provider activated',
  'change-rules': 'Rules changed',
  'opt-out': 'Contact stopped',
  'lift-opt-out': 'Contact allowed again',
  'confirm-opt-out': 'Stop confirmed',
  'record-outcome': 'Outcome recorded',
  enter: 'Lead entered',
  edit: 'Lead corrected',
  'add-note': 'Note added',
  'delete-note': 'Note deleted',
  'change-work': 'Work on a lead changed',
  'sign-in': 'Signed in',
  'sign-in-failed': 'Sign-in failed',
  'sign-out': 'Signed out',
  'end-session': 'Session ended',
  add: 'Account added',
  change: 'Account changed',
  disable: 'Account disabled',
  enable: 'Account enabled',
  'set-password': 'Password chosen',
  'reset-password': 'Password reset',
  'request-reset': 'Link to reset a password requested',
  'read-limit': 'Reading limit reached',
  'find-person': 'Person’s data found',
  erase: 'Erased on request',
  'invite-again': 'Invitation sent again',
  'link-identity': 'Single sign-on linked',
  'shared-password-on': 'Shared password turned on',
  'shared-password-off': 'Shared password turned off',
  'add-factor': 'Two-step sign-in set up',
  'remove-factor': 'Two-step sign-in turned off',
  'reset-factors': 'Two-step sign-in reset',
  'add-person': 'Provider: person added',
  'remove-person': 'Provider: person removed',
  'ask-address': 'Provider: address requested',
  'change-address': 'Provider: address changed',
  'set-aside': 'Set aside',
  'add-channel': 'Alerts: channel added',
  'change-channel': 'Alerts: channel changed',
  'remove-channel': 'Alerts: channel removed',
  'test-channel': 'Alerts: channel tested',
  'change-alerts': 'Alerts: setting changed',
} as const
export type AuditAction = keyof typeof ACTION_WORDS

/** An act in the log, which may be one of an earlier version: lines are kept for years. */
export const LoggedAction = z.union([z.enum(namesIn(ACTION_WORDS)), z.string()])

export const ENTITY_WORDS = {
  lead: 'Leads',
  application: 'Applications',
  provider: 'Providers',
  job: 'Deliveries',
  staff: 'Accounts',
  session: 'Sessions',
  person: 'Privacy requests',
  suppression: 'Do not contact',
  network: 'Network',
  attention: 'Needs attention',
  channel: 'Alerts',
} as const
export const AuditEntity = z.enum(namesIn(ENTITY_WORDS))
export type AuditEntity = z.infer<typeof AuditEntity>

/** A kind of row, which may be one of an earlier version as well. */
const LoggedEntity = z.union([AuditEntity, z.string()])

export const AuditLine = z.object({
  id: z.number().int(),
  at: z.iso.datetime(),
  /**
   * The email of an account; `staff` for the shared password, `command line`, `unknown` for a failed sign-in, or
   * `clinic` and `visitor` for links in emails to them; `system` for what happens by a setting.
   */
  actor: z.string(),
  actor_name: z.string().nullable(),
  action: LoggedAction,
  entity: LoggedEntity,
  /** An id, or `all`. For a failed sign-in: the id of the account, `shared`, or `unknown`. */
  entity_id: z.string(),
  /** The name of the account or the lead, while it exists. */
  entity_name: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
  /**
   * The IP address and the session of the request of staff; null if no browser made one. Addresses of visitors and clinics are
   * not kept, and only managers see those of staff.
   */
  ip: z.string().nullable(),
  session_id: z.number().int().nullable(),
})
export type AuditLine = z.infer<typeof AuditLine>

export const AUDIT_LINES_PER_PAGE = 40

const text = z
  .string()
  .max(254)
  .regex(/^[^\p{Cc}\p{Cs}]+$/u)
  .optional()

export const AuditLogQuery = PageQuery(AUDIT_LINES_PER_PAGE).extend({
  actor: text,
  entity: AuditEntity.optional(),
  entityId: text,
})
export type AuditLogQuery = z.output<typeof AuditLogQuery>

/** Newest first. `total` counts all matches. */
export const AuditLog = z.object({ lines: z.array(AuditLine), total: z.number().int() })
export type AuditLog = z.infer<typeof AuditLog>

export const listAudit = defineCall({
  method: 'GET',
  path: '/api/audit-log',
  summary: 'List the acts of staff, newest first.',
  access: 'viewer',
  input: { query: AuditLogQuery },
  output: AuditLog,
})

/** The rows that hold contact data of people, whose reading is logged. */
export const AccessEntity = z.enum(['lead', 'application'])
export type AccessEntity = z.infer<typeof AccessEntity>

/** One reading of rows by staff, or by a clinic on its page for a request. */
export const AccessLine = z.object({
  id: z.number().int(),
  at: z.iso.datetime(),
  /** The email of an account, `staff` for the shared password, or a clinic such as `clinic 72`. */
  actor: z.string(),
  /** The name of the account or the clinic. */
  actor_name: z.string().nullable(),
  session_id: z.number().int().nullable(),
  ip: z.string(),
  /** Method and path of the call, without its query. */
  call: z.string(),
  entity: AccessEntity,
  count: z.number().int(),
  /** The first `MAX_ROWS_NAMED` rows, in the order of the list. */
  row_ids: z.array(z.number().int()),
  /** The filter of a list. `search: true` stands for a search term, which is not logged. */
  filter: z.record(z.string(), z.unknown()),
})
export type AccessLine = z.infer<typeof AccessLine>

const ACCESS_LINES_PER_PAGE = 40
/** The most rows that a line names. */
export const MAX_ROWS_NAMED = 100

/** The query of `listAccess`: readings by one account, or of one row. */
export const AccessLogQuery = PageQuery(ACCESS_LINES_PER_PAGE).extend({
  actor: text,
  entity: AccessEntity.optional(),
  rowId: RowParams.shape.id.optional(),
})
export type AccessLogQuery = z.output<typeof AccessLogQuery>

/** Newest first. `total` counts all matches. */
export const AccessLog = z.object({ lines: z.array(AccessLine), total: z.number().int() })
export type AccessLog = z.infer<typeof AccessLog>

export const listAccess = defineCall({
  method: 'GET',
  path: '/api/access-log',
  summary: 'List which staff and clinics read which leads and applications, newest first.',
  access: 'manager',
  input: { query: AccessLogQuery },
  output: AccessLog,
})
