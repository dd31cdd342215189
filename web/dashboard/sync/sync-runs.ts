import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { getSyncRun, listSyncRuns } from '../../../core/contract/sync.ts'
import { call } from '../../lib/call.ts'

/** Returns a page of the runs, counted from 1. */
export function useSyncRuns(page: number) {
  return useQuery({
    queryKey: ['sync-runs', 'list', page],
    queryFn: () => call(listSyncRuns, { query: { page } }),
    placeholderData: keepPreviousData,
  })
}

/** The state of the sync with the last runs. It has a key of its own, because every tab shows it. */
export const syncStatusQuery = queryOptions({
  queryKey: ['sync-runs', 'status'],
  queryFn: () => call(listSyncRuns, { query: { page: 1 } }),
})

export function useSyncStatus() {
  return useQuery(syncStatusQuery)
}

/** A run. It is read again whenever it is opened, because later runs decide whether it can be approved. */
export function syncRunQuery(id: number) {
  return queryOptions({
    queryKey: ['sync-runs', 'details', id],
    queryFn: () => call(getSyncRun, { params: { id } }),
    staleTime: 0,
  })
}
