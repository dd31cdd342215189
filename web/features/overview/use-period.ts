import { useSearchParams } from 'react-router-dom'
import { type Period, readPeriod, writePeriod } from './period.ts'

/** The period that is shown. It is in the address. */
export function usePeriod() {
  const [query, setQuery] = useSearchParams()
  /** Goes by the address itself: React renders it later, and two choices may come in between. */
  const choose = (next: (now: Period) => Period) => {
    const now = new URLSearchParams(window.location.search)
    setQuery(writePeriod(now, next(readPeriod(now))), { replace: true })
  }
  return { period: readPeriod(query), choose }
}
