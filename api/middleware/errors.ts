import type { Context, Middleware } from 'koa'
import type { ErrorAnswer } from '../../core/contract/errors.ts'
import { AppError } from '../../core/errors.ts'
import type { Logger } from '../../core/platform/log.ts'
import { loggedPath } from '../route-of.ts'

/** Turns errors into responses, in this one place. */
export function errors(log: Logger): Middleware {
  return async (ctx, next) => {
    try {
      await next()
      if (ctx.status === 404 && ctx.body == null) throw new AppError('not_found', 'There is nothing at this address.')
      // The router's own responses, which have set `Allow`.
      if ([405, 501].includes(ctx.status)) {
        throw new AppError('method_not_allowed', 'This address does not accept that method.')
      }
    } catch (error) {
      const { code, message, fields } = refuse(ctx, error, log)
      ctx.body = { error: message, code, ...(fields && { fields }) } satisfies ErrorAnswer
    }
  }
}

/**
 * Sets status and headers for an error; the caller sets the body. Unexpected errors are logged and become a plain
 * sentence.
 */
export function refuse(ctx: Context, error: unknown, log: Logger): AppError {
  const known = asAppError(error, { isRead: ctx.method === 'GET' || ctx.method === 'HEAD' })
  if (!known) log.error({ err: error, requestId: ctx.state.requestId, path: loggedPath(ctx) }, 'unexpected error')
  const refusal = known ?? new AppError('internal', 'Something went wrong on our side. Please try again.')

  ctx.status = refusal.status
  if (refusal.retryAfterSeconds !== undefined) ctx.set('Retry-After', String(refusal.retryAfterSeconds))
  return refusal
}

/** Returns our errors, and those of Koa and its parsers for bad requests (`http-errors`). */
function asAppError(error: unknown, { isRead }: { isRead: boolean }): AppError | null {
  if (error instanceof AppError) return error
  switch ((error as { status?: number }).status) {
    case 400:
      return new AppError('malformed', 'The request could not be read.', { cause: error })
    case 403:
      // The path is outside the folder of served files.
      return new AppError('not_found', 'There is nothing at this address.', { cause: error })
    case 413:
      return new AppError('too_large', 'The request is too large.', { cause: error })
    case 415:
      return new AppError('unsupported_media_type', 'The request must be JSON in UTF-8.', { cause: error })
  }
  if (!isDatabaseOutage(error)) return null
  const sentence = `We cannot ${isRead ? 'load this' : 'save anything'} right now. Please try again in a moment.`
  return new AppError('unavailable', sentence, { retryAfterSeconds: 5, cause: error })
}

/**
 * Returns whether the database is unavailable: connection refused or lost, server shutting down (SQLSTATE classes 08
 * and 57P), or no answer in time (57014).
 */
function isDatabaseOutage(error: unknown): boolean {
  const { code = '', name, message } = error as { code?: string; name?: string; message?: string }
  return (
    /^(08...|57P0.|57014|53300|ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|ETIMEDOUT)$/.test(code) ||
    name === 'KnexTimeoutError' ||
    /(^| - )(Connection terminated|timeout expired)|timeout exceeded when trying to connect|is not queryable$/.test(
      message ?? '',
    )
  )
}
