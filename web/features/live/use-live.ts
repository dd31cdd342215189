import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { SECOND } from '../../lib/time.ts'
import { endpoints } from '../../paths.ts'
import { changedKeys, changesOverview } from './changed-keys.ts'
import { watchEvents } from './event-stream.ts'
import { createRefresher } from './refresher.ts'

const BETWEEN_ROWS = 0.3 * SECOND
const BETWEEN_OVERVIEWS = 5 * SECOND

/**
 * Keeps what is on the screen as it is on the server. For the one frame around all tabs.
 * @param currentSyncOf the run of the provider sync that is known to be under way
 */
export function useLive(currentSyncOf: (client: QueryClient) => number | undefined): void {
  const client = useQueryClient()
  useEffect(() => {
    const refreshRows = createRefresher(client, {
      keysOf: (changes) => changedKeys(changes, currentSyncOf(client)),
      pause: BETWEEN_ROWS,
    })
    const refreshOverview = createRefresher(client, { keysOf: changesOverview, pause: BETWEEN_OVERVIEWS })
    return watchEvents(endpoints.events, (changes) => {
      refreshRows(changes)
      refreshOverview(changes)
    })
  }, [client, currentSyncOf])
}
