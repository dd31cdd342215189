import {
  type QueryClient,
  QueryObserver,
  queryOptions,
  useMutation,
  useMutationState,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useQueryState } from 'nuqs'
import { useEffect } from 'react'
import { SECOND } from '../../../core/contract/time.ts'
import {
  approveSyncRun,
  getSyncRun,
  listSyncRuns,
  SyncAnswer,
  type SyncRun,
  type SyncRunDetails,
  startSync,
} from '../../../core/sync/contract/sync.ts'
import { call } from '../../lib/call.ts'
import { HttpError, NoAnswerError } from '../../lib/http.ts'
import { toast } from '../../ui/toast.ts'
import { place, useLinkTo } from '../address.ts'
import { countsSentence, isTrial, leadsSentence } from './words.ts'

/** The query of the sync's state with the latest runs. Its key is its own because every tab shows it. */
const syncStatusQuery = queryOptions({
  queryKey: ['sync-runs', 'status'],
  queryFn: () => call(listSyncRuns, { query: { page: 1 } }),
})

export function useSyncStatus() {
  return useQuery(syncStatusQuery)
}

/** The run is read again whenever it is opened, because later runs decide whether it can be approved. */
export function syncRunQuery(id: number) {
  return queryOptions({
    queryKey: ['sync-runs', 'details', id],
    queryFn: () => call(getSyncRun, { params: { id } }),
    staleTime: 0,
  })
}

export function useOpenRun() {
  const [openId, setOpenId] = useQueryState('sync', place.sync)
  const linkTo = useLinkTo()
  return {
    openId: openId ?? undefined,
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

/** A sync, a dry run, or a sync that approves the changes of the run with that id. */
export type SyncOrder = { kind: 'sync' | 'dry-run' } | { kind: 'approve'; id: number }

/** The server answers within 25 seconds even if the sync goes on; the rest is for a slow network. */
const CALL_TIMEOUT = 75 * SECOND

const FAILED: Record<SyncOrder['kind'], string> = {
  sync: 'Failed to sync providers',
  approve: 'Failed to sync providers',
  'dry-run': 'The dry run has failed',
}
const UNKNOWN = 'The server is not responding. If the sync has started, it continues in the background.'

/** The key of the mutation, which goes on when the dashboard is closed and opened again. */
const KEY = ['sync']

/** Returns a function that starts runs and reports their results. A run that needs a decision is opened. */
export function useSync() {
  const client = useQueryClient()
  const openRun = useOpenRun()
  const { mutate } = useMutation({
    mutationKey: KEY,
    mutationFn: (order: SyncOrder) => perform(order, client),
    onSuccess(run, { kind }) {
      if (run && isTrial(run)) openRun.open(run.id)
      else if (run || kind !== 'dry-run') toast({ title: 'Success', description: <Synced run={run} /> })
    },
    onError(error, { kind }) {
      toast({ variant: 'destructive', title: FAILED[kind], description: isLost(error) ? UNKNOWN : error.message })
    },
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['providers'] }),
        client.invalidateQueries({ queryKey: ['sync-runs'] }),
      ]),
  })
  const [pending] = useMutationState({
    filters: { mutationKey: KEY, status: 'pending' },
    select: ({ state }) => (state.variables as SyncOrder).kind,
  })

  return {
    start(order: SyncOrder) {
      if (client.isMutating({ mutationKey: KEY }) === 0) mutate(order)
    },
    pending,
  }
}

/** The specification promises only `success` and `error`. */
const Answer = SyncAnswer.partial({ run: true })

/**
 * Starts a run, or joins the current one, and waits for its end, also when that takes longer than the call.
 * @returns the run, done or in need of approval; undefined if the server does not name the run
 * @throws as `call` does, and Error with the reason if the run has failed
 */
async function perform(order: SyncOrder, client: QueryClient): Promise<SyncRun | undefined> {
  const options = { timeout: CALL_TIMEOUT, output: Answer }
  const { success, error, run } =
    order.kind === 'approve'
      ? await call(approveSyncRun, { params: { id: order.id }, ...options })
      : await call(startSync, { query: { dryRun: order.kind !== 'sync' || undefined }, ...options })
  if (!run && !success) throw new Error(error)
  const ended = run?.finished_at === null ? await endOf(run.id, client) : run
  if (ended?.state === 'failed') throw new Error(ended.error ?? undefined)
  return ended
}

/** Resolves with a run when it has ended. The event stream lets the query read the run again. */
function endOf(id: number, client: QueryClient): Promise<SyncRunDetails> {
  return new Promise((resolve) => {
    const stop = new QueryObserver(client, syncRunQuery(id)).subscribe(({ data }) => {
      if (!data || data.finished_at === null) return
      stop()
      resolve(data)
    })
  })
}

/** Returns whether there is no answer, or one of a proxy that does not say what happened. The run may go on nevertheless. */
function isLost(error: Error): boolean {
  if (error instanceof HttpError) return error.status >= 500 && error.sentence === undefined
  return error instanceof NoAnswerError && error.message === ''
}

function Synced({ run }: { run: SyncRun | undefined }) {
  return (
    <>
      <span className="block">Successfully synced providers</span>
      {run && (
        <span className="block">
          {countsSentence(run)} {run.leads_queued > 0 && leadsSentence(run)}
        </span>
      )}
    </>
  )
}
