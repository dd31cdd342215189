import { useCallback } from 'react'
import { useSearchParams } from 'react-router-dom'
import { parseId } from '../../lib/ids.ts'

const RUN = 'sync'

/** Which run of the sync is looked at. It is in the address, on whatever tab. */
export function useOpenRun() {
  const [address, setAddress] = useSearchParams()

  const change = useCallback(
    (id?: number) =>
      setAddress(
        (now) => {
          const next = new URLSearchParams(now)
          if (id === undefined) next.delete(RUN)
          else next.set(RUN, String(id))
          return next
        },
        { preventScrollReset: true },
      ),
    [setAddress],
  )

  /** The address with that run open. */
  function searchOf(id: number): string {
    const next = new URLSearchParams(address)
    next.set(RUN, String(id))
    return `?${next}`
  }

  return { openId: parseId(address.get(RUN)), searchOf, open: change, close: () => change() }
}
