import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { formatPhone, telUrl } from '../../../core/contract/phones.ts'
import { isMasked } from '../../../core/contract/texts.ts'
import type { LeadDetails, ListedLead, RelatedLead } from '../../../core/leads/contract/leads.ts'
import { OUTCOME_WORDS } from '../../../core/leads/contract/outcomes.ts'
import { formatDay, timeIn } from '../../lib/dates.ts'
import { useNow } from '../../lib/hooks.ts'
import { Badge } from '../../ui/feedback.tsx'
import { useLinkTo } from '../address.ts'
import { CopyButton, EmailAddress, PhoneNumber, SMALL_LINK } from '../contact.tsx'
import { requestWords } from './use-lead-action.ts'

type Props = {
  lead: ListedLead
  /** Undefined until it is loaded. */
  timeZone: LeadDetails['time_zone'] | undefined
  /** Undefined if the viewer may not edit the lead. */
  onEdit: (() => void) | undefined
}

/** Shows where a person is, what time it is there (`Baltimore, MD 21201 · 2:53 PM local time`), and how to reach them. */
export function LeadWho({ lead, timeZone, onEdit }: Props) {
  const requests = requestWords(lead.requests)
  const now = useNow()
  return (
    <div className="grid">
      {(lead.do_not_contact || requests) && (
        <p className="my-1 flex flex-wrap gap-2">
          {lead.do_not_contact && <Badge tone="bad">Do not contact</Badge>}
          {requests && <Badge>{requests}</Badge>}
        </p>
      )}
      <p className="py-0.5 text-quiet">
        {lead.place ?? 'Zip code'} <span>{lead.zip_code}</span>
        {timeZone && <span className="tabular-nums"> · {timeIn(timeZone, now)} local time</span>}
      </p>
      <Reach email={lead.email} phone={lead.phone} whose="their" />
      {onEdit && (
        <button type="button" onClick={onEdit} className={`${SMALL_LINK} -ml-2 justify-self-start`}>
          Edit...
        </button>
      )}
    </div>
  )
}

/** Shows a phone number and an email address with the means to use them. Masked ones cannot be used. */
export function Reach({ email, phone, whose }: { email: string; phone: string | null; whose: string }) {
  const callUrl = phone && telUrl(phone)
  return (
    <>
      {phone && (
        <Line
          value={<PhoneNumber phone={phone} className={LINK} />}
          uses={
            !isMasked(phone) && (
              <>
                {callUrl && (
                  <a href={callUrl} aria-label={`Call ${formatPhone(phone)}`} className={SMALL_LINK}>
                    Call
                  </a>
                )}
                <CopyButton text={formatPhone(phone)} what={`${whose} phone number`} />
              </>
            )
          }
        />
      )}
      <Line
        value={<EmailAddress email={email} className={LINK} />}
        uses={!isMasked(email) && <CopyButton text={email} what={`${whose} email address`} />}
      />
    </>
  )
}

const LINK = 'w-fit max-w-full py-0.5 wrap-anywhere text-ink hover:text-secondary hover:underline'

function Line({ value, uses }: { value: ReactNode; uses: ReactNode }) {
  return (
    <div className="flex items-center justify-between gap-2">
      <span className="min-w-0">{value}</span>
      <span className="flex shrink-0 items-center">{uses}</span>
    </div>
  )
}

/** Lists the other requests of a lead's person, with the same email or phone. */
export function LeadPerson({ lead: { samePerson: others, requests } }: { lead: LeadDetails }) {
  const older = requests.total - 1 - others.length
  return (
    <div className="grid justify-items-start gap-2 text-[0.9375rem]">
      <ul className="grid w-full gap-2">
        {others.map((other) => (
          <li key={other.id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <OtherRequest other={other} />
          </li>
        ))}
      </ul>
      {older > 0 && <p className="text-sm text-quiet">And {older} older.</p>}
    </div>
  )
}

function OtherRequest({ other }: { other: RelatedLead }) {
  const { id, created_at, provider_id, provider_name, held_reason, outcome } = other
  const linkTo = useLinkTo()
  const clinic = provider_id === null ? 'No provider' : (provider_name ?? `Provider #${provider_id}`)
  return (
    <>
      <span className="min-w-0 wrap-anywhere">
        <Link
          to={{ search: linkTo({ lead: id }) }}
          preventScrollReset
          className="font-semibold text-secondary underline-offset-4 hover:underline"
        >
          Request #{id}
        </Link>
        <span className="text-quiet">
          , {formatDay(created_at)}, {clinic}
        </span>
      </span>
      {held_reason !== null && <Badge tone="wait">Held</Badge>}
      {outcome !== null && <Badge>{OUTCOME_WORDS[outcome]}</Badge>}
    </>
  )
}
