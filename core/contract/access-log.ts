import { z } from 'zod'
import { defineCall, PageQuery } from './call.ts'

/** What staff read: rows that hold the contact data of people. */
export const AccessEntity = z.enum(['lead', 'application'])
export type AccessEntity = z.infer<typeof AccessEntity>

/** Who read which rows, when, from where and with what filter. */
export const AccessLine = z.object({
  id: z.number().int(),
  at: z.iso.datetime(),
  /** The e-mail of an account, or `staff` for the shared password. */
  actor: z.string(),
  /** Of the account. */
  actor_name: z.string().nullable(),
  session_id: z.number().int().nullable(),
  ip: z.string(),
  /** Method and path of the call, without what was typed into it. */
  call: z.string(),
  entity: AccessEntity,
  /** How many rows were read. */
  count: z.number().int(),
  /** The first of them, in the order of the list. */
  row_ids: z.array(z.number().int()),
  /** The filter of a list; `search` says that it was searched, and not for what. */
  filter: z.record(z.string(), z.unknown()),
})
export type AccessLine = z.infer<typeof AccessLine>

export const ACCESS_LINES_PER_PAGE = 40
/** Rows that a line names. */
export const MAX_ROWS_NAMED = 100

/** The query of `GET /api/access-log`: of one person, or about one row. */
export const AccessLogQuery = PageQuery(ACCESS_LINES_PER_PAGE).extend({
  actor: z
    .string()
    .max(254)
    .regex(/^[^\p{Cc}\p{Cs}]+$/u)
    .optional(),
  entity: AccessEntity.optional(),
  rowId: z.coerce.number<number>().int().positive().max(2_147_483_647).optional(),
})
export type AccessLogQuery = z.output<typeof AccessLogQuery>

/** The newest first; `total` counts all that match. */
export const AccessLog = z.object({ lines: z.array(AccessLine), total: z.number().int() })
export type AccessLog = z.infer<typeof AccessLog>

export const listAccess = defineCall({
  method: 'GET',
  path: '/api/access-log',
  summary: 'Who read which leads and applications, the newest first.',
  access: 'manager',
  input: { query: AccessLogQuery },
  output: AccessLog,
})
