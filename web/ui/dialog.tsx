import { type MouseEvent, type ReactNode, type RefObject, useEffect, useId, useRef } from 'react'

type Props = {
  /** For closing it from inside, which gives the focus back to where it was. */
  dialog: RefObject<HTMLDialogElement | null>
  title: string
  /** Its width, and how its contents are laid out. */
  className: string
  /** What stands beside the title. */
  corner?: ReactNode
  children: ReactNode
  onClose: () => void
}

/**
 * A modal dialog, open as long as it is rendered. Escape and a click beside it close it; `onClose` must then take it
 * away.
 */
export function Dialog({ dialog, title, className, corner, children, onClose }: Props) {
  const titleId = useId()
  const pressed = useRef<EventTarget>(null)

  useEffect(() => {
    dialog.current?.showModal()
    return holdPage()
  }, [dialog])

  // A press that starts on the text and ends beside the dialog is a selection, not a click on the backdrop.
  function closeFromBackdrop({ target, currentTarget }: MouseEvent) {
    if (target === currentTarget && pressed.current === currentTarget) dialog.current?.close()
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the key for it is Escape, which the browser handles
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onClose={onClose}
      onPointerDown={(event) => {
        pressed.current = event.target
      }}
      onClick={closeFromBackdrop}
      className="m-auto max-h-[90vh] max-w-[calc(100vw-2rem)] overflow-auto rounded-2xl bg-white p-0 text-foreground shadow-2xl forced-colors:border backdrop:bg-night/60"
    >
      <div className={className}>
        <div className="flex items-start justify-between gap-4">
          <h2 id={titleId} className="font-display text-2xl leading-tight text-ink">
            {title}
          </h2>
          {corner}
        </div>
        {children}
      </div>
    </dialog>
  )
}

/** The page behind stands still, and stays as wide as it was beside its scroll bar. Returns what lets it go again. */
function holdPage(): () => void {
  const { clientWidth, style } = document.documentElement
  style.paddingRight = `${window.innerWidth - clientWidth}px`
  style.overflow = 'hidden'
  return () => {
    style.removeProperty('padding-right')
    style.removeProperty('overflow')
  }
}
