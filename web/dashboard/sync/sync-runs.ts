import { keepPreviousData, type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useQueryState } from 'nuqs'
import { useEffect } from 'react'
import { getSyncRun, listSyncRuns, type SyncRun } from '../../../core/contract/sync.ts'
import { call } from '../../lib/call.ts'
import { place, useLinkTo } from '../address.ts'

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

/** Which run of the sync is open. It is in the address, on every tab. */
export function useOpenRun() {
  const [openId, setOpenId] = useQueryState('sync', place.sync)
  const linkTo = useLinkTo()
  return {
    openId: openId ?? undefined,
    /** The address with that run open. */
    searchOf: (id: number) => linkTo({ sync: id }),
    open: (id: number) => void setOpenId(id),
    close: () => void setOpenId(null),
  }
}

/** The run that is under way, as far as is known; to be asked outside of rendering. */
export function currentRunId(client: QueryClient): number | undefined {
  return client.getQueryData(syncStatusQuery.queryKey)?.status.current?.id
}

/** The run that is under way, with how far it is: read alone at each of its beats, and not with the lists. */
export function useCurrentRun(): SyncRun | undefined {
  const run = useWatchedRun()
  return run?.finished_at === null ? run : undefined
}

/** Reads the lists again when the run that is under way has ended. For the one frame around all tabs. */
export function useEndOfRun(): void {
  const client = useQueryClient()
  const run = useWatchedRun()
  const endedId = run && run.finished_at !== null ? run.id : undefined
  useEffect(() => {
    if (endedId === undefined) return
    for (const queryKey of [['sync-runs', 'status'], ['sync-runs', 'list'], ['audit-log']]) {
      void client.invalidateQueries({ queryKey })
    }
  }, [client, endedId])
}

function useWatchedRun(): SyncRun | undefined {
  const current = useSyncStatus().data?.status.current ?? undefined
  const { data } = useQuery({
    ...syncRunQuery(current?.id ?? 0),
    enabled: current !== undefined,
    // Told of each change.
    staleTime: Number.POSITIVE_INFINITY,
  })
  return current && (data ?? current)
}
