import { AsyncLocalStorage } from 'node:async_hooks'

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

/** Remembers the staff session of the request. */
export function rememberSession(sessionId: number | null): void {
  const request = current.getStore()
  if (request) request.sessionId = sessionId
}
