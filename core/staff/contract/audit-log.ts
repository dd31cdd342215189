import { z } from 'zod'
import { defineCall, PageQuery } from '../../contract/call.ts'

/** The acts of staff that are logged. */
export const AuditAction = z.enum([
  'retry-sync',
  'retry-email',
  'retry-match',
  'retry-job',
  'retry-failed',
  'test-email',
  'send-report',
  'assign-provider',
  'no-provider',
  'pass-on',
  'undo-match',
  'release',
  'set-status',
  'application-owner',
  'application-note',
  'delete-application-note',
  'certify',
  'pause-network',
  'end-pause',
  'pause-sending',
  'resume-sending',
  'delete',
  'restore',
  'purge',
  'export',
  'sync',
  'confirm-email',
  'keep-email',
  'activate',
  'change-rules',
  'opt-out',
  'lift-opt-out',
  'confirm-opt-out',
  'record-outcome',
  'enter',
  'edit',
  'add-note',
  'delete-note',
  'change-work',
  'sign-in',
  'sign-in-failed',
  'sign-out',
  'end-session',
  'add',
  'change',
  'disable',
  'enable',
  'set-password',
  'reset-password',
  'request-reset',
  'read-limit',
  'find-person',
  'erase',
  'invite-again',
  'link-identity',
  'shared-password-on',
  'shared-password-off',
  'add-factor',
  'remove-factor',
  'reset-factors',
  'add-person',
  'remove-person',
  'ask-address',
  'change-address',
  'set-aside',
  'add-channel',
  'change-channel',
  'remove-channel',
  'test-channel',
  'change-alerts',
  'check-mail',
  'check-crm',
  'send-test-lead',
  'delete-test-lead',
])
export type AuditAction = z.infer<typeof AuditAction>

/** An act in the log, which may be one of an earlier version: lines are kept for years. */
export const LoggedAction = z.union([AuditAction, z.string()])

/** The kinds of rows that an act is about. */
export const AuditEntity = z.enum([
  'lead',
  'application',
  'provider',
  'job',
  'staff',
  'session',
  'person',
  'suppression',
  'network',
  'attention',
  'channel',
])
export type AuditEntity = z.infer<typeof AuditEntity>

/** A kind of row, which may be one of an earlier version as well. */
const LoggedEntity = z.union([AuditEntity, z.string()])

/** One act of staff. */
export const AuditLine = z.object({
  id: z.number().int(),
  at: z.iso.datetime(),
  /**
   * The email of an account; `staff` for the shared password, `command line`, `unknown` for a failed sign-in, or
   * `clinic` and `visitor` for links in emails to them; `system` for what happens by a setting.
   */
  actor: z.string(),
  /** The name of the account. */
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

/** The query of `listAudit`. */
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
  /** The number of rows that were read. */
  count: z.number().int(),
  /** The first `MAX_ROWS_NAMED` rows, in the order of the list. */
  row_ids: z.array(z.number().int()),
  /** The filter of a list. `search: true` stands for a search term, which is not logged. */
  filter: z.record(z.string(), z.unknown()),
})
export type AccessLine = z.infer<typeof AccessLine>

export const ACCESS_LINES_PER_PAGE = 40
/** The most rows that a line names. */
export const MAX_ROWS_NAMED = 100

/** The query of `listAccess`: readings by one account, or of one row. */
export const AccessLogQuery = PageQuery(ACCESS_LINES_PER_PAGE).extend({
  actor: text,
  entity: AccessEntity.optional(),
  rowId: z.coerce.number<number>().int().positive().max(2_147_483_647).optional(),
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
