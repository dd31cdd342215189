import { useSyncExternalStore } from 'react'

const subscribe = () => () => {}

/** Returns false on the server and during hydration, then true. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
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
