import { z } from 'zod'
import { defineCall, PageQuery } from '../../contract/call.ts'

/** The rows that hold contact data of people, whose reading is logged. */
export const AccessEntity = z.enum(['lead', 'application'])
export type AccessEntity = z.infer<typeof AccessEntity>

/** One reading of rows by staff, or by a clinic on its page for a request. */
export const AccessLine = z.object({
  id: z.number().int(),
  at: z.iso.datetime(),
  /** The e-mail of an account, `staff` for the shared password, or a clinic such as `clinic 72`. */
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
  actor: z
    .string()
    .max(254)
    .regex(/^[^\p{Cc}\p{Cs}]+$/u)
    .optional(),
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
