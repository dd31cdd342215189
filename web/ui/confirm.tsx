import { type ComponentProps, type ReactNode, useState } from 'react'
import { Button, SmallButton } from './button.tsx'
import { Dialog } from './dialog.tsx'

type Props = {
  title: string
  className?: string
  children: ReactNode
  confirmLabel: string
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
  className = 'w-md',
  children,
  confirmLabel,
  variant = 'danger',
  busy,
  disabled,
  onConfirm,
  onClose,
}: Props) {
  return (
    <Dialog title={title} onClose={onClose} className={`${className} max-w-full p-6`}>
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

export type ConfirmButtonProps = Omit<Props, 'confirmLabel' | 'onConfirm' | 'onClose'> & {
  label: string
  /** The name of the button, where the label alone says too little. */
  ariaLabel?: string
  confirmLabel?: string
  danger?: boolean
  button?: Pick<ComponentProps<typeof Button>, 'variant' | 'disabled'>
  onConfirm: (options: { onSettled: () => void }) => void
}

export function ConfirmButton({
  label,
  ariaLabel,
  confirmLabel = label,
  danger = false,
  button,
  onConfirm,
  ...dialog
}: ConfirmButtonProps) {
  const [isAsking, setAsking] = useState(false)
  const stopAsking = () => setAsking(false)

  return (
    <>
      <SmallButton
        variant={danger ? 'quietDanger' : 'outline'}
        {...button}
        aria-label={ariaLabel}
        onClick={() => setAsking(true)}
      >
        {label}
      </SmallButton>
      {isAsking && (
        <ConfirmDialog
          {...dialog}
          confirmLabel={confirmLabel}
          onConfirm={() => onConfirm({ onSettled: stopAsking })}
          onClose={stopAsking}
        />
      )}
    </>
  )
}
