import type { ReactNode } from 'react'
import type { Lead } from '../../../core/contract/leads.ts'
import type { PublicProvider } from '../../../core/contract/providers.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { LeadRow } from './lead-row.tsx'

export const COLUMNS = ['Contact', 'Zip Code', 'Provider', 'Date', 'CRM Sync', 'Actions']
const SKELETON_ROWS = 5

/** `leads` is undefined until they are loaded. */
export function LeadsTable({
  leads,
  providers,
}: {
  leads: Lead[] | undefined
  providers: PublicProvider[] | undefined
}) {
  return (
    <table aria-busy={!leads} className="block w-full text-left text-[0.9375rem] lg:table">
      <thead className="sr-only lg:not-sr-only lg:table-header-group">
        <tr>
          {COLUMNS.map((column) => (
            <th
              key={column}
              scope="col"
              className="px-3 py-3 text-sm font-semibold whitespace-nowrap text-quiet first:pl-6 last:pr-6"
            >
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="block lg:table-row-group">
        {leads ? leads.map((lead) => <LeadRow key={lead.id} lead={lead} providers={providers} />) : <SkeletonRows />}
        {leads?.length === 0 && <EmptyRow>No leads yet. They appear here as soon as somebody sends the form.</EmptyRow>}
      </tbody>
    </table>
  )
}

function SkeletonRows() {
  return Array.from({ length: SKELETON_ROWS }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all the same
    <tr key={row} className="block border-t border-line lg:table-row">
      <td colSpan={COLUMNS.length} className="block px-4 py-4 lg:table-cell lg:px-6">
        <Skeleton className="h-5 w-2/5" />
        <Skeleton className="mt-2 h-5 w-4/5" />
      </td>
    </tr>
  ))
}

function EmptyRow({ children }: { children: ReactNode }) {
  return (
    <tr className="block border-t border-line lg:table-row">
      <td colSpan={COLUMNS.length} className="block px-6 py-14 text-center text-quiet lg:table-cell">
        {children}
      </td>
    </tr>
  )
}
