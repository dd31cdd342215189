import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { SyncRunList } from '../../../../core/contract/sync.ts'
import { call } from '../../../lib/http.ts'
import { SECOND } from '../../../lib/time.ts'
import { endpoints } from '../../../paths.ts'

/** A sync becomes overdue without anything happening. */
const LOOK_AGAIN = 300 * SECOND

export function listSyncRuns(page: number): Promise<SyncRunList> {
  return call(endpoints.syncRuns(page), { answer: SyncRunList })
}

export function syncRunsQuery(page: number) {
  return queryOptions({
    queryKey: ['sync-runs', 'list', page],
    queryFn: () => listSyncRuns(page),
    placeholderData: keepPreviousData,
  })
}

/** A page of the runs, counted from 1. */
export function useSyncRuns(page: number) {
  return useQuery(syncRunsQuery(page))
}

/** How the sync stands, with the last few runs. It has a key of its own, because it is on the screen on every tab. */
export const syncStatusQuery = queryOptions({
  queryKey: ['sync-runs', 'status'],
  queryFn: () => listSyncRuns(1),
  refetchInterval: LOOK_AGAIN,
})

export function useSyncStatus() {
  return useQuery(syncStatusQuery)
}
