import type { AskedSync } from './asked-sync.ts'

const KEY = 'sync'

/** What was asked for in this tab and has not been told the end of, also before a reload. */
export function readAsked(): AskedSync | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

/** Undefined: nothing any more. */
export function writeAsked(asked: AskedSync | undefined): void {
  try {
    if (asked) sessionStorage.setItem(KEY, JSON.stringify(asked))
    else sessionStorage.removeItem(KEY)
  } catch {
    // A browser may refuse storage altogether; then a reload forgets.
  }
}
