import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { SECOND } from '../../core/contract/time.ts'
import { restoreLead, UNDO_SECONDS, undoMatch } from '../../core/leads/contract/lead-changes.ts'
import type { BulkUndo } from '../../core/staff/contract/bulk.ts'
import { act } from '../lib/call.ts'
import { countOf } from '../lib/numbers.ts'
import { SmallButton } from '../ui/button.tsx'
import { dismissToast, toast } from '../ui/toast.ts'
import { runBulk } from './bulk.ts'
import { useLeadAction } from './leads/use-lead-action.ts'

export type Undoable = { undo: BulkUndo; ids: number[]; description: string }

const DONE: Record<BulkUndo, string> = { restore: 'deleted', 'undo-match': 'matched' }

/** One toast stands for all recent acts: its button, or the key `u`, undoes them, newest first. */
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
      action: <UndoButton onUndo={undo} />,
    })
  }

  function undo() {
    const acts = stack.current.splice(0).toReversed()
    dismissToast(shown.current)
    if (acts.length > 0) undoing.mutate(acts)
  }

  return { offer, undo }
}

type Undo = ReturnType<typeof useUndoStack>
const Undo = createContext<Undo>({ offer: () => {}, undo: () => {} })

export function UndoProvider({ children }: { children: ReactNode }) {
  return <Undo.Provider value={useUndoStack()}>{children}</Undo.Provider>
}

export const useUndo = (): Undo => useContext(Undo)

function summaryOf(acts: Undoable[]): string {
  if (acts.length === 1) return acts[0]?.description ?? ''
  return [...new Set(acts.map(({ undo }) => undo))]
    .map((undo) => `${countOf(acts.flatMap((act) => (act.undo === undo ? act.ids : [])).length, 'lead')} ${DONE[undo]}`)
    .join(', ')
}

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

export function useUndoLeads() {
  const client = useQueryClient()
  return useLeadAction({
    async act(acts: Undoable[]) {
      const total = { succeeded: 0, failed: 0, error: undefined as string | undefined }
      for (const { undo, ids } of acts) {
        const [id = 0, ...others] = ids
        const alone = () =>
          act(undo === 'restore' ? restoreLead : undoMatch, { params: { id } }).then(
            () => ({ succeeded: 1, failed: 0, failures: [] }),
            ({ message }: Error) => ({ succeeded: 0, failed: 1, failures: [{ error: message }] }),
          )
        const report = others.length > 0 ? await runBulk(client, { action: undo, ids }) : await alone()
        total.succeeded += report.succeeded
        total.failed += report.failed
        total.error ??= report.failures[0]?.error
      }
      return total
    },
    done({ succeeded, failed, error }, acts) {
      const isRestored = acts.every(({ undo }) => undo === 'restore')
      const leads = countOf(succeeded, 'lead')
      if (failed === 0) return isRestored ? `${leads} restored successfully` : `Changes to ${leads} undone`
      const what = isRestored ? 'Failed to restore' : 'Failed to undo the match of'
      const title = `${what} ${failed === 1 ? 'lead' : countOf(failed, 'lead')}`
      return toast({ variant: 'destructive', title, description: error })
    },
    failed: 'Failed to undo',
  })
}
