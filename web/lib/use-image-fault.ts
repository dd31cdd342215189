import { useState } from 'react'
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
