import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { MINUTE } from '../../core/contract/time.ts'

/** Returns a text after it has stayed the same for `delay` milliseconds. */
export function useSettled(text: string, delay = 200): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), delay)
    return () => clearTimeout(timer)
  }, [text, delay])
  return settled
}

let minute = Date.now()
let timer: number | undefined
const listeners = new Set<() => void>()

/** Returns the time as of the last whole minute, in milliseconds. `ofServer` is that of a rendered page (ISO 8601). */
export function useNow(ofServer?: string): number {
  return useSyncExternalStore(
    subscribeToMinute,
    () => minute,
    () => (ofServer === undefined ? minute : Date.parse(ofServer)),
  )
}

function subscribeToMinute(listener: () => void): () => void {
  if (listeners.size === 0) {
    minute = Date.now()
    timer = window.setInterval(tick, MINUTE)
    // A timer does not run while the computer sleeps.
    document.addEventListener('visibilitychange', tick)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    document.removeEventListener('visibilitychange', tick)
  }
}

function tick(): void {
  minute = Date.now()
  for (const listener of listeners) listener()
}

/** Tailwind's breakpoints. Below `md` is a phone; from `lg` lists are tables. */
const WIDTHS = {
  md: '(min-width: 48rem)',
  lg: '(min-width: 64rem)',
  '2xl': '(min-width: 96rem)',
} as const

export function useWideScreen(width: keyof typeof WIDTHS = 'lg'): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const query = matchMedia(WIDTHS[width])
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
    [width],
  )
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(WIDTHS[width]).matches,
    () => true,
  )
}
