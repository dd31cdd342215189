import { useQuery } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useEffect, useId, useRef } from 'react'
import { CHANNEL_WORDS, WORDING_OF_CLIENT } from '../../../core/contract/consent.ts'
import type { LeadDetails, ListedLead } from '../../../core/leads/contract/leads.ts'
import { isSettled } from '../../../core/leads/contract/outcomes.ts'
import { formatMoment } from '../../lib/dates.ts'
import { useWideScreen } from '../../lib/hooks.ts'
import { Facts } from '../../ui/action-button.tsx'
import { SmallButton } from '../../ui/button.tsx'
import { Section } from '../../ui/card.tsx'
import { holdPage } from '../../ui/dialog.tsx'
import { Badge, Skeleton } from '../../ui/feedback.tsx'
import { LoadError } from '../../ui/load-error.tsx'
import { useAccess } from '../access.tsx'
import { CopyButton, Reach } from '../contact.tsx'
import { PassOn } from '../pass-on-dialog.tsx'
import { useProviders } from '../providers/list-providers.tsx'
import { LeadBar, LeadMenu } from './lead-bar.tsx'
import { hasOutcome, LeadProvider, noOutcome, OutcomeState } from './lead-cells.tsx'
import { LeadDeliveries, type Retrying } from './lead-deliveries.tsx'
import { useLeadActs } from './lead-dialogs.tsx'
import { LeadTimeline } from './lead-timeline.tsx'
import { LeadPerson, LeadWho, Viewers } from './lead-who.tsx'
import { LeadWork } from './lead-work.tsx'
import { leadDialog as match } from './match-dialog.tsx'
import { LeadOptOut } from './opt-outs.tsx'
import { leadDialog as record } from './outcome-dialog.tsx'
import { matchSentence, nameOfProvider, skippedSentence } from './use-lead-action.ts'
import { leadQuery } from './use-leads-page.ts'

type Props = {
  id: number
  /** The row of the list, shown until the details have loaded. */
  known: ListedLead | undefined
  retrying: Retrying
  /** Open the lead before and after in the list; undefined at its ends. */
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
  onClose: () => void
}

export function LeadPanel({ id, known, retrying, onPrevious, onNext, onClose }: Props) {
  const titleId = useId()
  const title = useRef<HTMLHeadingElement>(null)
  const panel = useRef<HTMLElement>(null)
  const isPhone = !useWideScreen('md')
  useSheet(panel, isPhone)
  const { data, error, isFetching, refetch } = useQuery(leadQuery(id))
  const lead = data ?? known

  useEffect(() => title.current?.focus(), [])

  return (
    <aside
      ref={panel}
      aria-labelledby={titleId}
      className="min-w-0 rounded-xl border border-line bg-background p-4 text-sm max-md:fixed max-md:inset-0 max-md:z-40 max-md:flex max-md:flex-col max-md:overflow-y-auto max-md:overscroll-contain max-md:rounded-none max-md:border-0 max-md:pt-[max(1rem,env(safe-area-inset-top))] max-md:pb-0 xl:sticky xl:top-2 xl:max-h-[calc(100dvh-1rem)] xl:w-110 xl:shrink-0 xl:overflow-y-auto"
    >
      <div className="-mt-1 -mr-2 flex flex-wrap items-center justify-between gap-x-3 text-quiet">
        <span className="flex items-center gap-2 tabular-nums">
          Lead #{id}
          {lead?.is_test && <Badge tone="wait">Test</Badge>}
        </span>
        <span className="flex items-center">
          {[
            { label: 'Previous', key: 'k', act: onPrevious },
            { label: 'Next', key: 'j', act: onNext },
            { label: 'Close', key: 'Esc', act: onClose },
          ].map(({ label, key, act }) => (
            <SmallButton
              key={label}
              variant="ghost"
              title={`Key: ${key}`}
              className="max-lg:min-h-11"
              disabled={!act}
              onClick={act}
            >
              {label}
            </SmallButton>
          ))}
          {lead && !isPhone && <LeadMenu lead={lead} isInPanel />}
        </span>
      </div>
      <h2
        ref={title}
        id={titleId}
        tabIndex={-1}
        className="scroll-mt-6 text-lg leading-snug font-semibold wrap-anywhere text-ink"
      >
        {lead ? `${lead.first_name} ${lead.last_name}` : `Lead #${id}`}
      </h2>
      <Viewers key={id} lead={id} />
      <LoadError fallback="Failed to load the lead" {...{ error, isFetching }} onRetry={refetch} />
      {!lead && !error && <Skeleton className="mt-4 h-60 w-full" />}
      {lead && !(error && !data) && (
        <>
          <Contents lead={lead} details={data} retrying={retrying} />
          {isPhone && <LeadBar lead={lead} retrying={retrying} />}
        </>
      )}
    </aside>
  )
}

