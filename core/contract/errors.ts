import { z } from 'zod'

/** Every way in which a call can fail; `core/errors.ts` maps each to its HTTP status. */
export const ErrorCode = z.enum([
  'malformed',
  'unauthorized',
  'forbidden',
  'confirm_identity',
  'second_factor_required',
  'not_found',
  'method_not_allowed',
  'conflict',
  'too_large',
  'unsupported_media_type',
  'invalid',
  'rate_limited',
  'internal',
  'unavailable',
])
export type ErrorCode = z.infer<typeof ErrorCode>

/** The body of every answer that is not a success. `fields` maps a field's name to what is wrong with it. */
export const ErrorAnswer = z.object({
  error: z.string(),
  code: ErrorCode,
  fields: z.record(z.string(), z.string()).optional(),
})
export type ErrorAnswer = z.infer<typeof ErrorAnswer>
