import { z } from 'zod'
import { defineCall, PageQuery } from './call.ts'

/** Whatever staff can do. */
export const AuditAction = z.enum([
  'retry-sync',
  'retry-email',
  'retry-match',
  'retry-failed',
  'assign-provider',
  'undo-match',
  'release',
  'set-status',
  'delete',
  'restore',
  'purge',
  'export',
  'sync',
  'confirm-email',
  'keep-email',
  'opt-out',
  'lift-opt-out',
  'confirm-opt-out',
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
])
export type AuditAction = z.infer<typeof AuditAction>

/** To what they can do it. */
export const AuditEntity = z.enum([
  'lead',
  'application',
  'provider',
  'job',
  'staff',
  'session',
  'person',
  'suppression',
])
export type AuditEntity = z.infer<typeof AuditEntity>

/** Who did what to which row, when. */
export const AuditLine = z.object({
  id: z.number().int(),
  at: z.iso.datetime(),
  /**
   * The e-mail of an account; `staff` for the shared password, `command line`, `unknown` for who failed to sign in, or
   * `clinic` and `visitor` for the links in e-mails to them.
   */
  actor: z.string(),
  /** Of the account. */
  actor_name: z.string().nullable(),
  action: AuditAction,
  entity: AuditEntity,
  /** An id, or `all`; of a failed sign-in the account's, `shared`, or `unknown`. */
  entity_id: z.string(),
  /** Of the account or the lead that it was done to, as long as there is one. */
  entity_name: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
  /** The address and the session that it came from; null where no browser asked for it. */
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

/** The query of `GET /api/audit-log`. */
export const AuditLogQuery = PageQuery(AUDIT_LINES_PER_PAGE).extend({
  actor: text,
  action: AuditAction.optional(),
  entity: AuditEntity.optional(),
  entityId: text,
})
export type AuditLogQuery = z.output<typeof AuditLogQuery>

/** The newest first; `total` counts all that match. */
export const AuditLog = z.object({ lines: z.array(AuditLine), total: z.number().int() })
export type AuditLog = z.infer<typeof AuditLog>

export const listAudit = defineCall({
  method: 'GET',
  path: '/api/audit-log',
  summary: 'Who did what, the newest first.',
  access: 'viewer',
  input: { query: AuditLogQuery },
  output: AuditLog,
})
