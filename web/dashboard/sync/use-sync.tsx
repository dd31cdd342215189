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

/** One for all that is asked for here: it goes on when the dashboard is left and opened again. */
const KEY = ['sync']
type Asking = AskedSync & { isResumed: boolean }

/**
 * Starts runs and says how they went, also those that were started in this tab before a reload. `onTrial` is told of one
 * that has changed nothing, and is there to be looked at.
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
      // It is waited for again as soon as somebody has signed in again.
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
    /** Does nothing while another one is pending. */
    start(order: SyncOrder) {
      if (isAsking()) return
      const asked = askFor(order, client.getQueryData(syncStatusQuery.queryKey)?.runs)
      writeAsked(asked)
      mutate({ ...asked, isResumed: false })
    },
    /** What was asked for here and has not ended yet. */
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

/** What was asked for in this tab and has not been told the end of, also before a reload. */
function readAsked(): AskedSync | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

/** Undefined: nothing any more. */
function writeAsked(asked: AskedSync | undefined): void {
  try {
    if (asked) sessionStorage.setItem(STORAGE_KEY, JSON.stringify(asked))
    else sessionStorage.removeItem(STORAGE_KEY)
  } catch {
    // A browser may refuse storage altogether; then a reload forgets.
  }
}
