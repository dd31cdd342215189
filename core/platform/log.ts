import { type Logger, pino, stdSerializers } from 'pino'
import { currentSpan } from './trace.ts'

export type { Logger }

/**
 * The log of one process: JSON lines on standard output, one per outcome.
 * A visitor's name, e-mail, phone or message never belongs in a line: log ids.
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

/** The trace that a line belongs to, where there is one. */
function traceId() {
  const span = currentSpan()
  return span ? { traceId: span.spanContext().traceId } : {}
}

/** What PostgreSQL adds to an error beyond its message (detail, where, …) quotes whole rows, visitors and all. */
function withoutRows(error: Error) {
  if (!(error instanceof Error)) return error
  const { type, message, stack, code, constraint } = stdSerializers.err(error)
  return { type, message, stack, code, constraint }
}
