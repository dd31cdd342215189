import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { LeadFilter } from '../../../core/contract/leads.ts'

/** Leads to those leads, in their own tab. */
export function LeadsLink({ filter, children }: { filter: LeadFilter; children: ReactNode }) {
  const query = new URLSearchParams({ tab: 'leads' })
  for (const [name, value] of Object.entries(filter)) query.set(name, String(value))
  return (
    <Link to={`?${query}`} className="underline decoration-edge underline-offset-3 hover:text-secondary">
      {children}
    </Link>
  )
}
