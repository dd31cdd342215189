import { type MouseEvent as ReactMouseEvent, type ReactNode, useId } from 'react'
import { Link } from 'react-router-dom'
import { telUrl } from '../../../core/contract/phones.ts'
import { isMasked } from '../../../core/contract/texts.ts'
import type { ListedLead } from '../../../core/leads/contract/leads.ts'
import type { PublicProvider } from '../../../core/providers/contract/providers.ts'
import { formatDay, formatTime } from '../../lib/dates.ts'
import { Badge, Skeleton } from '../../ui/feedback.tsx'
import { MenuItem } from '../../ui/menu.tsx'
import { useAccess } from '../access.tsx'
import { EmailAddress, PhoneNumber } from '../contact.tsx'
import type { PausedWords } from '../job-labels.tsx'
import { isLate, PassOnLate } from '../pass-on-dialog.tsx'
import { ProviderLink } from '../provider-link.tsx'
import { heldWords, ReleaseHeld } from './held-lead.tsx'
import { LeadMenu } from './lead-bar.tsx'
import { Distance, OutcomeState, Unmatched } from './lead-cells.tsx'
import { ClinicCell, CrmCell, hasFailedEmail, isHeld, RetryButtons, type Retrying } from './lead-deliveries.tsx'
import type { Selection } from './row-keys.ts'
import { askedWords, nameOfProvider } from './use-lead-action.ts'
import type { OpenLead } from './use-leads-page.ts'

export type RowProps = {
  lead: ListedLead
  /** The deliveries that are being retried now. */
  retrying: Retrying
  pausedWords: PausedWords
  providers: PublicProvider[] | undefined
  /** The columns that are shown, in their order. */
  columns: readonly ColumnName[]
  opening: OpenLead
  selection: Selection
  /** The lead that is being deleted. */
  deleting: number | undefined
}

const PRESSABLE = 'a, button, input, select, label, [role=menu]'
const LINK = 'py-1 hover:text-secondary hover:underline'

/**
 * Shows a lead as a row of the table, or as a card on a narrow screen. A click anywhere opens the lead. What the state of
 * the lead asks for is always in sight, the other acts while the pointer or the focus is in the row; "⋯" has all of them.
 */
export function LeadRow(props: RowProps) {
  const can = useAccess()
  const { lead, columns, opening, selection, deleting } = props
  const isOpen = opening.openId === lead.id
  const isChosen = selection.has(lead.id)
  // A card shows its check box once a lead is chosen, in the place of its buttons.
  const isChoosing = selection.isAll || selection.ids.size > 0
  const look = isOpen ? 'bg-lilac/60' : isChosen ? 'bg-mist' : 'hover:bg-mist/70'

  function open({ target }: ReactMouseEvent<HTMLElement>) {
    const isOfPart = (target as HTMLElement).closest(PRESSABLE) !== null
    // A click that ends a text selection is meant to copy.
    if (!isOfPart && !getSelection()?.toString()) opening.open(lead.id)
  }

  return (
    <tr
      data-lead={lead.id}
      tabIndex={-1}
      aria-current={isOpen || undefined}
      aria-busy={deleting === lead.id || undefined}
      onClick={open}
      className={`group/row grid scroll-my-24 grid-cols-[repeat(12,minmax(0,1fr))_auto] items-center border-t border-line py-1.5 pr-1 pl-3 text-[0.8125rem] leading-4.5 first:border-0 focus-visible:bg-lilac/40 focus-visible:-outline-offset-3! aria-busy:opacity-50 lg:table-row lg:h-11 dense:lg:h-9 ${look}`}
    >
      {can('lead.manage') && (
        <td
          className={`lg:border-t lg:border-line lg:pr-2 lg:pl-4 ${isChoosing ? 'max-lg:col-start-13 max-lg:row-span-3 max-lg:row-start-1' : 'max-lg:hidden'}`}
        >
          <RowCheckbox
            label={`Choose ${lead.first_name} ${lead.last_name}`}
            isChecked={isChosen}
            onToggle={(isRange) => selection.toggle(lead.id, isRange)}
          />
        </td>
      )}
      {columns.map((name) => (
        <Column key={name} name={name} {...props} />
      ))}
      <td
        className={`relative max-lg:col-start-13 max-lg:row-span-3 max-lg:row-start-1 lg:border-t lg:border-line ${isChoosing && can('lead.manage') ? 'max-lg:hidden' : 'max-lg:flex'}`}
      >
        <CallButton phone={lead.phone} name={lead.first_name} />
        <LeadMenu lead={lead}>
          <MenuItem onChoose={() => opening.open(lead.id)}>Open</MenuItem>
          {can('lead.manage') && <MenuItem onChoose={() => selection.toggle(lead.id)}>Select</MenuItem>}
        </LeadMenu>
      </td>
    </tr>
  )
}

