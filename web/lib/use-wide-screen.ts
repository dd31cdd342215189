import { useSyncExternalStore } from 'react'

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