/** On a phone, holds the page behind the panel and makes it inert: the list keeps its place. Toasts stay in reach. */
function useSheet(panel: RefObject<HTMLElement | null>, isPhone: boolean): void {
  useEffect(() => {
    if (!isPhone) return
    const release = holdPage()
    const behind: HTMLElement[] = []
    for (let inner = panel.current; inner && inner !== document.body; inner = inner.parentElement) {
      for (const other of inner.parentElement?.children ?? []) {
        if (other !== inner && other instanceof HTMLElement && !other.inert && !other.matches('[aria-live]')) {
          behind.push(other)
        }
      }
    }
    for (const other of behind) other.inert = true
    return () => {
      for (const other of behind) other.inert = false
      release()
    }
  }, [isPhone, panel])
}

type ContentsProps = Pick<Props, 'retrying'> & { lead: ListedLead; details: LeadDetails | undefined }

function Contents({ lead, details, retrying }: ContentsProps) {
  const acts = useLeadActs()
  const can = useAccess()
  const providers = useProviders().data
  const isHeld = lead.held_reason !== null
  return (
    <div className="mt-1 grid grid-cols-[minmax(0,1fr)] gap-4 max-md:pb-6">
      <LeadWho lead={lead} timeZone={details?.time_zone} />
      {lead.is_test && (
        <p className="text-quiet">
          A test lead. Its emails go to {lead.email} only, and it is excluded from all figures.
        </p>
      )}
      {details && (details.opt_out.since || details.opt_out.clinics.length > 0) && (
        <Section title="Do not contact">
          <LeadOptOut lead={details} />
        </Section>
      )}
      {isHeld && <LeadDeliveries {...{ lead, retrying }} />}
      <Section title="Provider">
        <ProviderOfLead {...{ lead, details }} />
      </Section>
      <Section title="Outcome">
        <div className="grid justify-items-start gap-2">
          {hasOutcome(lead) ? (
            <OutcomeState lead={lead} isDated bookedFor={details?.booked_for} />
          ) : (
            <p className="text-quiet">{noOutcome(lead)}</p>
          )}
          {can('lead.work') && !isHeld && (
            <SmallButton onClick={() => acts.open(record, lead)}>Record an outcome...</SmallButton>
          )}
        </div>
      </Section>
      <Section title="Work">
        {details ? <LeadWork key={lead.id} lead={details} /> : <Skeleton className="h-24" />}
      </Section>
      <Section title="What happened">
        {!isHeld && <LeadDeliveries {...{ lead, retrying }} />}
        <LeadTimeline lead={lead} provider={nameOfProvider(lead, providers)} />
      </Section>
      {details && details.samePerson.length > 0 && (
        <Section title="Requests of this person">
          <LeadPerson lead={details} />
        </Section>
      )}
      <details className="group border-t border-line pt-3">
        <summary className="flex min-h-11 cursor-pointer items-center gap-2 font-semibold text-ink lg:min-h-8">
          <span aria-hidden="true" className="text-quiet transition-transform group-open:rotate-90">
            ›
          </span>
          Consent and origin
        </summary>
        <div className="mt-2 grid gap-4">{details ? <Evidence lead={details} /> : <Skeleton className="h-24" />}</div>
      </details>
    </div>
  )
}

