import { useEffect, useId, useRef, useState } from 'react'

/**
 * The navigation of small screens. It closes with Escape, which gives the keyboard back to the toggle, and as soon as
 * the pointer or the keyboard goes on outside the header.
 */
export function useMenu() {
  const id = useId()
  const header = useRef<HTMLElement>(null)
  const toggleButton = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)

  useEffect(() => {
    if (!isOpen) return

    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setOpen(false)
      toggleButton.current?.focus()
    }
    const closeFromOutside = (event: Event) => {
      if (!header.current?.contains(event.target as Node)) setOpen(false)
    }
    const listeners = new AbortController()
    const { signal } = listeners
    document.addEventListener('keydown', closeOnEscape, { signal })
    document.addEventListener('pointerdown', closeFromOutside, { signal })
    document.addEventListener('focusin', closeFromOutside, { signal })
    return () => listeners.abort()
  }, [isOpen])

  return { id, header, toggleButton, isOpen, toggle: () => setOpen((open) => !open), close: () => setOpen(false) }
}
