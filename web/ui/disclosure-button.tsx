import type { ReactNode } from 'react'
import { Button } from './button.tsx'

type Props = {
  isOpen: boolean
  /** The id of what it opens. */
  controls: string
  onToggle: () => void
  children: ReactNode
}

export function DisclosureButton({ isOpen, controls, onToggle, children }: Props) {
  return (
    <Button variant="ghost" size="small" aria-expanded={isOpen} aria-controls={controls} onClick={onToggle}>
      {children}
      <svg
        viewBox="0 0 16 16"
        className={`size-3.5 transition-transform ${isOpen ? 'rotate-180' : ''}`}
        aria-hidden="true"
      >
        <path d="m3 6 5 5 5-5" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      </svg>
    </Button>
  )
}