const CELL = 'min-w-0 truncate max-lg:pr-1.5 lg:border-t lg:border-line lg:px-2'

/** The place of each column in the card of a narrow screen, which has twelve parts in a line. */
const IN_CARD = {
  contact: 'max-lg:col-span-12 max-lg:col-start-1 max-lg:row-start-1',
  // Beside the name, above the address.
  created_at:
    'max-lg:col-span-4 max-lg:col-start-9 max-lg:row-start-1 max-lg:self-start max-lg:py-[3px] max-lg:text-right max-lg:text-xs max-lg:text-quiet',
  zip_code: 'max-lg:col-span-6 max-lg:col-start-1 max-lg:row-start-2 max-lg:text-quiet',
  provider: 'max-lg:col-span-6 max-lg:row-start-2',
  // Its parts have places of their own: CrmCell.
  crm: 'max-lg:contents xl:relative',
  clinic: 'max-lg:col-span-4 max-lg:row-start-3 max-lg:pr-0! max-lg:text-xs',
  outcome: 'max-lg:col-span-4 max-lg:row-start-3 max-lg:text-xs',
  source: 'text-quiet max-lg:hidden',
}
export type ColumnName = keyof typeof IN_CARD

function Column({ name, ...row }: RowProps & { name: ColumnName }) {
  const can = useAccess()
  const { lead } = row
  // Says on hover what the cell has no room for.
  const title = name === 'clinic' && isHeld(lead) ? heldWords(lead, can('lead.manage')) : undefined
  return (
    <td title={title} className={`${CELL} ${IN_CARD[name]}`}>
      <Content name={name} {...row} />
    </td>
  )
}

function Content({ name, ...row }: RowProps & { name: ColumnName }) {
  const can = useAccess()
  const { lead, retrying, pausedWords, providers, opening } = row
  switch (name) {
    case 'contact':
      return <Contact lead={lead} search={opening.searchOf(lead.id)} />
    case 'zip_code':
      return <TwoParts first={lead.zip_code} second={lead.place} />
    case 'provider':
      return (
        <Provider lead={lead} providers={providers}>
          {can('lead.manage') && opening.openId === undefined && isLate(lead) && !lead.do_not_contact && (
            <PassOnLate lead={lead} className={`${ROW_ACT} ${ON_HOVER}`} />
          )}
        </Provider>
      )
    case 'created_at':
      return (
        <TwoParts first={formatDay(lead.created_at || null)} second={formatTime(lead.created_at || null)} isShort />
      )
    case 'crm':
      return (
        <>
          <div className="min-w-0 max-lg:col-span-4 max-lg:row-start-3 max-lg:pr-1.5 max-lg:text-xs">
            <CrmCell {...{ lead, retrying, pausedWords }} />
          </div>
          <RowActions {...row} />
        </>
      )
    case 'clinic':
      return <ClinicCell {...{ lead, retrying, pausedWords }} />
    case 'outcome':
      return <OutcomeState lead={lead} isInRow />
    case 'source':
      return <TwoParts first={lead.source} second={lead.campaign} />
  }
}

type PartsProps = {
  first: string | null
  second: string | null
  /** Leaves the second part out of cards and dense rows, which have it as a tooltip. */
  isShort?: true
}

/** Two texts, the second one below the first, or beside it in dense rows and in cards. */
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

