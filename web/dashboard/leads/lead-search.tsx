import { useEffect, useRef, useState } from 'react'
import type { LeadFilter } from '../../../core/leads/contract/leads.ts'
import type { ViewChange } from './use-leads-page.ts'

/** The id of the search box, which a key focuses. */
export const SEARCH_ID = 'lead-search'

const MAX_SEARCH_LENGTH = 100

export function LeadSearch({ filter, setView }: { filter: LeadFilter; setView: ViewChange }) {
  const { text, setText } = useSearchText(filter, setView)
  const goToList = useGoToList(text.trim() === (filter.q ?? ''))
  return (
    <div className="relative min-w-40 flex-1 basis-60">
      <svg
        viewBox="0 0 20 20"
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-quiet"
      >
        <path
          d="m13 13 4.5 4.5M14.5 8.5a6 6 0 1 1-12 0 6 6 0 0 1 12 0Z"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.75"
          strokeLinecap="round"
        />
      </svg>
      <input
        id={SEARCH_ID}
        type="search"
        aria-label="Search leads"
        placeholder="Name, clinic, place, phone or number"
        maxLength={MAX_SEARCH_LENGTH}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== 'ArrowDown') return
          event.preventDefault()
          goToList()
        }}
        className="block min-h-8 w-full rounded-lg border border-edge bg-background pr-3 pl-9 text-sm max-lg:min-h-11 max-lg:text-base text-ink placeholder:text-quiet hover:border-secondary"
      />
    </div>
  )
}

/** Returns a function that focuses the first lead once the list shows what was typed. */
function useGoToList(isSearched: boolean): () => void {
  const isWanted = useRef(false)
  const [, setAsked] = useState(0)
  // The list renders with this box, and is busy until it shows what the address asks for.
  useEffect(() => {
    if (!isWanted.current || !isSearched || document.querySelector('table[aria-busy=true]')) return
    isWanted.current = false
    document.querySelector<HTMLElement>('tr[data-lead]')?.focus()
  })
  return () => {
    isWanted.current = true
    setAsked((count) => count + 1)
  }
}

/** The debounce of the search, in milliseconds. */
const SEARCH_DELAY = 250

/** Returns the text of the search box: the current search, or the text being typed. */
function useSearchText(filter: LeadFilter, setView: ViewChange) {
  const { q } = filter
  const [state, setState] = useState({ text: q ?? '', seen: q, sent: q })
  const { text, seen, sent } = state

  // The address has changed, either by this box, whose text may have changed since, or by Back and Forward.
  if (q !== seen) setState(q === sent ? { ...state, seen: q } : { text: q ?? '', seen: q, sent: q })

  useEffect(() => {
    const wanted = text.trim() || undefined
    if (wanted === q) return
    const timer = setTimeout(() => {
      setState((now) => ({ ...now, sent: wanted }))
      // Keystrokes replace the history entry, so that Back does not step through letters.
      setView({ filter: { ...filter, q: wanted } }, { replace: wanted !== undefined && q !== undefined })
    }, SEARCH_DELAY)
    return () => clearTimeout(timer)
  }, [text, q, filter, setView])

  return { text, setText: (next: string) => setState((now) => ({ ...now, text: next })) }
}
