import { useCallback, useEffect, useRef } from 'react'
import { parseId } from '../../lib/ids.ts'
import { useAddress, withValues } from '../../lib/use-address.ts'

/** The name of the open lead's id in the address. */
export const LEAD = 'lead'

/** Which lead is shown beside the list. It is in the address. */
export function useOpenLead() {
  const { address, change } = useAddress()
  const openId = parseId(address.get(LEAD))
  useFocusAfter(openId)

  /** The address with that lead open. */
  const searchOf = (id: number) => `?${withValues(address, { [LEAD]: id })}`

  // From lead to lead is no step that somebody wants to go back.
  const open = useCallback((id: number) => change({ [LEAD]: id }, { replace: openId !== undefined }), [change, openId])

  const close = useCallback(() => change({ [LEAD]: undefined }), [change])

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
