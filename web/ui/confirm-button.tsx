import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'

type Props = {
  label: string
  /** Default: the label. */
  confirmLabel?: string
  title: string
  /** The description of the consequences. */
  children: ReactNode
  danger?: boolean
  busy: boolean
  onConfirm: (options: { onSettled: () => void }) => void
}

/** A button that asks before it acts. */
export function ConfirmButton({
  label,
  confirmLabel = label,
  title,
  children,
  danger = false,
  busy,
  onConfirm,
}: Props) {
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
          confirmLabel={confirmLabel}
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

type DeleteButtonProps = Pick<Props, 'title' | 'confirmLabel' | 'busy' | 'children'> & {
  /** Deletes, and calls `onSettled` at the end, also after a failure. */
  onDelete: Props['onConfirm']
}

/** Deletes something, once that is confirmed. */
export function DeleteButton({ onDelete, ...props }: DeleteButtonProps) {
  return <ConfirmButton {...props} label="Delete" danger onConfirm={onDelete} />
}
