import { keepPreviousData, type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useQueryState } from 'nuqs'
import { useEffect } from 'react'
import { getSyncRun, listSyncRuns, type SyncRun } from '../../../core/sync/contract/sync.ts'
import { call } from '../../lib/call.ts'
import { place, useLinkTo } from '../address.ts'

/** Returns a page of the runs. Pages count from 1. */
export function useSyncRuns(page: number) {
  return useQuery({
    queryKey: ['sync-runs', 'list', page],
    queryFn: () => call(listSyncRuns, { query: { page } }),
    placeholderData: keepPreviousData,
  })
}

/** The query of the sync's state with the latest runs. Its key is its own because every tab shows it. */
export const syncStatusQuery = queryOptions({
  queryKey: ['sync-runs', 'status'],
  queryFn: () => call(listSyncRuns, { query: { page: 1 } }),
})

export function useSyncStatus() {
  return useQuery(syncStatusQuery)
}

/**
 * Returns the query of a run. It is read again whenever it is opened, because later runs decide whether it can be
 * approved.
 */
export function syncRunQuery(id: number) {
  return queryOptions({
    queryKey: ['sync-runs', 'details', id],
    queryFn: () => call(getSyncRun, { params: { id } }),
    staleTime: 0,
  })
}

/** Returns the run that is open, from the address, and functions that open and close one. */
export function useOpenRun() {
  const [openId, setOpenId] = useQueryState('sync', place.sync)
  const linkTo = useLinkTo()
  return {
    openId: openId ?? undefined,
    /** Returns the query of the link that opens a run. */
    searchOf: (id: number) => linkTo({ sync: id }),
    open: (id: number) => void setOpenId(id),
    close: () => void setOpenId(null),
  }
}

/** Returns the id of the current run from the cache, if it is known. Call it outside of rendering. */
export function currentRunId(client: QueryClient): number | undefined {
  return client.getQueryData(syncStatusQuery.queryKey)?.status.current?.id
}

/** Returns the current run with its progress. Each heartbeat reads this run alone and not the lists. */
export function useCurrentRun(): SyncRun | undefined {
  const run = useWatchedRun()
  return run?.finished_at === null ? run : undefined
}

/** Reads the lists again when the current run has ended. Call it once, above all tabs. */
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
    // Events invalidate it.
    staleTime: Number.POSITIVE_INFINITY,
  })
  return current && (data ?? current)
}
