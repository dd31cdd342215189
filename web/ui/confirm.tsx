import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

type Props = {
  title: string
  children: ReactNode
  confirmLabel: string
  /** `danger` for destructive actions. */
  variant?: 'danger' | 'primary'
  busy?: boolean
  /** Disables the confirmation, for example until a choice is made. */
  disabled?: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Asks for confirmation of an irreversible or bulk action. It is open as long as it is rendered. */
export function ConfirmDialog({
  title,
  children,
  confirmLabel,
  variant = 'danger',
  busy,
  disabled,
  onConfirm,
  onClose,
}: Props) {
  return (
    <Dialog title={title} onClose={onClose} className="w-md max-w-full p-6">
      <div className="mt-2 wrap-anywhere">{children}</div>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button variant="outline" onClick={onClose}>
          Cancel
        </Button>
        <Button variant={variant} busy={busy} disabled={disabled} onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </div>
    </Dialog>
  )
}

type FormButtonsProps = { submit: string; busy?: boolean; disabled?: boolean; className?: string; onClose: () => void }

/** The buttons at the end of a dialog with a form. */
export function FormButtons({ submit, busy, disabled, className = '', onClose }: FormButtonsProps) {
  return (
    <div className={`flex flex-wrap justify-end gap-3 ${className}`}>
      <Button variant="outline" onClick={onClose}>
        Cancel
      </Button>
      <Button type="submit" busy={busy} disabled={disabled}>
        {submit}
      </Button>
    </div>
  )
}

type ConfirmButtonProps = {
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
}: ConfirmButtonProps) {
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