function ProviderOfLead({ lead, details }: Omit<ContentsProps, 'retrying'>) {
  const acts = useLeadActs()
  const can = useAccess()
  const providers = useProviders().data
  const clinic = details?.clinic?.practiceName ?? details?.clinic?.name ?? nameOfProvider(lead, providers)
  const skipped = skippedSentence(lead, clinic)
  const mayPassOn = can('lead.work') && lead.answer && !lead.do_not_contact && !isSettled(lead.outcome)
  return (
    <div className="grid gap-1.5">
      <LeadProvider lead={lead} />
      {details?.clinic && details.provider_id === lead.provider_id && (
        <div className="grid">
          <Reach {...details.clinic} whose="the provider’s" />
        </div>
      )}
      <p className="text-quiet">{matchSentence(lead)}</p>
      {skipped && <p className="text-quiet">{skipped}.</p>}
      {mayPassOn && <PassOn lead={lead} />}
      {can('lead.manage') && lead.provider_id !== null && (
        <SmallButton className="justify-self-start" onClick={() => acts.open(match, lead)}>
          Change provider...
        </SmallButton>
      )}
    </div>
  )
}

function Evidence({ lead }: { lead: LeadDetails }) {
  const { consent, acceptance_consent, acceptance_message, acceptance_ip, request_id } = lead
  const { first, last } = lead.attribution
  const isSame = JSON.stringify(first) === JSON.stringify(last)
  const from = consent ? consent.ip : acceptance_ip
  return (
    <>
      <Group
        title="Consent record"
        facts={{
          Consent: `${acceptance_consent ? 'Given' : 'Not given'}${from ? ` from ${from}` : ''}`,
          At: consent && formatMoment(consent.given_at),
          By: consent?.channel && CHANNEL_WORDS[consent.channel],
          Wording: consent
            ? consent.wording || (consent.channel ? 'Not stated by the client' : 'Unknown wording')
            : acceptance_message,
          Version: consent?.wording_version ?? (consent?.wording ? `None: ${WORDING_OF_CLIENT}` : null),
          'SHA-256': consent?.wording_hash,
          Sharing: consent?.sharing_wording,
          'Sharing version': consent?.sharing_version,
          Page: consent?.page_url,
          Browser: consent?.user_agent,
        }}
      />
      {!first && !last && <Group title="Origin" facts={{ Visit: 'Not known' }} />}
      {first && <Group title={isSame ? 'First and last visit' : 'First visit'} facts={visitFacts(first)} />}
      {last && !isSame && <Group title="Last visit" facts={visitFacts(last)} />}
      {request_id && (
        <Group
          title="Request"
          facts={{
            'Request ID': (
              <span className="flex flex-wrap items-center justify-between gap-x-2">
                <code className="font-mono text-xs wrap-anywhere">{request_id}</code>
                <CopyButton text={request_id} what="the request ID" />
              </span>
            ),
          }}
        />
      )}
    </>
  )
}

type Visit = NonNullable<LeadDetails['attribution']['first']>

const visitFacts = (visit: Visit) => ({
  'Landing page': visit.landing_page,
  Referrer: visit.referrer,
  Source: visit.utm_source,
  Medium: visit.utm_medium,
  Campaign: visit.utm_campaign,
  Term: visit.utm_term,
  Content: visit.utm_content,
  'Ad network': visit.network,
})

function Group({ title, facts }: { title: string; facts: Record<string, ReactNode> }) {
  return (
    <div className="grid gap-2">
      <h4 className="font-semibold text-ink">{title}</h4>
      <Facts of={Object.entries(facts)} />
    </div>
  )
}
