import { SECOND } from './time.ts'

/** The length of the countdown without a deadline, in seconds: 14 days, 23 hours, 59 minutes, 52 seconds. */
export const COUNTDOWN_START = ((14 * 24 + 23) * 60 + 59) * 60 + 52

const openedAt = Date.now()

/**
 * Returns the end of the countdown, in milliseconds. @param deadline ISO 8601; without it the countdown starts with the
 * page @param start the time at which the page was opened, unless it was reached by client-side navigation
 */
export function endOfCountdown(deadline: string | undefined, start = openedAt): number {
  return deadline === undefined ? start + COUNTDOWN_START * SECOND : Date.parse(deadline)
}

/**
 * Tells the whole seconds until `end`, now and at the turn of each second, down to 0. They are read from the clock, so that
 * they are right again as soon as a browser that has slept wakes up.
 * @returns what stops it
 */
export function countDown(end: number, onSecond: (left: number) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined

  function tick() {
    clearTimeout(timer)
    const remaining = Math.max(0, end - Date.now())
    const seconds = Math.ceil(remaining / SECOND)
    onSecond(seconds)
    // At the turn of the second, however late this call is.
    if (seconds > 0) timer = setTimeout(tick, remaining - (seconds - 1) * SECOND)
  }

  tick()
  document.addEventListener('visibilitychange', tick)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', tick)
  }
}

/** Seconds as two digits each of days, hours, minutes and seconds. */
export function countdownParts(seconds: number) {
  return [
    { unit: 'Days', value: Math.floor(seconds / 86_400) },
    { unit: 'Hours', value: Math.floor(seconds / 3600) % 24 },
    { unit: 'Minutes', value: Math.floor(seconds / 60) % 60 },
    { unit: 'Seconds', value: seconds % 60 },
  ].map(({ unit, value }) => ({ unit, value: String(value).padStart(2, '0') }))
}
