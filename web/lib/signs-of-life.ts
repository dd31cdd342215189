import { useEffect, useRef, useState } from 'react'
import { hasBeenTouched } from './touches.ts'
import { useHydrated } from './use-hydrated.ts'

/** What tells a person from a program that fills in forms. */
export type SignsOfLife = {
  /** From the moment that the form could be seen to the sending, in milliseconds. */
  elapsed_ms: number
  /** Whether a finger, a mouse or a key was used on the page. */
  touched: boolean
  /** What stands in the field that people do not see. */
  topic?: string
}

/** Reads the signs at the moment when a form is sent. */
export function useSignsOfLife(): (form: HTMLFormElement) => SignsOfLife {
  const isHydrated = useHydrated()
  // A form that came with the page's HTML was there from the start of the page; any other from its first rendering.
  const [cameWithPage] = useState(!isHydrated)
  const shownAt = useRef(0)

  useEffect(() => {
    if (!cameWithPage) shownAt.current = performance.now()
  }, [cameWithPage])

  return (form) => ({
    elapsed_ms: Math.round(performance.now() - shownAt.current),
    touched: hasBeenTouched(),
    topic: String(new FormData(form).get('topic') ?? '') || undefined,
  })
}
