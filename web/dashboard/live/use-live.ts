import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type Changes, streamEvents } from '../../../core/contract/events.ts'
import { urlOf } from '../../lib/call.ts'
import { SECOND } from '../../lib/time.ts'
import { changedKeys } from './changed-keys.ts'
import { EVERYTHING, watchEvents } from './event-stream.ts'

/** A shorter interruption is not shown. */
const SHORT_INTERRUPTION = 5 * SECOND

/**
 * Keeps what is on the screen as it is on the server, by the event stream alone. For the one frame around all tabs. Tells
 * whether the stream has been lost for some seconds, and offers to read everything once.
 * @param currentSyncOf the run of the provider sync that is known to be under way
 */
export function useLive(currentSyncOf: (client: QueryClient) => number | undefined) {
  const client = useQueryClient()
  const [isLost, setLost] = useState(false)
  useEffect(() => {
    const refresh = createRefresher(client)
    let timer: number | undefined
    const close = watchEvents(
      urlOf(streamEvents),
      (changes: Changes) => refresh(changedKeys(changes, currentSyncOf(client))),
      (isOpen) => {
        if (!isOpen) timer ??= window.setTimeout(setLost, SHORT_INTERRUPTION, true)
        else {
          clearTimeout(timer)
          timer = undefined
          setLost(false)
        }
      },
    )
    return () => {
      clearTimeout(timer)
      close()
    }
  }, [client, currentSyncOf])

  return {
    isLost,
    refresh: () => {
      for (const queryKey of changedKeys(EVERYTHING)) void client.invalidateQueries({ queryKey })
    },
  }
}

/**
 * Reads queries again, if they are on the screen. Those that change while others are being read come next: a slow answer
 * must not be thrown away for each event that arrives meanwhile.
 */
function createRefresher(client: QueryClient): (keys: QueryKey[]) => void {
  let waiting = new Map<string, QueryKey>()
  let isReading = false

  return async (keys) => {
    for (const key of keys) waiting.set(JSON.stringify(key), key)
    if (isReading) return
    isReading = true
    while (waiting.size > 0) {
      const next = [...waiting.values()]
      waiting = new Map()
      await Promise.allSettled(next.map((queryKey) => client.invalidateQueries({ queryKey })))
    }
    isReading = false
  }
}
