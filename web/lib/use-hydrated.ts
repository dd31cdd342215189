import { useState, useSyncExternalStore } from 'react'
import { isFaulty } from './rendered-page.ts'

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

/** Lets the browser check and submit a form until it is hydrated (`holdEarlyClicks` knows it by `data-plain`). */
export function usePlainForm() {
  const isHydrated = useHydrated()
  return { noValidate: isHydrated, 'data-plain': isHydrated ? undefined : '' }
}
