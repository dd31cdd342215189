import { AsyncLocalStorage } from 'node:async_hooks'
import { type Logger, pino, stdSerializers } from 'pino'
import { MINUTE } from '../contract/time.ts'

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
  })
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

/** Different errors that are counted at the same time. */
const MAX_KINDS = 100

/**
 * Returns a function that logs errors so that a flood of one is one line a minute: the first one at once, and those that
 * follow as a line with their number (`repeated`) at the end of each minute.
 * @param key what is the same in all errors of a flood
 */
export function createFloodLog(log: Logger, interval = MINUTE) {
  const floods = new Map<string, { repeated: number }>()
  return (key: string, fields: object, message: string): void => {
    const flood = floods.get(key)
    if (flood) {
      flood.repeated += 1
      return
    }
    log.error(fields, message)
    if (floods.size >= MAX_KINDS) return
    const begun = { repeated: 0 }
    floods.set(key, begun)
    const timer = setInterval(() => {
      if (begun.repeated === 0) {
        clearInterval(timer)
        floods.delete(key)
        return
      }
      log.error({ ...fields, repeated: begun.repeated }, message)
      begun.repeated = 0
    }, interval)
    timer.unref()
  }
}

/** The current request, or the request whose job runs. Deliveries do not know its address and session. */
type RequestContext = { id: string; ip: string | null; sessionId: number | null }

const current = new AsyncLocalStorage<RequestContext>()

/** Runs `work` on behalf of a request: its jobs and audit lines carry the request's id. */
export function onBehalfOf<Value>(
  requestId: string | null,
  work: () => Value,
  { ip = null, sessionId = null }: Partial<Omit<RequestContext, 'id'>> = {},
): Value {
  return requestId === null ? work() : current.run({ id: requestId, ip, sessionId }, work)
}

/** Returns the current request, or the one whose job runs. Returns null outside of requests. */
export function currentRequest(): Readonly<RequestContext> | null {
  return current.getStore() ?? null
}

export function rememberSession(sessionId: number | null): void {
  const request = current.getStore()
  if (request) request.sessionId = sessionId
}
