import { z } from 'zod'

/** The roles of staff, lowest first. See `StaffRole`. */
export const ROLES = ['viewer', 'agent', 'manager'] as const

/**
 * A call of the API: its address, access, input and output. The server handles it (`api/handle.ts`), the browser makes it
 * (`web/lib/call.ts`), and the OpenAPI document describes it (`api/routes/openapi.ts`).
 */
export type Call = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Parameters are written as in the router: `/api/leads/:id`. */
  path: `/api/${string}`
  summary: string
  /** What a client must know beyond the summary. */
  description?: string
  /** The lowest role of staff that may make it, `clinic` for a session of a clinic, or `public`. */
  access: 'public' | 'clinic' | (typeof ROLES)[number]
  /** Fails with `confirm_identity` if the last confirmation of identity is too old. */
  needsConfirmation?: true
  /** Allows an account that still has to set up a required second factor. */
  beforeSecondFactor?: true
  /**
   * A form of the public pages: accepted from any origin, with an `Idempotency-Key` header and a rate limit of its own.
   * Other calls that change something are accepted from our own origins only.
   */
  isPublicForm?: true
  /** A signed message of another system (Standard Webhooks 1.0.0), with its three headers. The signature authorizes it. */
  isWebhook?: true
  /** Forbids browsers and proxies to store the answer of a public call. Answers to staff are never stored. */
  noStore?: true
  /** Answers more to staff than to the public. */
  variesByStaff?: true
  input?: { params?: z.ZodObject; query?: z.ZodObject; body?: z.ZodObject }
  /** The answer. Errors are answered with `ErrorAnswer`. */
  output: z.ZodType
  /** Default: 200. */
  status?: 201 | 202
  /** Default: JSON. */
  type?: 'text/csv' | 'text/event-stream' | 'text/html' | 'text/vcard'
}

/** Declares a call and keeps its exact type. Without an `output` it answers with `ActionAnswer`. */
export const defineCall = <const C extends Omit<Call, 'output'> & Partial<Call>>(call: C) =>
  ({ output: ActionAnswer, ...call }) as C extends Call ? C : C & { output: typeof ActionAnswer }

type Schemas<C extends Call> = C extends { input: infer Input } ? Input : Nothing
type Nothing = Record<never, never>

/** The input of a call: its `params`, `query` and `body`. A part may be omitted if all its fields are optional. */
export type InputOf<C extends Call> = EmptyLeftOut<{ [P in keyof Schemas<C>]: z.input<Schemas<C>[P]> }>
type EmptyLeftOut<T> = { [K in keyof T as Nothing extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as Nothing extends T[K] ? K : never]?: T[K]
}

export type ParsedInputOf<C extends Call> = { [P in keyof Schemas<C>]: z.output<Schemas<C>[P]> }

export type OutputOf<C extends Call> = C extends { output: infer Output extends z.ZodType }
  ? z.output<Output>
  : ActionAnswer

/** The id of a stored row, in JSON. */
export const RowId = z.number().int().positive().max(2_147_483_647)

/** The path parameter of a call about one stored row. */
export const RowParams = z.object({ id: z.coerce.number<number>().int().positive().max(2_147_483_647) })

/** Returns the query of a list: `page`, counted from 1, and `limit`, the rows on a page. */
export const PageQuery = (rowsPerPage: number) =>
  z.object({
    page: z.coerce.number<number>().int().min(1).max(1_000_000).default(1),
    limit: z.coerce.number<number>().int().min(1).max(100).default(rowsPerPage),
  })

/** The answer of a call that starts something; `error` is set if it did not start. */
export const ActionAnswer = z.object({ success: z.boolean(), error: z.string().optional() })
export type ActionAnswer = z.infer<typeof ActionAnswer>

/** The errors of calls. `core/errors.ts` maps each to its HTTP status. */
export const ErrorCode = z.enum([
  'malformed',
  'unauthorized',
  'forbidden',
  'confirm_identity',
  'second_factor_required',
  'not_found',
  'method_not_allowed',
  'conflict',
  'gone',
  'too_large',
  'unsupported_media_type',
  'invalid',
  'rate_limited',
  'internal',
  'unavailable',
])
export type ErrorCode = z.infer<typeof ErrorCode>

/** The body of an error. `fields` maps the name of an invalid field to its error. */
export const ErrorAnswer = z.object({
  error: z.string(),
  code: ErrorCode,
  fields: z.record(z.string(), z.string()).optional(),
})
export type ErrorAnswer = z.infer<typeof ErrorAnswer>
