import { useId } from 'react'
import { Link } from 'react-router-dom'
import type { ListedLead } from '../../../core/leads/contract/leads.ts'
import type { PublicProvider } from '../../../core/providers/contract/providers.ts'
import { formatDay, formatTime } from '../../lib/dates.ts'
import { Badge, Skeleton } from '../../ui/feedback.tsx'
import { useAccess } from '../access.tsx'
import { EmailAddress, PhoneNumber } from '../contact.tsx'
import type { PausedWords } from '../job-labels.tsx'
import { isLate, PassOnLate } from '../pass-on-dialog.tsx'
import { ProviderLink } from '../provider-link.tsx'
import { heldWords, ReleaseHeld } from './held-lead.tsx'
import { Distance, OutcomeState, Unmatched } from './lead-cells.tsx'
import { ClinicCell, CrmCell, hasFailedEmail, isHeld, RetryButtons, type Retrying } from './lead-deliveries.tsx'
import { askedWords, nameOfProvider } from './use-lead-action.ts'
import type { OpenLead } from './use-leads-page.ts'

export type CellProps = {
  lead: ListedLead
  retrying: Retrying
  pausedWords: PausedWords
  providers: PublicProvider[] | undefined
  opening: OpenLead
}

const LINK = 'py-1 hover:text-secondary hover:underline'

/** The look of a button in a cell: as high as a line of text, and at least as high as a finger needs on a phone. */
const ROW_ACT = '-ml-1 px-1! py-0! text-xs! lg:min-h-6! dense:lg:min-h-4.5!'
/** Keeps its place, so that nothing moves or is covered when it shows. */
const ON_HOVER = 'max-lg:hidden invisible group-focus-within/row:visible group-hover/row:visible'

/**
 * `name` is the field to sort by. `width` depends on that of the list and not of the window: a lead may be open beside it.
 * `card` is the place on a narrow screen, where each lead is a card with twelve parts in a line.
 */
export const COLUMNS = [
  {
    name: 'name',
    label: 'Contact',
    width: 'lg:w-auto',
    card: 'max-lg:col-span-12 max-lg:col-start-1 max-lg:row-start-1',
    Cell: Contact,
  },
  {
    name: 'zip_code',
    label: 'Zip Code',
    width: 'lg:w-22 lg:@min-[60rem]:w-26',
    card: 'max-lg:col-span-6 max-lg:col-start-1 max-lg:row-start-2 max-lg:text-quiet',
    Cell: ({ lead }: CellProps) => <TwoParts first={lead.zip_code} second={lead.place} />,
  },
  {
    name: 'provider',
    label: 'Provider',
    width: 'lg:w-36 lg:@min-[60rem]:w-42',
    card: 'max-lg:col-span-6 max-lg:row-start-2',
    Cell: Provider,
  },
  {
    name: 'created_at',
    label: 'Date',
    width: 'lg:w-24',
    // Beside the name, above the address.
    card: 'max-lg:col-span-4 max-lg:col-start-9 max-lg:row-start-1 max-lg:self-start max-lg:py-[3px] max-lg:text-right max-lg:text-xs max-lg:text-quiet',
    Cell: ({ lead: { created_at } }: CellProps) => (
      <TwoParts first={formatDay(created_at || null)} second={formatTime(created_at || null)} isShort />
    ),
  },
  {
    name: 'crm',
    label: 'CRM Sync',
    width: 'lg:w-30 lg:@min-[76rem]:w-48',
    // Its parts have places of their own.
    card: 'max-lg:contents lg:relative',
    Cell: CrmSync,
  },
  {
    name: 'clinic',
    label: 'Email',
    width: 'lg:w-28 lg:@max-[64rem]:hidden',
    card: 'max-lg:col-span-4 max-lg:row-start-3 max-lg:pr-0! max-lg:text-xs',
    Cell: ClinicEmail,
  },
  {
    name: 'outcome',
    label: 'Outcome',
    width: 'lg:w-30 lg:@max-[58rem]:hidden',
    card: 'max-lg:col-span-4 max-lg:row-start-3 max-lg:text-xs',
    Cell: ({ lead }: CellProps) => <OutcomeState lead={lead} isInRow />,
  },
  {
    name: 'source',
    label: 'Source',
    width: 'lg:w-25 lg:@max-[86rem]:hidden',
    card: 'text-quiet max-lg:hidden',
    Cell: ({ lead }: CellProps) => <TwoParts first={lead.source} second={lead.campaign} />,
  },
] as const

type PartsProps = {
  first: string | null
  second: string | null
  /** Leaves the second part out of cards and dense rows, which have it as a tooltip. */
  isShort?: true
}

function TwoParts({ first, second, isShort }: PartsProps) {
  return (
    <>
      <span title={(isShort && second) || undefined}>{first}</span>
      {second && (
        <span
          className={`block truncate text-xs text-quiet ${isShort ? 'max-lg:hidden dense:hidden' : 'max-lg:inline max-lg:pl-1.5 dense:inline dense:pl-1.5'}`}
        >
          {second}
        </span>
      )}
    </>
  )
}

