import { useQueryState } from 'nuqs'
import { useCallback, useEffect, useRef } from 'react'
import { place, useLinkTo } from '../address.ts'

/** Which lead is shown beside the list. It is in the address. */
export function useOpenLead() {
  const [lead, setLead] = useQueryState('lead', place.lead)
  const openId = lead ?? undefined
  const linkTo = useLinkTo()
  useFocusAfter(openId)

  /** The address with that lead open. */
  const searchOf = (id: number) => linkTo({ lead: id })

  // From lead to lead is no step that somebody wants to go back.
  const history = openId === undefined ? 'push' : 'replace'
  const open = useCallback((id: number) => void setLead(id, { history }), [setLead, history])

  const close = useCallback(() => void setLead(null), [setLead])

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
