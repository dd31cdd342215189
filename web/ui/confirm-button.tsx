import { type ReactNode, type Ref, useState } from 'react'
import { Button } from './button.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'

type Props = {
  label: string
  title: string
  /** The description of the consequences. */
  children: ReactNode
  danger?: boolean
  busy: boolean
  ref?: Ref<HTMLButtonElement>
  onConfirm: (options: { onSettled: () => void }) => void
}

/** A button that asks before it acts. */
export function ConfirmButton({ label, title, children, danger = false, busy, ref, onConfirm }: Props) {
  const [isAsking, setAsking] = useState(false)
  const stopAsking = () => setAsking(false)

  return (
    <>
      <Button ref={ref} variant={danger ? 'quietDanger' : 'outline'} size="small" onClick={() => setAsking(true)}>
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
  ref?: Ref<HTMLButtonElement>
  /** Deletes, and calls `onSettled` at the end, also after a failure. */
  onDelete: (options: { onSettled: () => void }) => void
  /** The description of what is lost. */
  children: ReactNode
}

/** Deletes something, once that is confirmed. */
export function DeleteButton({ title, confirmLabel, busy, ref, onDelete, children }: DeleteButtonProps) {
  const [isAsking, setAsking] = useState(false)
  const close = () => setAsking(false)

  return (
    <>
      <Button ref={ref} variant="quietDanger" size="small" onClick={() => setAsking(true)}>
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
