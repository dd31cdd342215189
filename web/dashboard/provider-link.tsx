import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { searchTo } from './address.ts'

type Props = { id: number; className?: string; children: ReactNode }

const LOOK = 'inline-block min-h-6 underline decoration-edge underline-offset-3 hover:text-secondary'

/** Links to the record of a clinic. In the tab of providers, the list keeps its search and its page. */
export function ProviderLink({ id, className = LOOK, children }: Props) {
  const query = new URLSearchParams(useLocation().search)
  const search = query.get('tab') === 'providers' ? recordSearch(query, id) : `?tab=providers&provider=${id}`
  return (
    <Link to={{ search }} className={className}>
      {children}
    </Link>
  )
}

/** Returns the query that opens the record of a clinic. */
export function recordSearch(query: URLSearchParams, id: number): string {
  return searchTo(query, { tab: 'providers', provider: id, record: null, sync: null })
}
