import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { LeadFilter } from '../../../core/contract/leads.ts'

type Props = { filter: LeadFilter; className?: string; children: ReactNode }

/** Leads to those leads, in their own tab. */
export function LeadsLink({ filter, className = '', children }: Props) {
  const query = new URLSearchParams({ tab: 'leads' })
  for (const [name, value] of Object.entries(filter)) query.set(name, String(value))
  return (
    <Link to={`?${query}`} className={`underline decoration-edge underline-offset-3 hover:text-secondary ${className}`}>
      {children}
    </Link>
  )
}
