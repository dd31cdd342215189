import { useSyncExternalStore } from 'react'
import { SECOND } from './time.ts'

const MINUTE = 60 * SECOND

let minute = Date.now()
const readMinute = () => minute
let timer: number | undefined
const listeners = new Set<() => void>()

/** Returns the time in milliseconds, as of the last whole minute on this page. All callers share one timer. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, readMinute, readMinute)
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) start()
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) stop()
  }
}

function start(): void {
  minute = Date.now()
  timer = window.setInterval(tick, MINUTE)
  // A timer does not run while the computer sleeps.
  document.addEventListener('visibilitychange', tick)
}

function stop(): void {
  clearInterval(timer)
  document.removeEventListener('visibilitychange', tick)
}

function tick(): void {
  minute = Date.now()
  for (const listener of listeners) listener()
}
