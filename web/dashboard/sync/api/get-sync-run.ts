import { queryOptions, useQuery } from '@tanstack/react-query'
import { SyncRunDetails } from '../../../../core/contract/sync.ts'
import { call } from '../../../lib/http.ts'
import { endpoints } from '../../../paths.ts'

export function getSyncRun(id: number): Promise<SyncRunDetails> {
  return call(endpoints.syncRun(id), { answer: SyncRunDetails })
}

/** Asked for again whenever a run is opened: whether it can be approved depends on later ones. */
export function syncRunQuery(id: number) {
  return queryOptions({ queryKey: ['sync-runs', 'details', id], queryFn: () => getSyncRun(id), staleTime: 0 })
}

export function useSyncRun(id: number) {
  return useQuery(syncRunQuery(id))
}
