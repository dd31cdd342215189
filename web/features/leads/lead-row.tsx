import { type ReactNode, useId, useState } from 'react'
import type { Lead } from '../../../core/contract/leads.ts'
import type { PublicProvider } from '../../../core/contract/providers.ts'
import { formatDay } from '../../lib/dates.ts'
import { telUrl } from '../../lib/links.ts'
import { Button } from '../../ui/button.tsx'
import { DeleteLeadButton } from './delete-lead-button.tsx'
import { LeadCrm } from './lead-crm.tsx'
import { LeadHistory } from './lead-history.tsx'
import { LeadProvider } from './lead-provider.tsx'
import { COLUMNS } from './leads-table.tsx'

type Props = { lead: Lead; providers: PublicProvider[] | undefined }

/** A row of the table; a card where the screen is narrow. */
export function LeadRow({ lead, providers }: Props) {
  const historyId = useId()
  const [isOpen, setOpen] = useState(false)

  return (
    <>
      <tr className="grid grid-cols-2 gap-x-4 sm:grid-cols-4 gap-y-4 border-t border-line p-4 align-top first:border-0 lg:table-row lg:p-0">
        <Cell label="Contact" className="col-span-2">
          <Contact lead={lead} />
        </Cell>
        <Cell label="Zip Code">{lead.zip_code}</Cell>
        <Cell label="Provider" className="order-2 col-span-2">
          <LeadProvider lead={lead} providers={providers} />
        </Cell>
        <Cell label="Date" className="order-1 whitespace-nowrap">
          {formatDay(lead.created_at)}
        </Cell>
        <Cell label="CRM Sync" className="order-2 col-span-2">
          <LeadCrm lead={lead} />
        </Cell>
        <Cell label="Actions" className="order-2 col-span-2 sm:col-span-4">
          <div className="-ml-3 flex flex-wrap gap-1 lg:flex-col lg:items-start">
            <Button
              variant="ghost"
              size="small"
              aria-expanded={isOpen}
              aria-controls={historyId}
              onClick={() => setOpen(!isOpen)}
            >
              What happened
              <Chevron isOpen={isOpen} />
            </Button>
            <DeleteLeadButton lead={lead} />
          </div>
        </Cell>
      </tr>
      {isOpen && (
        <tr id={historyId} className="block bg-mist lg:table-row">
          <td colSpan={COLUMNS.length} className="block p-4 lg:table-cell lg:px-6 lg:py-5">
            <LeadHistory lead={lead} />
          </td>
        </tr>
      )}
    </>
  )
}

type CellProps = { label: string; className?: string; children: ReactNode }

/** The classes place a cell in the card of a narrow screen. */
function Cell({ label, className = '', children }: CellProps) {
  return (
    <td className={`${className} min-w-0 lg:border-t lg:border-line lg:px-3 lg:py-4 lg:first:pl-6 lg:last:pr-6`}>
      <span aria-hidden="true" className="mb-0.5 block text-[0.8125rem] text-quiet lg:hidden">
        {label}
      </span>
      {children}
    </td>
  )
}

function Contact({ lead: { first_name, last_name, email, phone } }: { lead: Lead }) {
  const link = 'block w-fit py-0.5 text-quiet hover:text-secondary hover:underline'
  return (
    <div className="max-w-80 wrap-anywhere lg:min-w-44 xl:min-w-60">
      <p className="font-semibold text-ink">
        {first_name} {last_name}
      </p>
      <a href={`mailto:${encodeURIComponent(email)}`} className={link}>
        {email}
      </a>
      <a href={telUrl(phone)} className={link}>
        {phone}
      </a>
    </div>
  )
}

function Chevron({ isOpen }: { isOpen: boolean }) {
  return (
    <svg
      viewBox="0 0 16 16"
      className={`size-3.5 transition-transform ${isOpen ? 'rotate-180' : ''}`}
      aria-hidden="true"
    >
      <path d="m3 6 5 5 5-5" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    </svg>
  )
}
