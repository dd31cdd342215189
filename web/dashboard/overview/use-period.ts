import { useAddress } from '../../lib/use-address.ts'
import { type Period, readPeriod, writePeriod } from './period.ts'

/** The period that is shown. It is in the address. */
export function usePeriod() {
  const { address, change } = useAddress()
  const choose = (next: (now: Period) => Period) =>
    change((now) => writePeriod(now, next(readPeriod(now))), { replace: true })
  return { period: readPeriod(address), choose }
}
