import * as Radix from '@radix-ui/react-dialog'
import { type ReactNode, useEffect, useState } from 'react'
import { Icon } from './drawing.tsx'

type Props = {
  title: string
  className: string
  hasClose?: boolean
  /** Whether it stands at the lower edge of a phone, as wide as the window. */
  isSheet?: boolean
  children: ReactNode
  onClose: () => void
}

const SHEET = 'max-sm:mb-0 max-sm:w-full max-sm:max-w-none max-sm:rounded-b-none'

export function Dialog({ title, className, hasClose, isSheet, children, onClose }: Props) {
  return (
    <Modal className={`my-auto w-fit max-h-[90vh] overflow-auto ${isSheet ? SHEET : ''}`} onClose={onClose}>
      <div className={className}>
        <div className="flex items-start justify-between gap-4">
          <Radix.Title className="font-display text-2xl leading-tight text-ink staff:font-semibold">
            {title}
          </Radix.Title>
          {hasClose && <CloseButton onClick={onClose} />}
        </div>
        {children}
      </div>
    </Modal>
  )
}

type ModalProps = {
  label?: string
  className: string
  children: ReactNode
  onClose: () => void
}

/** Calls `onClose` on Escape and on a click beside it; the parent must then stop rendering it. The focus returns. */
export function Modal({ label, className, children, onClose }: ModalProps) {
  const [openers] = useState(openersNow)
  useEffect(holdPage, [])

  // Without a trigger, Radix leaves the focus on the page's body. What was focused meanwhile keeps the focus.
  function returnFocus(event: Event) {
    event.preventDefault()
    if (document.activeElement !== document.body) return
    openers.find((element) => element.isConnected && element !== document.body)?.focus()
  }

  return (
    <Radix.Root open onOpenChange={onClose}>
      <Radix.Portal>
        {/* `Radix.Overlay` writes a style sheet into the page, which the Content-Security-Policy refuses. */}
        <div className="fixed inset-0 z-50 bg-black/40" />
        <Radix.Content
          aria-label={label}
          aria-modal
          // Radix says so a moment after it has taken the pointer from the page.
          style={{ pointerEvents: 'auto' }}
          ref={(content) => {
            if (content) openersOf.set(content, openers)
          }}
          onCloseAutoFocus={returnFocus}
          className={`fixed inset-0 z-50 mx-auto h-fit max-w-[calc(100vw-2rem)] rounded-2xl bg-background text-foreground shadow-2xl outline-none forced-colors:border ${className}`}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** What had the focus when a dialog was opened, and when the dialog around that was. */
const openersOf = new WeakMap<Element, HTMLElement[]>()

/** Returns where the focus goes when a dialog that opens now is closed: the first of these that is still there. */
function openersNow(): HTMLElement[] {
  const focused = document.activeElement
  if (!(focused instanceof HTMLElement)) return []
  const around = focused.closest('[role=dialog]')
  return [focused, ...((around && openersOf.get(around)) ?? [])]
}

/** Open dialogs: one may be opened from another. */
let open = 0

/** Keeps the page behind from scrolling, and as wide as it was beside its scroll bar, until the returned function runs. */
export function holdPage(): () => void {
  const { clientWidth, style } = document.documentElement
  if (open++ === 0) {
    style.paddingRight = `${window.innerWidth - clientWidth}px`
    style.overflow = 'hidden'
  }
  return () => {
    if (--open > 0) return
    style.removeProperty('padding-right')
    style.removeProperty('overflow')
  }
}

function CloseButton({ onClick }: { onClick: () => void }) {
  return (
    <button
      type="button"
      aria-label="Close"
      onClick={onClick}
      className="-mt-1 -mr-2 grid size-9 shrink-0 place-items-center rounded-full text-quiet transition-colors hover:bg-mist hover:text-ink"
    >
      <Icon d="m3 3 10 10M13 3 3 13" box={16} className="size-4" />
    </button>
  )
}
