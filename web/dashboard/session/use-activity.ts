import { useEffect } from 'react'
import { SECOND } from '../../lib/time.ts'

/** How often activity is reported, in milliseconds. */
const REPORT_EVERY = 30 * SECOND

/**
 * What only a person does. Movements of the mouse are not among them: browsers make some up when the page changes under
 * it, as a live list does.
 */
const SIGNS = ['pointerdown', 'keydown', 'wheel', 'touchmove'] as const

/** Calls `onActivity` when the person does something: at once, then every half minute as long as there was more. */
export function useActivity({ isWatched, onActivity }: { isWatched: boolean; onActivity: () => void }): void {
  useEffect(() => {
    if (!isWatched) return
    let reportedAt = 0
    let timer: ReturnType<typeof setTimeout> | undefined

    function report() {
      timer = undefined
      reportedAt = Date.now()
      onActivity()
    }
    function notice() {
      timer ??= setTimeout(report, Math.max(0, reportedAt + REPORT_EVERY - Date.now()))
    }

    for (const sign of SIGNS) window.addEventListener(sign, notice, { capture: true, passive: true })
    return () => {
      clearTimeout(timer)
      for (const sign of SIGNS) window.removeEventListener(sign, notice, { capture: true })
    }
  }, [isWatched, onActivity])
}
