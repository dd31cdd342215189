import { useSyncExternalStore } from 'react'

const subscribe = () => () => {}

/** False while a page is rendered on the server and while the browser takes that over, then true. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  )
}
