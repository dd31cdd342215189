import { useQueryState } from 'nuqs'
import { useCallback, useEffect, useRef } from 'react'
import { place, useLinkTo } from '../address.ts'

/** Returns the lead that is open beside the list, from the address, and functions that open and close one. */
export function useOpenLead() {
  const [lead, setLead] = useQueryState('lead', place.lead)
  const openId = lead ?? undefined
  const linkTo = useLinkTo()
  useFocusAfter(openId)

  // Made once for all rows.
  const rest = linkTo({ lead: null })
  /** Returns the query of the link that opens a lead. */
  const searchOf = (id: number) => `${rest === '' ? '?' : `${rest}&`}lead=${id}`

  // Switching between leads replaces the history entry; Back then closes the lead.
  const history = openId === undefined ? 'push' : 'replace'
  const open = useCallback((id: number) => void setLead(id, { history }), [setLead, history])

  const close = useCallback(() => void setLead(null), [setLead])

  return { openId, searchOf, open, close }
}
export type OpenLead = ReturnType<typeof useOpenLead>

/** Focuses the row of a lead after it was closed, unless the focus is elsewhere already. */
function useFocusAfter(openId: number | undefined): void {
  const last = useRef<number>(undefined)
  useEffect(() => {
    if (openId === undefined && document.activeElement === document.body) {
      document.querySelector<HTMLElement>(`tr[data-lead="${last.current}"]`)?.focus()
    }
    last.current = openId
  }, [openId])
}
