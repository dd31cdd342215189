import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Link } from 'react-router-dom'
import type { Lead, LeadDetails, ListedLead } from '../../../core/contract/leads.ts'
import { isSettled } from '../../../core/contract/outcomes.ts'
import type { PublicProvider } from '../../../core/contract/providers.ts'
import { telUrl } from '../../lib/texts.ts'
import { Alert } from '../../ui/alert.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { EmailAddress, PhoneNumber } from '../contact.tsx'
import { useSettings } from '../settings.ts'
import { DeliveryActions, DeliveryStates, type Retrying } from './lead-deliveries.tsx'
import { LeadOptOut } from './lead-opt-out.tsx'
import { Attribution, ConsentRecord } from './lead-origin.tsx'
import { hasOutcome, noOutcome, OutcomeState } from './lead-outcome.tsx'
import { LeadPerson } from './lead-person.tsx'
import { LeadProvider, nameOfProvider } from './lead-provider.tsx'
import { LeadTimeline } from './lead-timeline.tsx'
import { PassOn } from './pass-on.tsx'
import { matchSentence, requestWords, skippedSentence } from './sentences.ts'
import { leadQuery } from './use-shown-rows.ts'

type Props = {
  id: number
  /** The row of the list, shown until the details have loaded. */
  known: ListedLead | undefined
  retrying: Retrying
  providers: PublicProvider[] | undefined
  canAct: boolean
  canStop: boolean
  onClose: () => void
  onDelete: (lead: Lead) => void
  isDeleting: boolean
  onMatch: (lead: Lead) => void
  onPassedOn: (lead: Lead) => void
  onRecord: (lead: Lead) => void
}

/** Shows a lead with all its details beside the list, or in its place on a narrow screen. */
export function LeadPanel({ id, known, onClose, ...rest }: Props) {
  const titleId = useId()
  const title = useRef<HTMLHeadingElement>(null)
  const { data, error } = useQuery(leadQuery(id))
  const lead = data ?? known

  useEffect(() => title.current?.focus(), [])

  return (
    <aside
      aria-labelledby={titleId}
      className="min-w-0 rounded-2xl border border-line bg-background p-5 xl:sticky xl:top-4 xl:max-h-[calc(100dvh-2rem)] xl:w-100 xl:shrink-0 xl:overflow-y-auto 2xl:w-md"
    >
      <div className="flex items-start justify-between gap-3">
        <h2
          ref={title}
          id={titleId}
          tabIndex={-1}
          className="scroll-mt-6 font-display text-2xl leading-tight wrap-anywhere text-ink"
        >
          {lead ? `${lead.first_name} ${lead.last_name}` : `Lead #${id}`}
        </h2>
        <Button variant="ghost" size="small" onClick={onClose} className="-mt-0.5 -mr-2">
          Close
        </Button>
      </div>
      {error && <Alert title="Error">{error.message || 'Failed to load the lead'}</Alert>}
      {!lead && !error && <Skeleton className="mt-4 h-60 w-full" />}
      {lead && !(error && !data) && <Contents lead={lead} details={data} {...rest} />}
    </aside>
  )
}

type ContentsProps = Pick<
  Props,
  'retrying' | 'providers' | 'canAct' | 'canStop' | 'onDelete' | 'isDeleting' | 'onMatch' | 'onPassedOn' | 'onRecord'
> & {
  lead: ListedLead
  details: LeadDetails | undefined
}

const LINK = 'w-fit max-w-full py-0.5 wrap-anywhere text-quiet hover:text-secondary hover:underline'

