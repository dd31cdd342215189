import { useEffect, useId, useState } from 'react'

/** The navigation of small screens: open or closed; Escape closes it. */
export function useMenu() {
  const id = useId()
  const [isOpen, setOpen] = useState(false)

  useEffect(() => {
    if (!isOpen) return
    const closeOnEscape = (event: KeyboardEvent) => event.key === 'Escape' && setOpen(false)
    document.addEventListener('keydown', closeOnEscape)
    return () => document.removeEventListener('keydown', closeOnEscape)
  }, [isOpen])

  return { id, isOpen, toggle: () => setOpen((open) => !open), close: () => setOpen(false) }
}
