import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { hasBeenTouched, isRebuilt } from './hydration.ts'
import { isFaulty } from './rendered-page.ts'
import { SECOND } from './time.ts'

/** Returns a text after it has stayed the same for `delay` milliseconds. */
export function useSettled(text: string, delay = 200): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), delay)
    return () => clearTimeout(timer)
  }, [text, delay])
  return settled
}

const MINUTE = 60 * SECOND

let minute = Date.now()
const readMinute = () => minute
let timer: number | undefined
const listeners = new Set<() => void>()

/** Returns the time in milliseconds, as of the last whole minute on this page. All callers share one timer. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, readMinute, readMinute)
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) start()
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) stop()
  }
}

function start(): void {
  minute = Date.now()
  timer = window.setInterval(tick, MINUTE)
  // A timer does not run while the computer sleeps.
  document.addEventListener('visibilitychange', tick)
}

function stop(): void {
  clearInterval(timer)
  document.removeEventListener('visibilitychange', tick)
}

function tick(): void {
  minute = Date.now()
  for (const listener of listeners) listener()
}

/** Tailwind's breakpoints, and `roomy` for 1440 px. Below `md` is a phone; from `lg` lists are tables. */
const WIDTHS = {
  md: '(min-width: 48rem)',
  lg: '(min-width: 64rem)',
  xl: '(min-width: 80rem)',
  roomy: '(min-width: 90rem)',
  '2xl': '(min-width: 96rem)',
} as const
type WindowWidth = keyof typeof WIDTHS

/** Returns whether the window is at least as wide as a breakpoint. */
export function useWideScreen(width: WindowWidth = 'lg'): boolean {
  return useSyncExternalStore(
    SUBSCRIBE[width],
    () => matchMedia(WIDTHS[width]).matches,
    () => true,
  )
}

const subscribeTo = (width: WindowWidth) => (listener: () => void) => {
  const query = matchMedia(WIDTHS[width])
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Made once, so that a rendering does not subscribe anew. */
const SUBSCRIBE = {
  md: subscribeTo('md'),
  lg: subscribeTo('lg'),
  xl: subscribeTo('xl'),
  roomy: subscribeTo('roomy'),
  '2xl': subscribeTo('2xl'),
}

/** Tells whether an image has failed to load, also if it failed before hydration. */
export function useImageFault() {
  const [hasFault, setFault] = useState(false)
  return {
    isFaulty: hasFault,
    onError: () => setFault(true),
    ref(image: HTMLImageElement | null) {
      if (image && isFaulty(image)) setFault(true)
    },
  }
}

const subscribeToNothing = () => () => {}

/** Returns false on the server and during hydration, then true. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  )
}

/**
 * Returns the attributes of a form that the browser checks and submits natively until it is hydrated. `holdEarlyClicks`
 * recognizes such a form by `data-plain`.
 */
export function usePlainForm() {
  const isHydrated = useHydrated()
  return { noValidate: isHydrated, 'data-plain': isHydrated ? undefined : '' }
}

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
