import { CHANNEL_WORDS, WORDING_OF_CLIENT } from '../../../core/contract/consent.ts'
import type { LeadDetails } from '../../../core/contract/leads.ts'
import { formatMoment } from '../../lib/dates.ts'
import { CopyButton } from '../contact.tsx'

/** Shows the evidence of the visitor's consent to calls, e-mails and texts. */
export function ConsentRecord({ lead }: { lead: LeadDetails }) {
  const { consent, acceptance_consent, acceptance_message, acceptance_ip } = lead
  if (!consent) {
    const facts = {
      Consent: acceptance_consent ? 'Given' : 'Not given',
      Wording: acceptance_message,
      From: acceptance_ip,
    }
    return <FactList facts={facts} />
  }
  return (
    <FactList
      facts={{
        Consent: `${acceptance_consent ? 'Given' : 'Not given'}${consent.ip ? ` from ${consent.ip}` : ''}`,
        At: formatMoment(consent.given_at),
        By: consent.channel && CHANNEL_WORDS[consent.channel],
        Wording: consent.wording || (consent.channel ? 'The client stated none' : 'The form named none that we know'),
        Version: consent.wording_version ?? (consent.wording ? `None: ${WORDING_OF_CLIENT}` : null),
        'SHA-256': consent.wording_hash,
        Sharing: consent.sharing_wording,
        'Version of that': consent.sharing_version,
        Page: consent.page_url,
        Browser: consent.user_agent,
      }}
    />
  )
}

type Touch = NonNullable<LeadDetails['attribution']['first']>

/** Shows the visitor's first and last way to the site. */
export function Attribution({ attribution: { first, last } }: Pick<LeadDetails, 'attribution'>) {
  if (!first && !last) return <p className="text-sm text-quiet">Not known.</p>
  const isSame = JSON.stringify(first) === JSON.stringify(last)
  return (
    <div className="grid gap-4">
      {first && <TouchFacts title={isSame ? 'First and last visit' : 'First visit'} touch={first} />}
      {last && !isSame && <TouchFacts title="Last visit" touch={last} />}
    </div>
  )
}

function TouchFacts({ title, touch }: { title: string; touch: Touch }) {
  return (
    <div className="grid gap-2">
      <h4 className="text-sm font-semibold text-ink">{title}</h4>
      <FactList
        facts={{
          'Landing page': touch.landing_page,
          Referrer: touch.referrer,
          Source: touch.utm_source,
          Medium: touch.utm_medium,
          Campaign: touch.utm_campaign,
          Term: touch.utm_term,
          Content: touch.utm_content,
          'Ad network': touch.network,
        }}
      />
    </div>
  )
}

/** Shows by which id the logs name the request that brought a lead. */
export function RequestId({ id }: { id: string | null }) {
  if (id === null) return null
  return (
    <div className="grid grid-cols-[7rem_minmax(0,1fr)] items-baseline gap-x-3">
      <span className="text-quiet">Request ID</span>
      <span className="flex flex-wrap items-center justify-between gap-x-2 text-ink">
        <code className="font-mono text-xs wrap-anywhere">{id}</code>
        <CopyButton text={id} what="the request ID" />
      </span>
    </div>
  )
}

/** Lists facts by name; unknown ones are left out. */
function FactList({ facts }: { facts: Record<string, string | null | undefined> }) {
  return (
    <dl className="grid gap-2 text-sm">
      {Object.entries(facts).map(
        ([label, value]) =>
          value && (
            <div key={label} className="grid grid-cols-[7rem_1fr] gap-x-3">
              <dt className="text-quiet">{label}</dt>
              <dd className="min-w-0 wrap-anywhere text-ink">{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
