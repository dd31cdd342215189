import { useRef } from 'react'
import { UNDO_SECONDS } from '../../../core/contract/undo.ts'
import { SECOND } from '../../lib/time.ts'
import { dismissToast, toast } from '../../ui/toast.ts'
import { useRestoreLeads } from './api/restore-leads.ts'
import { UndoButton } from './undo-button.tsx'

/** The toast after a deletion, which offers to take it back. Only the latest deletion is on offer. */
export function useUndo() {
  const restoration = useRestoreLeads()
  const onOffer = useRef<() => void>(undefined)

  function offer(ids: number[], description: string) {
    const id = `undo-${ids[0]}-${Date.now()}`
    const end = () => {
      if (onOffer.current === take) onOffer.current = undefined
      dismissToast(id)
    }
    const take = () => {
      end()
      restoration.mutate(ids)
    }
    onOffer.current = take
    setTimeout(end, UNDO_SECONDS * SECOND)
    toast({
      id,
      title: 'Success',
      description,
      duration: Number.POSITIVE_INFINITY,
      action: <UndoButton onUndo={take} />,
    })
  }

  return { offer, undo: () => onOffer.current?.() }
}
export type Undo = ReturnType<typeof useUndo>