/** The name, with email and phone below it: beside each other where there is room, one below the other elsewhere. */
function Contact({ lead, search }: { lead: ListedLead; search: string }) {
  const { first_name, last_name, email, phone, do_not_contact } = lead
  const asked = askedWords(lead.requests)
  return (
    <>
      {/* Marks go to the next line before they take room from the name. On a phone the date is beside it. */}
      <div className="flex min-w-0 flex-wrap items-center gap-x-1.5 max-lg:pr-24">
        <Link
          to={{ search }}
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
      <div className="-mt-0.5 flex min-w-0 flex-wrap items-center gap-x-3 text-xs text-quiet">
        <EmailAddress email={email} className={`max-w-full truncate ${LINK}`} />
        <PhoneNumber phone={phone} className={`whitespace-nowrap ${LINK}`} />
      </div>
    </>
  )
}

type ProviderProps = Pick<RowProps, 'lead' | 'providers'> & {
  /** The button that gives the lead to another clinic. */
  children: ReactNode
}

/** The clinic of a lead, with its distance and practice, or the button that chooses one. */
function Provider({ lead, providers, children }: ProviderProps) {
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
        {children}
      </div>
    </>
  )
}

/** Calls the person from a phone. */
function CallButton({ phone, name }: { phone: string; name: string }) {
  const url = isMasked(phone) ? null : telUrl(phone)
  if (!url) return null
  return (
    <a href={url} className="grid size-11 place-items-center rounded-lg text-secondary hover:bg-mist lg:hidden">
      <span className="sr-only">Call {name}</span>
      <svg viewBox="0 0 20 20" className="size-5" aria-hidden="true">
        <path
          d="M4 2.5h3l1.5 4-2 1.5a10 10 0 0 0 5.5 5.5l1.5-2 4 1.5v3a1.5 1.5 0 0 1-1.5 1.5C8.5 17.5 2.5 11.5 2.5 4A1.5 1.5 0 0 1 4 2.500Z"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.6"
          strokeLinejoin="round"
        />
      </svg>
    </a>
  )
}

/** The look of a button in a cell: as high as a line of text, and at least as high as a finger needs on a phone. */
const ROW_ACT = '-ml-1 px-1! py-0! text-xs! lg:min-h-6! dense:lg:min-h-4.5!'
/** Keeps its place, so that nothing moves or is covered when it shows. */
const ON_HOVER = 'max-lg:hidden invisible group-focus-within/row:visible group-hover/row:visible'

/** The acts of the CRM column. Those that a failure asks for are always in sight. Beside an open lead, its panel has the others. */
function RowActions({ lead, retrying, opening }: RowProps) {
  const can = useAccess()
  const reasonId = useId()
  const held = isHeld(lead)
  const reason = held && (
    <span id={reasonId} className="sr-only">
      {heldWords(lead, can('lead.manage'))}
    </span>
  )
  if (!can('lead.work')) return reason
  const lookOf = (isNeeded: boolean) => {
    if (!isNeeded && opening.openId !== undefined) return undefined
    return isNeeded ? `${ROW_ACT} order-first` : `${ROW_ACT} ${ON_HOVER}`
  }
  const needsEmail = !held && hasFailedEmail(lead)
  const needsCrm = !held && lead.crm_sync_status === 'failed'
  // Below the state, which stays in the middle of the row while nothing is shown.
  const place = needsEmail || needsCrm || held ? '' : 'xl:absolute xl:bottom-0.5'
  return (
    <div className={`flex flex-wrap gap-x-2 max-lg:col-span-12 max-lg:row-start-4 ${place}`}>
      {reason}
      {held && can('lead.manage') && (
        <ReleaseHeld
          id={lead.id}
          name={`${lead.first_name} ${lead.last_name}`}
          reason={lead.held_reason}
          className={ROW_ACT}
        />
      )}
      <RetryButtons
        {...{ lead, retrying, reasonId }}
        look={{
          email: lookOf(needsEmail),
          crm: lookOf(needsCrm),
        }}
      />
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
    // Larger than the box, so that a finger meets it.
    <label className="grid size-6 place-items-center max-lg:size-11">
      <input
        type="checkbox"
        aria-label={label}
        checked={isChecked}
        disabled={disabled}
        onChange={({ nativeEvent }) => onToggle((nativeEvent as MouseEvent).shiftKey === true)}
        className="block size-4 accent-secondary max-lg:size-6"
      />
    </label>
  )
}
