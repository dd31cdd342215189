import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'

type Props = {
  label: string
  title: string
  /** What will happen. */
  children: ReactNode
  danger?: boolean
  busy: boolean
  onConfirm: (options: { onSettled: () => void }) => void
}

/** A button that asks before it acts. */
export function ConfirmButton({ label, title, children, danger = false, busy, onConfirm }: Props) {
  const [isAsking, setAsking] = useState(false)
  const stopAsking = () => setAsking(false)

  return (
    <>
      <Button variant={danger ? 'quietDanger' : 'outline'} size="small" onClick={() => setAsking(true)}>
        {label}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={title}
          confirmLabel={label}
          busy={busy}
          onConfirm={() => onConfirm({ onSettled: stopAsking })}
          onClose={stopAsking}
        >
          {children}
        </ConfirmDialog>
      )}
    </>
  )
}

type DeleteButtonProps = {
  title: string
  confirmLabel: string
  busy: boolean
  /** Deletes; `onSettled` is to be called when that has ended, in whatever way. */
  onDelete: (options: { onSettled: () => void }) => void
  /** What will be gone. */
  children: ReactNode
}

/** Deletes something, once that is confirmed. */
export function DeleteButton({ title, confirmLabel, busy, onDelete, children }: DeleteButtonProps) {
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
