import { AsyncLocalStorage } from 'node:async_hooks'

const current = new AsyncLocalStorage<string>()

/** Does `work` on behalf of a request: the jobs that are made meanwhile bear its id. */
export function onBehalfOf<Value>(requestId: string | null, work: () => Value): Value {
  return requestId === null ? work() : current.run(requestId, work)
}

/** The id of the request that runs now, or whose job does; null where nobody asked. */
export function currentRequestId(): string | null {
  return current.getStore() ?? null
}
