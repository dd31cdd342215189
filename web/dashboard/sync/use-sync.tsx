import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import type { SyncRun } from '../../../core/contract/sync.ts'
import { toast } from '../../ui/toast.ts'
import { type AskedSync, askFor, resumeSync, SignedOutError, type SyncOrder, startSync } from './start-sync.ts'
import { syncStatusQuery } from './sync-runs.ts'
import { countsSentence, isTrial, leadsSentence } from './words.ts'

const FAILED: Record<SyncOrder['kind'], string> = {
  sync: 'Failed to sync providers',
  approve: 'Failed to sync providers',
  'dry-run': 'The dry run has failed',
}

/** The key of the mutation, which goes on when the dashboard is closed and opened again. */
const KEY = ['sync']
type Asking = AskedSync & { isResumed: boolean }

/**
 * Returns a function that starts runs, and reports their results, also of runs that this tab started before a reload.
 * `onTrial` gets the id of a run that has changed nothing and needs a decision.
 */
export function useSync({ onTrial }: { onTrial: (id: number) => void }) {
  const client = useQueryClient()
  const { mutate } = useMutation({
    mutationKey: KEY,
    mutationFn: ({ isResumed, ...asked }: Asking) => (isResumed ? resumeSync(asked) : startSync(asked)),
    onSuccess(ended, { order, isResumed }) {
      if (ended && isTrial(ended)) onTrial(ended.id)
      else if (ended || (order.kind !== 'dry-run' && !isResumed)) {
        toast({ title: 'Success', description: <Synced run={ended} /> })
      }
    },
    onError(error, { order }) {
      if (error instanceof SignedOutError) return
      toast({ variant: 'destructive', title: FAILED[order.kind], description: error.message })
    },
    onSettled(_ended, error) {
      // The wait goes on after a new sign-in.
      if (!(error instanceof SignedOutError)) writeAsked(undefined)
      return Promise.all([
        client.invalidateQueries({ queryKey: ['providers'] }),
        client.invalidateQueries({ queryKey: ['sync-runs'] }),
      ])
    },
  })
  const [pending] = useMutationState({
    filters: { mutationKey: KEY, status: 'pending' },
    select: ({ state }) => (state.variables as Asking).order.kind,
  })
  const isAsking = useCallback(() => client.isMutating({ mutationKey: KEY }) > 0, [client])

  useEffect(() => {
    const asked = readAsked()
    if (asked && !isAsking()) mutate({ ...asked, isResumed: true })
  }, [mutate, isAsking])

  return {
    /** Starts a run unless another one is pending. */
    start(order: SyncOrder) {
      if (isAsking()) return
      const asked = askFor(order, client.getQueryData(syncStatusQuery.queryKey)?.runs)
      writeAsked(asked)
      mutate({ ...asked, isResumed: false })
    },
    /** The pending run of this tab. */
    pending,
  }
}
export type Sync = ReturnType<typeof useSync>

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

const STORAGE_KEY = 'sync'

/** Reads the sync of this tab whose result was not yet reported, also from before a reload. */
function readAsked(): AskedSync | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

/** Remembers the pending sync of this tab; undefined removes it. */
function writeAsked(asked: AskedSync | undefined): void {
  try {
    if (asked) sessionStorage.setItem(STORAGE_KEY, JSON.stringify(asked))
    else sessionStorage.removeItem(STORAGE_KEY)
  } catch {
    // A browser may refuse storage; then a reload forgets the sync.
  }
}
