import { useEffect, useState } from 'react'
import { UNDO_SECONDS } from '../../../core/contract/undo.ts'
import { SECOND } from '../../lib/time.ts'
import { Button } from '../../ui/button.tsx'

/** Takes a deletion back as long as that is possible, and shows for how long. */
export function UndoButton({ onUndo }: { onUndo: () => void }) {
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
