import { z } from 'zod'

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
