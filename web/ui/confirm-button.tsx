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