function Contact({ lead, opening }: CellProps) {
  const { first_name, last_name, email, phone, do_not_contact } = lead
  const asked = askedWords(lead.requests)
  return (
    <>
      {/* Marks go to the next line before they take room from the name. On a phone the date is beside it. */}
      <div className="flex min-w-0 flex-wrap items-center gap-x-1.5 max-lg:pr-24">
        <Link
          to={{ search: opening.searchOf(lead.id) }}
          title="What happened"
          preventScrollReset
          className={`max-w-full truncate font-semibold text-ink ${LINK}`}
        >
          {first_name} {last_name}
        </Link>
        {do_not_contact && <Badge tone="bad">Do not contact</Badge>}
        {asked && (
          <span title={asked}>
            <Badge>
              <span aria-hidden="true">{lead.requests.number}×</span>
              <span className="sr-only">{asked}</span>
            </Badge>
          </span>
        )}
      </div>
      <div className="-mt-0.5 flex min-w-0 items-center gap-x-3 text-xs text-quiet max-lg:flex-wrap">
        <EmailAddress email={email} className={`max-w-full truncate ${LINK}`} />
        <PhoneNumber phone={phone} className={`whitespace-nowrap ${LINK}`} />
      </div>
    </>
  )
}

function Provider({ lead, providers, opening }: CellProps) {
  const can = useAccess()
  if (lead.provider_id === null) return <Unmatched lead={lead} inRow={ROW_ACT} />
  if (!providers) return <Skeleton className="h-4 w-32" />
  const provider = providers.find(({ id }) => id === lead.provider_id)
  const practice = provider?.practiceName !== provider?.name && provider?.practiceName
  return (
    <>
      <ProviderLink id={lead.provider_id} className={`text-ink ${LINK}`}>
        {nameOfProvider(lead, providers)}
      </ProviderLink>
      {provider?.status === 'f' && (
        <>
          {' '}
          <Badge tone="bad">Inactive</Badge>
        </>
      )}
      <div className="flex items-center gap-1 max-lg:hidden dense:inline-flex dense:pl-1.5">
        <span className="truncate text-xs text-quiet">
          {lead.match_distance_miles !== null && (
            <>
              <Distance miles={lead.match_distance_miles} isInRow />
              {practice && ' · '}
            </>
          )}
          {practice && <span>{practice}</span>}
        </span>
        {can('lead.manage') && opening.openId === undefined && isLate(lead) && !lead.do_not_contact && (
          <PassOnLate lead={lead} className={`${ROW_ACT} ${ON_HOVER}`} />
        )}
      </div>
    </>
  )
}

function ClinicEmail({ lead, ...row }: CellProps) {
  const isManager = useAccess()('lead.manage')
  return (
    <div title={isHeld(lead) ? heldWords(lead, isManager) : undefined}>
      <ClinicCell lead={lead} {...row} />
    </div>
  )
}

/** The acts that a failure asks for always show, below the state; the others on hover, where there is room. */
function CrmSync({ lead, retrying, pausedWords, opening }: CellProps) {
  const can = useAccess()
  const reasonId = useId()
  const held = isHeld(lead)
  const needsEmail = !held && hasFailedEmail(lead)
  const needsCrm = !held && lead.crm_sync_status === 'failed'
  const isQuiet = !held && !needsEmail && !needsCrm
  // Beside an open lead, its panel has them.
  const onHover =
    (isQuiet || held) && opening.openId === undefined ? `${ROW_ACT} lg:@max-[76rem]:hidden ${ON_HOVER}` : undefined
  const lookOf = (isNeeded: boolean) => (isNeeded ? ROW_ACT : onHover)
  // Below the state, which is in the middle of the row while nothing is shown, and then makes room.
  const place = isQuiet ? 'lg:absolute lg:bottom-0.5' : ''
  const moves =
    isQuiet && onHover && can('lead.work')
      ? 'lg:@min-[76rem]:group-focus-within/row:-translate-y-2 lg:@min-[76rem]:group-hover/row:-translate-y-2'
      : ''
  return (
    <>
      <div className={`min-w-0 max-lg:col-span-4 max-lg:row-start-3 max-lg:pr-1.5 max-lg:text-xs ${moves}`}>
        <CrmCell {...{ lead, retrying, pausedWords }} />
      </div>
      <div className={`flex flex-wrap gap-x-2 max-lg:col-span-12 max-lg:row-start-4 ${place}`}>
        {held && (
          <span id={reasonId} className="sr-only">
            {heldWords(lead, can('lead.manage'))}
          </span>
        )}
        {held && can('lead.manage') && (
          <ReleaseHeld
            id={lead.id}
            name={`${lead.first_name} ${lead.last_name}`}
            reason={lead.held_reason}
            className={ROW_ACT}
          />
        )}
        {can('lead.work') && (
          <RetryButtons {...{ lead, retrying, reasonId }} look={{ email: lookOf(needsEmail), crm: lookOf(needsCrm) }} />
        )}
      </div>
    </>
  )
}
