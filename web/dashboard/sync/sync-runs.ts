import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { getSyncRun, listSyncRuns } from '../../../core/contract/sync.ts'
import { call } from '../../lib/call.ts'
import { SECOND } from '../../lib/time.ts'

/** A sync becomes overdue without anything happening. */
const LOOK_AGAIN = 300 * SECOND

/** A page of the runs, counted from 1. */
export function useSyncRuns(page: number) {
  return useQuery({
    queryKey: ['sync-runs', 'list', page],
    queryFn: () => call(listSyncRuns, { query: { page } }),
    placeholderData: keepPreviousData,
  })
}

/** How the sync stands, with the last few runs. It has a key of its own, because it is on the screen on every tab. */
export const syncStatusQuery = queryOptions({
  queryKey: ['sync-runs', 'status'],
  queryFn: () => call(listSyncRuns, { query: { page: 1 } }),
  refetchInterval: LOOK_AGAIN,
})

export function useSyncStatus() {
  return useQuery(syncStatusQuery)
}

/** Asked for again whenever a run is opened: whether it can be approved depends on later ones. */
export function syncRunQuery(id: number) {
  return queryOptions({
    queryKey: ['sync-runs', 'details', id],
    queryFn: () => call(getSyncRun, { params: { id } }),
    staleTime: 0,
  })
}
