import { z } from 'zod'
import type { StaffRole } from './staff.ts'

/**
 * A call of the API: who may make it, what it takes and what it answers. The server handles it (`api/handle.ts`), the
 * browser makes it (`web/lib/call.ts`), and `GET /api/openapi.json` describes it.
 */
export type Call = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** With parameters as the router has them: `/api/leads/:id`. */
  path: `/api/${string}`
  summary: string
  /** Who may make it: everybody, or staff of at least this role. */
  access: 'public' | StaffRole
  /** Refused with `confirm_identity` when the last confirmation of one's identity is too old. */
  needsConfirmation?: true
  /** Open to an account that must have a second factor and has none yet: it is needed for setting one up. */
  beforeSecondFactor?: true
  /**
   * A form of the public pages. It may come from any origin and with an `Idempotency-Key` header, and has its own rate
   * limit. Every other call that changes something must come from our own pages.
   */
  isPublicForm?: true
  /** Not to be stored by browsers and proxies, although it is public. Calls for staff never are. */
  noStore?: true
  /** A public call that answers more to staff. */
  variesByStaff?: true
  input?: { params?: z.ZodObject; query?: z.ZodObject; body?: z.ZodObject }
  /** The answer, or one line of it (NDJSON). Refusals are `ErrorAnswer`. */
  output: z.ZodType
  /** 200, unless said otherwise. */
  status?: 201
  /** JSON, unless said otherwise. */
  type?: 'text/csv' | 'application/x-ndjson' | 'text/event-stream'
}

/** Declares a call, and keeps its exact type for the server and the browser. */
export const defineCall = <const C extends Call>(call: C): C => call

type Schemas<C extends Call> = C extends { input: infer Input } ? Input : Nothing
type Nothing = Record<never, never>

/** What a call takes: `params`, `query` and `body`, as far as it has them. One may be left out if it may be empty. */
export type InputOf<C extends Call> = EmptyLeftOut<{ [P in keyof Schemas<C>]: z.input<Schemas<C>[P]> }>
type EmptyLeftOut<T> = { [K in keyof T as Nothing extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as Nothing extends T[K] ? K : never]?: T[K]
}

/** The same, parsed. */
export type ParsedInputOf<C extends Call> = { [P in keyof Schemas<C>]: z.output<Schemas<C>[P]> }

/** What a call answers. */
export type OutputOf<C extends Call> = z.output<C['output']>

/** The id of a stored row, in an address. */
export const RowParams = z.object({ id: z.coerce.number<number>().int().positive().max(2_147_483_647) })

/** Which page of a list, counted from 1, and how many rows a page has. */
export const PageQuery = (rowsPerPage: number) =>
  z.object({
    page: z.coerce.number<number>().int().min(1).max(1_000_000).default(1),
    limit: z.coerce.number<number>().int().min(1).max(100).default(rowsPerPage),
  })

/** The answer of the calls that start something: what will happen, or why not. */
export const ActionAnswer = z.object({ success: z.boolean(), error: z.string().optional() })
export type ActionAnswer = z.infer<typeof ActionAnswer>
