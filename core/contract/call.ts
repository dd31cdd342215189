import type { z } from 'zod'
import type { StaffRole } from './staff.ts'

/** One call of the API: who may make it, what it takes, what it answers. Every route has one, and a test says so. */
export type Call = {
  method: 'get' | 'post' | 'patch' | 'delete'
  /** With parameters as in OpenAPI: `/api/leads/{id}`. */
  path: string
  summary: string
  /**
   * Who may make it: everybody, staff of either role, or managers alone. This is the only place that says so:
   * `staffOnly` in `api/middleware/session.ts` looks here.
   */
  access: 'public' | StaffRole
  /** Sensitive: refused with `confirm_identity` when the last confirmation of one's identity is too old. */
  needsConfirmation?: boolean
  /** Open to an account that must have a second factor and has none yet: it is needed for setting one up. */
  beforeSecondFactor?: boolean
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodObject
  /** A public form: it may come with an `Idempotency-Key` header. */
  takesKey?: boolean
  /** JSON, unless `type` says otherwise. */
  answer: { status: number; schema: z.ZodType; type?: string }
}
