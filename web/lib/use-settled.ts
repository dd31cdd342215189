import { useEffect, useState } from 'react'

/** Returns a text after it has stayed the same for `delay` milliseconds. */
export function useSettled(text: string, delay = 200): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), delay)
    return () => clearTimeout(timer)
  }, [text, delay])
  return settled
}
