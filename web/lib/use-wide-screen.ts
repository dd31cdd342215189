import { useSyncExternalStore } from 'react'

/** Tailwind's breakpoints. Below `md` is a phone; from `lg` lists are tables. */
const WIDTHS = { md: '(min-width: 48rem)', lg: '(min-width: 64rem)', xl: '(min-width: 80rem)' } as const

/** Returns whether the window is at least as wide as a breakpoint. */
export function useWideScreen(width: keyof typeof WIDTHS = 'lg'): boolean {
  return useSyncExternalStore(
    SUBSCRIBE[width],
    () => matchMedia(WIDTHS[width]).matches,
    () => true,
  )
}

const subscribeTo = (width: keyof typeof WIDTHS) => (listener: () => void) => {
  const query = matchMedia(WIDTHS[width])
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Made once, so that a rendering does not subscribe anew. */
const SUBSCRIBE = { md: subscribeTo('md'), lg: subscribeTo('lg'), xl: subscribeTo('xl') }
