import { useEffect, useRef } from 'react'

const TYPING = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]'
const OPEN = '[role=dialog], [role=menu]'

/** Tells whether a key is meant for a text field, a dialog, a menu or the browser. */
export function isElsewhere({ ctrlKey, metaKey, altKey, defaultPrevented, target }: KeyboardEvent): boolean {
  const isCommand = ctrlKey || metaKey || altKey || defaultPrevented
  return isCommand || (target as HTMLElement).matches(TYPING) || document.querySelector(OPEN) !== null
}

/** Acts by the key that does them, in lower case, such as `r`, `#`, `shift+j` or `enter`. False leaves the key to the browser. */
export type Keys = Record<string, ((event: KeyboardEvent) => unknown) | undefined>

/** The keys that go on while they are held. All others act once: a held `#` would delete one lead after the other. */
const HELD = new Set(['j', 'k', 'shift+j', 'shift+k', 'arrowdown', 'arrowup'])

export function useKeys(keys: Keys): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    function press(event: KeyboardEvent) {
      const name = nameOf(event)
      if (isElsewhere(event) || (event.repeat && !HELD.has(name))) return
      const act = latest.current[name]
      if (act && act(event) !== false) event.preventDefault()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}

/** Letters and named keys tell of the shift key. Signs such as `#` and `?` need it on some keyboards only. */
function nameOf({ key, shiftKey }: KeyboardEvent): string {
  const isSign = key.length === 1 && key.toLowerCase() === key.toUpperCase()
  return shiftKey && !isSign ? `shift+${key.toLowerCase()}` : key.toLowerCase()
}
