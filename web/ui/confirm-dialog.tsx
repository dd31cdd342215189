import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Button } from './button.tsx'

type Props = {
  title: string
  children: ReactNode
  confirmLabel: string
  busy?: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Asks before something that cannot be undone. It is open as long as it is rendered. */
export function ConfirmDialog({ title, children, confirmLabel, busy, onConfirm, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()

  useEffect(() => {
    dialog.current?.showModal()
  }, [])

  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onClose={onClose}
      className="m-auto w-[min(28rem,calc(100vw-2rem))] rounded-2xl bg-white p-6 text-foreground shadow-2xl backdrop:bg-night/60"
    >
      <h2 id={titleId} className="font-display text-2xl text-ink">
        {title}
      </h2>
      <div className="mt-2 wrap-anywhere">{children}</div>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button variant="outline" onClick={() => dialog.current?.close()}>
          Cancel
        </Button>
        <Button variant="danger" busy={busy} onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </div>
    </dialog>
  )
}
