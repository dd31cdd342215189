import { type ComponentProps, type FormEvent, type ReactNode, useState } from 'react'
import { Button, SmallButton } from './button.tsx'
import { Dialog } from './dialog.tsx'

type Props = {
  title: string
  className?: string
  children: ReactNode
  confirmLabel: string
  variant?: 'danger' | 'primary'
  busy?: boolean
  disabled?: boolean
  onConfirm: () => void
  onClose: () => void
}

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

type FormDialogProps = {
  title: string
  className?: string
  children: ReactNode
  submit: string
  busy?: boolean
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  onClose: () => void
}

export function FormDialog({ title, className = 'w-lg', children, submit, busy, onSubmit, onClose }: FormDialogProps) {
  return (
    <Dialog title={title} onClose={onClose} className={`${className} max-w-full p-6`}>
      <form noValidate onSubmit={onSubmit} className="mt-3 grid grid-cols-[minmax(0,1fr)] gap-2">
        {children}
        <div className="mt-2 flex flex-wrap justify-end gap-3">
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={busy}>
            {submit}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

type DialogButtonProps = ComponentProps<typeof Button> & { dialog: (close: () => void) => ReactNode }

export function DialogButton({ dialog, ...button }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <SmallButton {...button} onClick={() => setOpen(true)} />
      {isOpen && dialog(() => setOpen(false))}
    </>
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
  return (
    <DialogButton
      variant={danger ? 'quietDanger' : 'outline'}
      {...button}
      aria-label={ariaLabel}
      dialog={(close) => (
        <ConfirmDialog
          {...dialog}
          confirmLabel={confirmLabel}
          onConfirm={() => onConfirm({ onSettled: close })}
          onClose={close}
        />
      )}
    >
      {label}
    </DialogButton>
  )
}
