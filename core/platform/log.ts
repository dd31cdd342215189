import { type Logger, pino, stdSerializers } from 'pino'
import { currentSpan } from './trace.ts'

export type { Logger }

/**
 * Makes the log of one process: JSON lines on standard output, one per outcome. Never log a visitor's name, email,
 * phone or message: log ids.
 */
export function createLog(name: string, level: string): Logger {
  return pino({
    name,
    level,
    timestamp: pino.stdTimeFunctions.isoTime,
    base: { name },
    serializers: { err: withoutRows },
    mixin: traceId,
  })
}

/** Adds the id of the current trace, if any. */
function traceId() {
  const span = currentSpan()
  return span ? { traceId: span.spanContext().traceId } : {}
}

/**
 * Removes the fields of PostgreSQL's errors (detail, where, …) that quote whole rows with personal data, and the statement,
 * which knex puts before their message.
 */
function withoutRows(error: Error) {
  if (!(error instanceof Error)) return error
  const { type, message, stack, code, constraint } = stdSerializers.err(error)
  const plain = messageOf(error)
  return { type, message: plain, stack: stack?.replace(message, plain), code, constraint }
}

/** Returns the message of an error, of PostgreSQL's without the statement. */
export function messageOf(error: Error): string {
  const isOfPostgres = 'severity' in error
  return isOfPostgres ? error.message.slice(error.message.lastIndexOf(' - ') + 1).replace(/^- /, '') : error.message
}
