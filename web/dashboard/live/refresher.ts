import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { Changes } from '../../../core/contract/events.ts'

type Options = {
  keysOf: (changes: Changes) => QueryKey[]
  /** Between two rounds, in milliseconds. */
  pause: number
}

/**
 * Reads again what has changed, if it is on the screen. Changes that come meanwhile wait for the next round: a stream of
 * them must not start each call anew before it is answered.
 */
export function createRefresher(client: QueryClient, { keysOf, pause }: Options) {
  let waiting = new Map<string, QueryKey>()
  let running = false

  async function run() {
    running = true
    while (waiting.size > 0) {
      const keys = [...waiting.values()]
      waiting = new Map()
      await Promise.allSettled(keys.map((queryKey) => client.invalidateQueries({ queryKey })))
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
    running = false
  }

  return (changes: Changes) => {
    for (const key of keysOf(changes)) waiting.set(JSON.stringify(key), key)
    if (!running) void run()
  }
}
