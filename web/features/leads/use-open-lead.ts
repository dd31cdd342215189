import { useCallback, useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router-dom'
import { parseId } from '../../lib/ids.ts'

const LEAD = 'lead'

/** Which lead is shown beside the list. It is in the address. */
export function useOpenLead() {
  const [address, setAddress] = useSearchParams()
  const openId = parseId(address.get(LEAD))
  useFocusAfter(openId)

  /** The address with that lead open. */
  function searchOf(id: number): string {
    const next = new URLSearchParams(address)
    next.set(LEAD, String(id))
    return `?${next}`
  }

  // From lead to lead is no step that somebody wants to go back.
  const open = useCallback(
    (id: number) =>
      setAddress(
        (now) => {
          const next = new URLSearchParams(now)
          next.set(LEAD, String(id))
          return next
        },
        { replace: openId !== undefined },
      ),
    [setAddress, openId],
  )

  const close = useCallback(() => {
    setAddress((now) => {
      const next = new URLSearchParams(now)
      next.delete(LEAD)
      return next
    })
  }, [setAddress])

  return { openId, searchOf, open, close }
}
export type OpenLead = ReturnType<typeof useOpenLead>

/** Once a lead is closed, in whatever way, the keyboard goes on from its row, unless it is somewhere else already. */
function useFocusAfter(openId: number | undefined): void {
  const last = useRef<number>(undefined)
  useEffect(() => {
    if (openId === undefined && document.activeElement === document.body) {
      document.querySelector<HTMLElement>(`tr[data-lead="${last.current}"]`)?.focus()
    }
    last.current = openId
  }, [openId])
}
