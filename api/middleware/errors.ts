import type { Context, Middleware } from 'koa'
import type { ErrorAnswer } from '../../core/contract/call.ts'
import { AppError } from '../../core/errors.ts'
import { createFloodLog, type Logger, messageOf } from '../../core/platform/log.ts'
import { type DatabaseTrouble, databaseTrouble } from '../../core/platform/process.ts'
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

/** Sets status and headers; the caller sets the body. Logs what is unexpected, and faults of the database. */
export function refuse(ctx: Context, error: unknown, log: Logger): AppError {
  const known = asAppError(error, { isRead: ctx.method === 'GET' || ctx.method === 'HEAD' })
  const trouble = error instanceof AppError ? null : databaseTrouble(error)
  if (!known || trouble) report(error as Error, { trouble, ctx, log })
  const refusal = known ?? new AppError('internal', 'Something went wrong on our side. Please try again.')

  ctx.status = refusal.status
  if (refusal.retryAfterSeconds !== undefined) ctx.set('Retry-After', String(refusal.retryAfterSeconds))
  return refusal
}

const floodLogs = new WeakMap<Logger, ReturnType<typeof createFloodLog>>()

type Reported = { trouble: DatabaseTrouble | null; ctx: Context; log: Logger }

function report(error: Error & { code?: string }, { trouble, ctx, log }: Reported): void {
  const flood = floodLogs.get(log) ?? createFloodLog(log)
  floodLogs.set(log, flood)
  const message = error instanceof Error ? messageOf(error) : String(error)
  const request = { requestId: ctx.state.requestId, path: loggedPath(ctx) }
  if (trouble) {
    flood(
      `${trouble} ${error.code}`,
      { trouble, code: error.code, reason: message, ...request },
      'the database refused',
    )
  } else {
    flood(`${error?.name} ${error?.code} ${message}`, { err: error, ...request }, 'unexpected error')
  }
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
  if (databaseTrouble(error) === null) return null
  const sentence = `We cannot ${isRead ? 'load this' : 'save anything'} right now. Please try again in a moment.`
  return new AppError('unavailable', sentence, { retryAfterSeconds: 5, cause: error })
}
