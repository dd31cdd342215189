import { onCLS, onINP, onLCP, onTTFB } from 'web-vitals'
import type { Vital } from '../../core/contract/page-views.ts'

/**
 * Calls a function with each web vital of this page load, once: milliseconds, or the score of `cls`. Those that end with the
 * visit come when the page is hidden. The browser has recorded what was before this script.
 */
export function watchVitals(note: (vital: Vital, value: number) => void): void {
  const noted = new Set<Vital>()
  // Values of later views from the cache, and corrections after the first report, are left out.
  const once =
    (vital: Vital, digits = 0) =>
    ({ value }: { value: number }) => {
      if (!noted.has(vital)) note(vital, Number(value.toFixed(digits)))
      noted.add(vital)
    }
  onLCP(once('lcp'))
  onINP(once('inp'))
  onCLS(once('cls', 3))
  onTTFB(once('ttfb'))
}
