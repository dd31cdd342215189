import { useSyncExternalStore } from 'react'

const KEY = 'auth'
const listeners = new Set<() => void>()

// A browser may refuse storage; then a reload asks for the password again.
function attempt<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}

function read(): boolean {
  return attempt(() => sessionStorage.getItem(KEY)) === 'true'
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function announce(): void {
  for (const listener of listeners) listener()
}

/** Returns whether the password was entered in this tab. The server decides whether that is still valid. */
export function useIsRemembered(): boolean {
  return useSyncExternalStore(subscribe, read)
}

export function remember(): void {
  attempt(() => sessionStorage.setItem(KEY, 'true'))
  announce()
}

export function forget(): void {
  attempt(() => sessionStorage.removeItem(KEY))
  announce()
}
