import { useState } from 'react'
import type { AttentionReason, Funnel } from '../../../core/contract/funnel.ts'
import type { LeadFilter } from '../../../core/contract/leads.ts'
import { countOf, formatCount, formatShare } from '../../lib/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { ChartCard, LeadsLink } from './parts.tsx'

type Props = Pick<Funnel, 'attention' | 'totalAttention' | 'from' | 'to'>

const SHOWN_AT_FIRST = 6

/** Lists the clinics that need attention, each with its reasons and links to its leads. */
export function Attention({ attention, totalAttention, from, to }: Props) {
  const [showsAll, setShowsAll] = useState(false)
  if (attention.length === 0) {
    return (
      <ChartCard title="Clinics that need attention">
        <p className="text-quiet">No clinic is late, silent or cannot be reached by e-mail in this period.</p>
      </ChartCard>
    )
  }
  const rest = totalAttention - attention.length
  return (
    <ChartCard
      title="Clinics that need attention"
      note={`${countOf(totalAttention, 'clinic')}, those with the most reasons first.`}
    >
      <ul className="divide-y divide-line">
        {attention.slice(0, showsAll ? attention.length : SHOWN_AT_FIRST).map(({ providerId, name, reasons }) => (
          <li key={providerId} className="py-2.5 first:pt-0">
            <LeadsLink
              filter={{ provider_id: providerId, from, to }}
              className="inline-block py-0.5 font-semibold text-ink"
            >
              {name}
            </LeadsLink>
            <ul className="text-[0.9375rem] text-quiet">
              {reasons.map((reason) => (
                <li key={reason.kind}>
                  <Reason reason={reason} filter={{ provider_id: providerId, from, to }} />
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {attention.length > SHOWN_AT_FIRST && (
        <Button variant="ghost" size="small" className="mt-3" onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Show fewer' : `Show all ${formatCount(attention.length)}`}
        </Button>
      )}
      {showsAll && rest > 0 && <p className="text-sm text-quiet">{countOf(rest, 'more clinic')} not listed.</p>}
    </ChartCard>
  )
}

function Reason({ reason, filter }: { reason: AttentionReason; filter: LeadFilter }) {
  switch (reason.kind) {
    case 'late':
      return (
        <LeadsLink filter={{ ...filter, late: true }} className="inline-block py-0.5">
          {countOf(reason.leads, 'late answer')}
        </LeadsLink>
      )
    case 'refused':
      return (
        <LeadsLink filter={{ ...filter, email_status: 'failed' }} className="inline-block py-0.5">
          {countOf(reason.leads, 'e-mail')} refused
        </LeadsLink>
      )
    case 'silent':
      return <>No answer to its last {formatCount(reason.leads)} requests</>
    case 'declining':
      return (
        <>
          Books {formatShare(reason.share)} of its requests, {formatShare(reason.before)} in the period before
        </>
      )
  }
}
