import { useEffect, useState } from 'react'
import { COUNTDOWN_START, countDown, endOfCountdown } from '../../lib/countdown.ts'
import { useHydrated } from '../../lib/use-hydrated.ts'

/**
 * How many seconds are left until a moment, else of a countdown that starts with the page. The server's HTML has the start
 * of the countdown.
 * @param deadline ISO 8601
 * @returns whole seconds, down to 0
 */
export function useSecondsLeft(deadline?: string): number {
  const isHydrated = useHydrated()
  // A countdown that came with the page's HTML has ticked since; any other starts now.
  const [cameWithPage] = useState(!isHydrated)
  const [left, setLeft] = useState(COUNTDOWN_START)

  useEffect(
    () => countDown(cameWithPage ? endOfCountdown(deadline) : endOfCountdown(deadline, Date.now()), setLeft),
    [deadline, cameWithPage],
  )

  return left
}
