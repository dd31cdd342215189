import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { RetryFailedDialog } from './retry-failed-dialog.tsx'

/** Tries everything again that failed for good since a moment. */
export function RetryFailedButton() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="outline" size="small" onClick={() => setOpen(true)}>
        Retry what failed...
      </Button>
      {isOpen && <RetryFailedDialog onClose={() => setOpen(false)} />}
    </>
  )
}
