import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { restoreLead, UNDO_SECONDS, undoMatch } from '../../core/leads/contract/lead-changes.ts'
import type { BulkUndo } from '../../core/staff/contract/bulk.ts'
import { act } from '../lib/call.ts'
import { countOf } from '../lib/numbers.ts'
import { SECOND } from '../lib/time.ts'
import { SmallButton } from '../ui/button.tsx'
import { dismissToast, toast } from '../ui/toast.ts'
import { runBulk } from './bulk.ts'
import { useLeadAction } from './leads/use-lead-action.ts'

/** An act on leads that `undo` reverts, with its description. */
export type Undoable = { undo: BulkUndo; ids: number[]; description: string }

const DONE: Record<BulkUndo, string> = { restore: 'deleted', 'undo-match': 'matched' }

/**
 * Shows a toast after an act that can be undone. One toast stands for all recent acts: its button, or the key `u`,
 * undoes them, newest first.
 */
function useUndoStack() {
  const undoing = useUndoLeads()
  const stack = useRef<Undoable[]>([])
  const shown = useRef('')

  function offer(done: Undoable) {
    stack.current.push(done)
    setTimeout(() => {
      stack.current = stack.current.filter((other) => other !== done)
      // Older acts keep the toast and its countdown.
      if (stack.current.length === 0) dismissToast(shown.current)
    }, UNDO_SECONDS * SECOND)

    // A dismissed toast does not come back under its id, so each has a new one.
    shown.current = `undo-${Date.now()}`
    toast({
      id: shown.current,
      title: 'Success',
      description: summaryOf(stack.current),
      duration: Number.POSITIVE_INFINITY,
      action: <UndoButton onUndo={undoAll} />,
    })
  }

  function undoAll() {
    const acts = stack.current.splice(0).toReversed()
    dismissToast(shown.current)
    if (acts.length > 0) undoing.mutate(acts)
  }

  return { offer, undo: undoAll }
}

type Undo = ReturnType<typeof useUndoStack>
const Undo = createContext<Undo>({ offer: () => {}, undo: () => {} })

/** Lets every tab offer to undo an act, in one toast. */
export function UndoProvider({ children }: { children: ReactNode }) {
  return <Undo.Provider value={useUndoStack()}>{children}</Undo.Provider>
}

export const useUndo = (): Undo => useContext(Undo)

/** Describes one act, or the number of leads of several. */
function summaryOf(acts: Undoable[]): string {
  const [only] = acts
  if (only && acts.length === 1) return only.description
  const kinds = [...new Set(acts.map(({ undo }) => undo))]
  return kinds
    .map((undo) => {
      const leads = acts.filter((act) => act.undo === undo).reduce((total, { ids }) => total + ids.length, 0)
      return `${countOf(leads, 'lead')} ${DONE[undo]}`
    })
    .join(', ')
}

/** Shows the button that undoes, with the remaining time. */
function UndoButton({ onUndo }: { onUndo: () => void }) {
  const [seconds, setSeconds] = useState(UNDO_SECONDS)

  useEffect(() => {
    const end = Date.now() + UNDO_SECONDS * SECOND
    const timer = setInterval(() => setSeconds(Math.ceil((end - Date.now()) / SECOND)), SECOND / 4)
    return () => clearInterval(timer)
  }, [])

  return (
    <SmallButton className="ml-auto" onClick={onUndo}>
      Undo
      {/* Not read out every second. */}
      <span aria-hidden="true" className="w-5 text-right text-quiet tabular-nums">
        {Math.max(seconds, 0)}
      </span>
    </SmallButton>
  )
}

type Undone = { succeeded: number; failed: number; error?: string }

/** Undoes acts one after the other. Returns how many leads could be undone, and why the first of the others could not. */
async function undoLeads(client: QueryClient, acts: Undoable[]): Promise<Undone> {
  const total: Undone = { succeeded: 0, failed: 0 }
  for (const one of acts) {
    const { succeeded, failed, error } = await undoOne(client, one)
    total.succeeded += succeeded
    total.failed += failed
    total.error ??= error
  }
  return total
}

async function undoOne(client: QueryClient, { undo, ids }: Undoable): Promise<Undone> {
  const [first = 0, ...others] = ids
  if (others.length > 0) {
    const report = await runBulk(client, { action: undo, ids })
    return { ...report, error: report.failures[0]?.error }
  }
  try {
    await act(undo === 'restore' ? restoreLead : undoMatch, { params: { id: first } })
    return { succeeded: 1, failed: 0 }
  } catch (error) {
    return { succeeded: 0, failed: 1, error: (error as Error).message }
  }
}

export function useUndoLeads() {
  const client = useQueryClient()
  return useLeadAction({
    act: (acts: Undoable[]) => undoLeads(client, acts),
    done: ({ succeeded, failed, error }, acts) => {
      const isRestored = acts.every(({ undo }) => undo === 'restore')
      if (failed === 0) {
        const leads = countOf(succeeded, 'lead')
        toast({
          title: 'Success',
          description: isRestored ? `${leads} restored successfully` : `Changes to ${leads} undone`,
        })
      } else {
        toast({
          variant: 'destructive',
          title: `${isRestored ? 'Failed to restore' : 'Failed to undo the match of'} ${failed === 1 ? 'lead' : countOf(failed, 'lead')}`,
          description: error,
        })
      }
    },
    failed: 'Failed to undo',
  })
}
