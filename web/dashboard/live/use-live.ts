import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { streamEvents } from '../../../core/contract/events.ts'
import { urlOf } from '../../lib/call.ts'
import { SECOND } from '../../lib/time.ts'
import { changedKeys, changesOverview } from './changed-keys.ts'
import { watchEvents } from './event-stream.ts'
import { createRefresher } from './refresher.ts'

const BETWEEN_ROWS = 0.3 * SECOND
const BETWEEN_OVERVIEWS = 5 * SECOND

/** An interruption that is shorter is none that anybody needs to know of. */
const SHORT_INTERRUPTION = 5 * SECOND

/**
 * Keeps what is on the screen as it is on the server. For the one frame around all tabs. Tells whether the connection that
 * this needs has been lost for some seconds.
 * @param currentSyncOf the run of the provider sync that is known to be under way
 */
export function useLive(currentSyncOf: (client: QueryClient) => number | undefined): { isLost: boolean } {
  const client = useQueryClient()
  const [isLost, setLost] = useState(false)
  useEffect(() => {
    const refreshRows = createRefresher(client, {
      keysOf: (changes) => changedKeys(changes, currentSyncOf(client)),
      pause: BETWEEN_ROWS,
    })
    const refreshOverview = createRefresher(client, { keysOf: changesOverview, pause: BETWEEN_OVERVIEWS })
    let timer: number | undefined
    const close = watchEvents(
      urlOf(streamEvents),
      (changes) => {
        refreshRows(changes)
        refreshOverview(changes)
      },
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

  return { isLost }
}
