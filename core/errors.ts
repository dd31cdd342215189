import type { ErrorCode } from './contract/call.ts'
import { SECOND } from './contract/time.ts'

/** The HTTP status of each error code. The compiler keeps it complete. */
export const HTTP_STATUS = {
  malformed: 400,
  unauthorized: 401,
  forbidden: 403,
  confirm_identity: 403,
  second_factor_required: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  gone: 410,
  too_large: 413,
  unsupported_media_type: 415,
  invalid: 422,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const satisfies Record<ErrorCode, number>

type Details = { fields?: Record<string, string>; retryAfterSeconds?: number; cause?: unknown }

/** An error whose message is a sentence for the caller. Internal facts belong into `cause`. */
export class AppError extends Error {
  override name = 'AppError'
  readonly code: ErrorCode
  readonly fields?: Record<string, string>
  readonly retryAfterSeconds?: number

  constructor(code: ErrorCode, message: string, { fields, retryAfterSeconds, cause }: Details = {}) {
    super(message, { cause })
    this.code = code
    this.fields = fields
    this.retryAfterSeconds = retryAfterSeconds
  }

  get status(): number {
    return HTTP_STATUS[this.code]
  }
}

/** Returns the refusal of one field of a form. The sentence stands beside it. */
export const invalidField = (field: string, sentence: string) =>
  new AppError('invalid', sentence, { fields: { [field]: sentence } })

/** Returns the refusal of a call that may be made again after `wait` milliseconds. */
export const rateLimited = (message: string, wait: number) =>
  new AppError('rate_limited', message, { retryAfterSeconds: Math.max(1, Math.ceil(wait / SECOND)) })
