import { useEffect, useState } from 'react'
import type { LeadFilter } from '../../../core/contract/leads.ts'
import type { ViewChange } from './use-leads-page.ts'

/** How long nobody types before it is searched, in milliseconds. */
const SEARCH_DELAY = 250

/** What is in the search box: what is searched for, or what is being typed instead. */
export function useSearchText(filter: LeadFilter, setView: ViewChange) {
  const { q } = filter
  const [state, setState] = useState({ text: q ?? '', seen: q, sent: q })
  const { text, seen, sent } = state

  // The address has changed: by what was typed, which may have gone on since, or because somebody went back.
  if (q !== seen) setState(q === sent ? { ...state, seen: q } : { text: q ?? '', seen: q, sent: q })

  useEffect(() => {
    const wanted = text.trim() || undefined
    if (wanted === q) return
    const timer = setTimeout(() => {
      setState((now) => ({ ...now, sent: wanted }))
      // Going back does not go through every letter.
      setView({ filter: { ...filter, q: wanted } }, { replace: wanted !== undefined && q !== undefined })
    }, SEARCH_DELAY)
    return () => clearTimeout(timer)
  }, [text, q, filter, setView])

  return { text, setText: (next: string) => setState((now) => ({ ...now, text: next })) }
}
