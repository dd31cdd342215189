import { useEffect, useState } from 'react'
import type { LeadFilter } from '../../../core/contract/leads.ts'
import type { ViewChange } from './use-leads-page.ts'

/** By this the keyboard finds it. */
export const SEARCH_ID = 'lead-search'

const MAX_SEARCH_LENGTH = 100

export function LeadSearch({ filter, setView }: { filter: LeadFilter; setView: ViewChange }) {
  const { text, setText } = useSearchText(filter, setView)
  return (
    <div className="relative min-w-0 flex-1 basis-72">
      <svg
        viewBox="0 0 20 20"
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 left-3 size-4.5 -translate-y-1/2 text-quiet"
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
        placeholder="Name, e-mail, phone or zip"
        maxLength={MAX_SEARCH_LENGTH}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={({ target }) => setText(target.value)}
        className="block min-h-11 w-full rounded-full border border-edge bg-white pr-4 pl-10 text-base text-ink placeholder:text-quiet hover:border-secondary"
      />
    </div>
  )
}

/** How long nobody types before it is searched, in milliseconds. */
const SEARCH_DELAY = 250

/** What is in the search box: what is searched for, or what is being typed instead. */
function useSearchText(filter: LeadFilter, setView: ViewChange) {
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
