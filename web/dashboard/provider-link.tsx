import { useOptimisticSearchParams } from 'nuqs/adapters/react-router/v7'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { searchTo } from './address.ts'

type Props = { id: number; className?: string; children: ReactNode }

const LOOK = 'inline-block min-h-6 underline decoration-edge underline-offset-3 hover:text-secondary'

/** Links to the record of a clinic. In the tab of providers, the list keeps its search and its page. */
export function ProviderLink({ id, className = LOOK, children }: Props) {
  const query = useOptimisticSearchParams()
  return (
    <Link
      to={{ search: recordSearch(query.get('tab') === 'providers' ? query : new URLSearchParams(), id) }}
      className={className}
    >
      {children}
    </Link>
  )
}

/** Returns the query that opens the record of a clinic. */
export function recordSearch(query: URLSearchParams, id: number): string {
  return searchTo(query, { tab: 'providers', provider: id, record: null, sync: null })
}
