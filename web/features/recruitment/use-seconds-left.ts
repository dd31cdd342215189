import { useEffect, useState } from 'react'
import { SECOND } from '../../lib/time.ts'

/** What the countdown starts with each time that the page is opened: 14 days, 23 hours, 59 minutes, 52 seconds. */
export const COUNTDOWN_START = ((14 * 24 + 23) * 60 + 59) * 60 + 52

/**
 * How many seconds are left until a moment, else of a countdown that starts with the page. It is read from the clock, so
 * that it is right again as soon as a browser that has slept wakes up. The server's HTML has the start of the countdown.
 * @param deadline ISO 8601
 * @returns whole seconds, down to 0
 */
export function useSecondsLeft(deadline?: string): number {
  const [left, setLeft] = useState(COUNTDOWN_START)

  useEffect(() => {
    const end = deadline === undefined ? Date.now() + COUNTDOWN_START * SECOND : Date.parse(deadline)
    let timer: ReturnType<typeof setTimeout> | undefined

    function tick() {
      clearTimeout(timer)
      const remaining = Math.max(0, end - Date.now())
      const seconds = Math.ceil(remaining / SECOND)
      setLeft(seconds)
      // At the turn of the second, however late this call is.
      if (seconds > 0) timer = setTimeout(tick, remaining - (seconds - 1) * SECOND)
    }

    tick()
    document.addEventListener('visibilitychange', tick)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', tick)
    }
  }, [deadline])

  return left
}
