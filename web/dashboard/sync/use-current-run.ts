import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { SyncRun } from '../../../core/contract/sync.ts'
import { syncRunQuery, syncStatusQuery, useSyncStatus } from './sync-runs.ts'

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
