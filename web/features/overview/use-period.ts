import { useSearchParams } from 'react-router-dom'
import { type Period, readPeriod, writePeriod } from './period.ts'

/** The period that is shown. It is in the address. */
export function usePeriod() {
  const [query, setQuery] = useSearchParams()
  const choose = (next: Period) => setQuery((now) => writePeriod(now, next), { replace: true })
  return { period: readPeriod(query), choose }
}
