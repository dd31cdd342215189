const KEY = 'auth'

// A browser may refuse storage altogether; then the password is asked for again after a reload.
function attempt<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}

/** Whether the password was entered in this tab. The server decides what that is worth. */
export function isRemembered(): boolean {
  return attempt(() => sessionStorage.getItem(KEY)) === 'true'
}

export function remember(): void {
  attempt(() => sessionStorage.setItem(KEY, 'true'))
}

export function forget(): void {
  attempt(() => sessionStorage.removeItem(KEY))
}