function Contents({
  lead,
  details,
  retrying,
  providers,
  canAct,
  canStop,
  onDelete,
  isDeleting,
  onMatch,
  onPassedOn,
  onRecord,
}: ContentsProps) {
  const requests = requestWords(lead.requests)
  return (
    <div className="mt-1 grid gap-5">
      <div className="grid">
        {lead.do_not_contact && (
          <p className="my-1">
            <Badge tone="bad">Do not contact</Badge>
          </p>
        )}
        {requests && (
          <p className="my-1">
            <Badge>{requests}</Badge>
          </p>
        )}
        <EmailAddress email={lead.email} className={LINK} />
        <PhoneNumber phone={lead.phone} className={LINK} />
        <p className="py-0.5 text-quiet">Zip code {lead.zip_code}</p>
      </div>
      <div className="grid justify-items-start gap-3">
        <DeliveryStates lead={lead} retrying={retrying} label="CRM Sync" />
        <DeliveryActions lead={lead} retrying={retrying} canAct={canAct} />
      </div>
      <Section title="Provider">
        <div className="grid gap-1.5 text-[0.9375rem]">
          <LeadProvider lead={lead} providers={providers} onMatch={canAct ? onMatch : undefined} withHealth />
          {details?.clinic && details.provider_id === lead.provider_id && <ClinicContact clinic={details.clinic} />}
          <p className="text-sm text-quiet">{matchSentence(lead)}</p>
          <SkippedClinics lead={lead} clinic={clinicName(details) ?? nameOfProvider(lead, providers)} />
          {canStop && lead.answer && !lead.do_not_contact && !isSettled(lead.outcome) && (
            <PassOn lead={lead} onPassedOn={onPassedOn} />
          )}
          {canAct && lead.provider_id !== null && (
            <Button variant="outline" size="small" className="justify-self-start" onClick={() => onMatch(lead)}>
              Change clinic...
            </Button>
          )}
        </div>
      </Section>
      <Section title="Outcome">
        <div className="grid justify-items-start gap-2 text-[0.9375rem]">
          {hasOutcome(lead) ? <OutcomeState lead={lead} isDated /> : <p className="text-quiet">{noOutcome(lead)}</p>}
          {canStop && lead.held_reason === null && (
            <Button variant="outline" size="small" onClick={() => onRecord(lead)}>
              Record an outcome...
            </Button>
          )}
        </div>
      </Section>
      {details && (canStop || details.samePerson.length > 0) && (
        <Section title="Requests of this person">
          <LeadPerson lead={details} canLink={canStop} />
        </Section>
      )}
      <Section title="Contact">
        <LeadOptOut lead={lead} canStop={canStop} canLift={canAct} />
      </Section>
      <Section title="What happened">
        <LeadTimeline lead={lead} provider={providers?.find(({ id }) => id === lead.provider_id)?.name} />
      </Section>
      <Section title="Consent record">
        {details ? <ConsentRecord lead={details} /> : <Skeleton className="h-24" />}
      </Section>
      <Section title="How they came">
        {details ? <Attribution attribution={details.attribution} /> : <Skeleton className="h-16" />}
      </Section>
      {canAct && (
        <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line pt-3">
          <Button variant="quietDanger" size="small" busy={isDeleting} onClick={() => onDelete(lead)} className="-ml-3">
            Delete
          </Button>
          <Link
            to={`?${new URLSearchParams({ tab: 'activity', log: 'access', entity: 'lead', rowId: String(lead.id) })}`}
            className="inline-flex min-h-6 items-center text-sm font-semibold text-secondary underline-offset-4 hover:underline"
          >
            Who has seen this lead
          </Link>
        </div>
      )}
    </div>
  )
}

const clinicName = (details: LeadDetails | undefined) => details?.clinic?.practiceName ?? details?.clinic?.name

/** Says which clinics came before and could not take the lead; nothing if there were none. */
function SkippedClinics({ lead, clinic }: { lead: ListedLead; clinic: string | undefined }) {
  const { data: settings } = useSettings()
  const sentence = skippedSentence(lead, { clinic, waits: settings?.no_room === 'wait' })
  return sentence && <p className="text-sm text-quiet">{sentence}.</p>
}

/** Shows the clinic's phone and e-mail, so that staff can call when an e-mail fails. */
function ClinicContact({ clinic: { phone, email } }: { clinic: NonNullable<LeadDetails['clinic']> }) {
  return (
    <div className="grid">
      {phone && (
        <a href={telUrl(phone)} className={LINK}>
          {phone}
        </a>
      )}
      <a href={`mailto:${encodeURIComponent(email)}`} className={LINK}>
        {email}
      </a>
    </div>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-2.5 border-t border-line pt-4">
      <h3 className="font-semibold text-ink">{title}</h3>
      {children}
    </section>
  )
}
