import { useEffect, useSyncExternalStore } from 'react'
import { z } from 'zod'

/** How this browser shows the dashboard. Each part falls back to its default where storage is refused or holds something else. */
const Preferences = z.object({
  /** `system`: as the operating system prefers. */
  scheme: z.enum(['system', 'light', 'dark']).catch('system'),
  density: z.enum(['comfortable', 'dense']).catch('comfortable'),
})

export type Preferences = z.infer<typeof Preferences>

const KEY = 'dashboard-preferences'
const listeners = new Set<() => void>()
/** Access last: the text in the storage, and its meaning, which must stay the same object. */
let last = { text: null as string | null, preferences: Preferences.parse({}) }

/** Returns the preferences of this browser and a function that changes some of them. */
export function usePreferences() {
  return { preferences: useSyncExternalStore(subscribe, read), change }
}

/** Colors the page by the preference, for as long as the dashboard is shown. The server's page starts with `system`. */
export function useScheme(): void {
  const { scheme } = usePreferences().preferences
  useEffect(() => {
    document.documentElement.dataset.scheme = scheme
    return () => {
      delete document.documentElement.dataset.scheme
    }
  }, [scheme])
}

function read(): Preferences {
  try {
    const text = localStorage.getItem(KEY)
    if (text !== last.text) last = { text, preferences: Preferences.parse(JSON.parse(text ?? '{}')) }
  } catch {
    // Storage is refused, or holds something else: what was read or chosen last stays.
  }
  return last.preferences
}

function change(part: Partial<Preferences>): void {
  const preferences = { ...read(), ...part }
  try {
    localStorage.setItem(KEY, JSON.stringify(preferences))
  } catch {
    // The choice lasts as long as the page.
    last = { ...last, preferences }
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // Another tab has changed them.
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}
