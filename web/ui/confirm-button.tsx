import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'

type Props = {
  label: string
  /** The name of the button, where the label alone says too little. */
  ariaLabel?: string
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
  ariaLabel,
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
      <Button
        variant={danger ? 'quietDanger' : 'outline'}
        size="small"
        aria-label={ariaLabel}
        onClick={() => setAsking(true)}
      >
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
