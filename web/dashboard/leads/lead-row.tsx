import type { MouseEvent as ReactMouseEvent } from 'react'
import { Link } from 'react-router-dom'
import type { Lead, ListedLead } from '../../../core/contract/leads.ts'
import type { PublicProvider } from '../../../core/contract/providers.ts'
import { formatDay } from '../../lib/dates.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Cell, Row } from '../../ui/table.tsx'
import { EmailAddress, PhoneNumber } from '../contact.tsx'
import { DeliveryActions, DeliveryStates, type Retrying } from './lead-deliveries.tsx'
import { hasOutcome, OutcomeState } from './lead-outcome.tsx'
import { LeadProvider } from './lead-provider.tsx'
import { isLate, PassOnLate } from './pass-on.tsx'
import { askedWords } from './sentences.ts'
import type { OpenLead } from './use-open-lead.ts'
import type { Selection } from './use-selection.ts'

export type RowProps = {
  lead: ListedLead
  /** The deliveries that are being retried now. */
  retrying: Retrying
  providers: PublicProvider[] | undefined
  /** Whether the viewer may act. */
  canAct: boolean
  /** Whether a lead is open beside the list, where the actions then are. */
  isCompact: boolean
  opening: OpenLead
  selection: Selection
  onDelete: (lead: Lead) => void
  onMatch: (lead: Lead) => void
  onPassedOn: (lead: Lead) => void
  /** The lead that is being deleted. */
  deleting: number | undefined
}

const PRESSABLE = 'a, button, input, select, label'

/** Shows a lead as a row of the table, or as a card on a narrow screen. A click anywhere opens the lead. */
export function LeadRow({
  lead,
  retrying,
  providers,
  canAct,
  isCompact,
  opening,
  selection,
  onDelete,
  deleting,
  onMatch,
  onPassedOn,
}: RowProps) {
  const isOpen = opening.openId === lead.id
  const isChosen = selection.has(lead.id)

  function open({ target }: ReactMouseEvent<HTMLElement>) {
    const isOfPart = (target as HTMLElement).closest(PRESSABLE) !== null
    // A click that ends a text selection is meant to copy.
    if (!isOfPart && !getSelection()?.toString()) opening.open(lead.id)
  }

  return (
    <Row
      data-lead={lead.id}
      tabIndex={-1}
      aria-current={isOpen || undefined}
      onClick={open}
      className={`relative scroll-my-24 focus-visible:outline-3! focus-visible:-outline-offset-3! ${isOpen ? 'bg-lilac/50' : isChosen ? 'bg-mist' : 'hover:bg-mist/60'}`}
    >
      {canAct && (
        <Cell label="" className="max-lg:absolute max-lg:top-3.5 max-lg:right-4 lg:w-px">
          <RowCheckbox
            label={`Choose ${lead.first_name} ${lead.last_name}`}
            isChecked={isChosen}
            onToggle={(isRange) => selection.toggle(lead.id, isRange)}
          />
        </Cell>
      )}
      <Cell label="Contact" className="col-span-2">
        <Contact lead={lead} search={opening.searchOf(lead.id)} isCompact={isCompact} />
      </Cell>
      <Cell label="Zip Code">{lead.zip_code}</Cell>
      <Cell label="Provider" className="order-2 col-span-2">
        <LeadProvider lead={lead} providers={providers} onMatch={canAct && !isCompact ? onMatch : undefined} />
      </Cell>
      <Cell label="Date" className="order-1 whitespace-nowrap">
        {formatDay(lead.created_at)}
      </Cell>
      <Cell label="CRM Sync" className="order-2 col-span-2">
        <div className="grid justify-items-start gap-2">
          <DeliveryStates lead={lead} retrying={retrying} />
          {!isCompact && <DeliveryActions lead={lead} retrying={retrying} canAct={canAct} />}
        </div>
      </Cell>
      <Cell label="Outcome" className={`order-2 col-span-2 ${hasOutcome(lead) ? '' : 'max-lg:hidden'}`}>
        <OutcomeState lead={lead} />
      </Cell>
      {canAct && !isCompact && (
        <Cell label="Actions" className="order-2 col-span-2 sm:col-span-4">
          {isLate(lead) && !lead.do_not_contact && <PassOnLate lead={lead} onPassedOn={onPassedOn} />}
          <Button
            variant="quietDanger"
            size="small"
            busy={deleting === lead.id}
            onClick={() => onDelete(lead)}
            className="-ml-3"
          >
            Delete
          </Button>
        </Cell>
      )}
    </Row>
  )
}

/** Keeps the place of a lead that was just deleted, as high as its row was. */
export function GoneRow({ id, height }: { id: number; height: number | undefined }) {
  return (
    <tr data-gone={id} className="block border-t border-line bg-mist/60 lg:table-row" style={{ height }}>
      <td colSpan={99} className="block px-6 py-4 align-middle text-quiet lg:table-cell">
        Deleted
      </td>
    </tr>
  )
}

type ContactProps = { lead: ListedLead; search: string; isCompact: boolean }

function Contact({ lead, search, isCompact }: ContactProps) {
  const { first_name, last_name, email, phone, do_not_contact } = lead
  const asked = askedWords(lead.requests)
  const link = 'block w-fit py-0.5 hover:text-secondary hover:underline'
  return (
    <div className={`max-w-80 wrap-anywhere ${isCompact ? '' : 'lg:min-w-44 xl:min-w-60'}`}>
      <Link to={{ search }} title="What happened" preventScrollReset className={`${link} font-semibold text-ink`}>
        {first_name} {last_name}
      </Link>
      {do_not_contact && <Badge tone="bad">Do not contact</Badge>}
      <EmailAddress email={email} className={`${link} text-quiet`} />
      <PhoneNumber phone={phone} className={`${link} text-quiet`} />
      {asked && <p className="text-sm text-quiet">{asked}</p>}
    </div>
  )
}

type Props = {
  label: string
  isChecked: boolean
  disabled?: boolean
  /** `isRange`: the shift key was held. */
  onToggle: (isRange: boolean) => void
}

export function RowCheckbox({ label, isChecked, disabled, onToggle }: Props) {
  return (
    <input
      type="checkbox"
      aria-label={label}
      checked={isChecked}
      disabled={disabled}
      onChange={({ nativeEvent }) => onToggle((nativeEvent as MouseEvent).shiftKey === true)}
      className="block size-6 accent-secondary"
    />
  )
}
