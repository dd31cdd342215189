import { useSyncExternalStore } from 'react'

/** As Tailwind's `lg`: from here on tables are tables. */
const WIDE = '(min-width: 64rem)'

/** Whether the window is wide enough for tables. */
export function useWideScreen(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(WIDE).matches,
    () => true,
  )
}

function subscribe(listener: () => void): () => void {
  const query = matchMedia(WIDE)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}
