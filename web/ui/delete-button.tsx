import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'

type Props = {
  title: string
  confirmLabel: string
  busy: boolean
  /** Deletes; `onSettled` is to be called when that has ended, in whatever way. */
  onDelete: (options: { onSettled: () => void }) => void
  /** What will be gone. */
  children: ReactNode
}

/** Deletes something, once that is confirmed. */
export function DeleteButton({ title, confirmLabel, busy, onDelete, children }: Props) {
  const [isAsking, setAsking] = useState(false)
  const close = () => setAsking(false)

  return (
    <>
      <Button variant="quietDanger" size="small" onClick={() => setAsking(true)}>
        Delete
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={title}
          confirmLabel={confirmLabel}
          busy={busy}
          onConfirm={() => onDelete({ onSettled: close })}
          onClose={close}
        >
          {children}
        </ConfirmDialog>
      )}
    </>
  )
}
