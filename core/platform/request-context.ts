import { AsyncLocalStorage } from 'node:async_hooks'

/** The request that runs now, or whose job does. Address and session are known in the API alone. */
type RequestContext = { id: string; ip: string | null; sessionId: number | null }

const current = new AsyncLocalStorage<RequestContext>()

/** Does `work` on behalf of a request: the jobs and the lines of the audit log that are made meanwhile bear it. */
export function onBehalfOf<Value>(requestId: string | null, work: () => Value, ip: string | null = null): Value {
  return requestId === null ? work() : current.run({ id: requestId, ip, sessionId: null }, work)
}

/** Returns the request that runs now, or whose job does; null where there is none. */
export function currentRequest(): Readonly<RequestContext> | null {
  return current.getStore() ?? null
}

/** Notes which session of staff the request belongs to. */
export function rememberSession(sessionId: number | null): void {
  const request = current.getStore()
  if (request) request.sessionId = sessionId
}
