import { useEffect, useRef, useState } from 'react'
import { isRebuilt } from './rebuilt-page.ts'
import { hasBeenTouched } from './touches.ts'
import { useHydrated } from './use-hydrated.ts'

/** Tells a person from a program that fills in forms. */
export type SignsOfLife = {
  /** Time from the first rendering of the form to its submission, in milliseconds. */
  elapsed_ms: number
  /** Whether the page has seen a touch, a mouse or a key. */
  touched: boolean
  /** The value of the hidden field, which people leave empty. */
  topic?: string
}

/** Returns a function that reads the signs when a form is submitted. */
export function useSignsOfLife(): (form: HTMLFormElement) => SignsOfLife {
  const isHydrated = useHydrated()
  // A form that came with the page's HTML was there from the start of the page; any other from its first rendering.
  const [cameWithPage] = useState(() => !isHydrated || isRebuilt())
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
