import { useState } from 'react'
import { isFaulty } from './image-fault.ts'

/** Whether an image cannot be shown, also when that was found before the browser had taken over the server's HTML. */
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
