import { useEffect, useState } from 'react'

/** In milliseconds. Somebody who types is not asked about each letter. */
const SETTLE_DELAY = 150

/** A text once it has stayed the same for a moment. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLE_DELAY)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
