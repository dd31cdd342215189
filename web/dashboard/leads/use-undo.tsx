import { useEffect, useRef, useState } from 'react'
import type { BulkUndo } from '../../../core/contract/lead-bulk.ts'
import { UNDO_SECONDS } from '../../../core/contract/undo.ts'
import { SECOND } from '../../lib/time.ts'
import { Button } from '../../ui/button.tsx'
import { dismissToast, toast } from '../../ui/toast.ts'
import { countOf } from './bulk-words.ts'
import { useUndoLeads } from './use-undo-leads.ts'

/** Something that was done to leads and can be undone by `undo`, with the words that say so. */
export type Undoable = { undo: BulkUndo; ids: number[]; description: string }

const DONE: Record<BulkUndo, string> = { restore: 'deleted', 'undo-match': 'matched' }

/**
 * The toast after something that can be undone. It stands for everything of the last seconds: one press, or the key `u`,
 * takes all of it back, the newest first.
 */
export function useUndo() {
  const undoing = useUndoLeads()
  const stack = useRef<Undoable[]>([])
  const shown = useRef('')

  function offer(done: Undoable) {
    stack.current.push(done)
    setTimeout(() => {
      stack.current = stack.current.filter((other) => other !== done)
      // The others still have their time, and the clock that is shown is theirs.
      if (stack.current.length === 0) dismissToast(shown.current)
    }, UNDO_SECONDS * SECOND)

    // A new one each time, because a toast that was taken away does not come back under its id.
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
export type Undo = ReturnType<typeof useUndo>

/** What one act says of itself, or how many leads several acts were about. */
function summaryOf(acts: Undoable[]): string {
  const [only] = acts
  if (only && acts.length === 1) return only.description
  const kinds = [...new Set(acts.map(({ undo }) => undo))]
  return kinds
    .map((undo) => {
      const leads = acts.filter((act) => act.undo === undo).reduce((total, { ids }) => total + ids.length, 0)
      return `${countOf(leads)} ${DONE[undo]}`
    })
    .join(', ')
}

/** Takes a deletion back as long as that is possible, and shows for how long. */
function UndoButton({ onUndo }: { onUndo: () => void }) {
  const [seconds, setSeconds] = useState(UNDO_SECONDS)

  useEffect(() => {
    const end = Date.now() + UNDO_SECONDS * SECOND
    const timer = setInterval(() => setSeconds(Math.ceil((end - Date.now()) / SECOND)), SECOND / 4)
    return () => clearInterval(timer)
  }, [])

  return (
    <Button variant="outline" size="small" className="ml-auto" onClick={onUndo}>
      Undo
      {/* Not read out every second. */}
      <span aria-hidden="true" className="w-5 text-right text-quiet tabular-nums">
        {Math.max(seconds, 0)}
      </span>
    </Button>
  )
}
