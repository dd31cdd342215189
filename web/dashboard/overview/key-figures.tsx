import type { ReactNode } from 'react'
import type { LeadFilter } from '../../../core/contract/leads.ts'
import type { Overview } from '../../../core/contract/overview.ts'
import { countOf, formatCount, formatDuration, formatShare } from '../../lib/numbers.ts'
import { LeadsLink } from './parts.tsx'

type Figure = { name: string; value: string; note: ReactNode }

const NONE = '–'

/** Shows the six key figures of a period. */
export function KeyFigures({ overview }: { overview: Overview }) {
  return (
    <dl className="grid grid-cols-2 overflow-hidden rounded-2xl border border-line bg-line gap-px lg:grid-cols-3 xl:grid-cols-6">
      {figures(overview).map(({ name, value, note }) => (
        <div key={name} className="bg-background p-4">
          <dt className="text-sm text-quiet">{name}</dt>
          <dd className="mt-1 font-display text-3xl font-medium text-ink sm:text-4xl">{value}</dd>
          <dd className="mt-1 text-sm text-quiet">{note}</dd>
        </div>
      ))}
    </dl>
  )
}

function figures({ totals, deliveries, timeToDelivery, from, to }: Overview): Figure[] {
  const some = (count: number, what: string, filter: LeadFilter) => {
    const words = `${formatCount(count)} ${what}`
    return count === 0 ? words : <LeadsLink filter={{ ...filter, from, to }}>{words}</LeadsLink>
  }
  const { received, matched, unmatched, held, matchedShare } = totals
  const delivered = (status: 'email_status' | 'crm_sync_status') => {
    const { success, pending, failed } = deliveries[status === 'email_status' ? 'email' : 'crm']
    const settled = success + failed
    return {
      value: settled === 0 ? NONE : formatShare(success / settled),
      note: (
        <>
          {some(failed, 'failed', { [status]: 'failed' })},{' '}
          {some(pending, 'under way', { [status]: 'pending', held: false })}
        </>
      ),
    }
  }

  return [
    {
      name: 'Leads received',
      value: formatCount(received),
      note: some(held, 'held for review', { held: true }),
    },
    {
      name: 'Matched with a provider',
      value: matchedShare === null ? NONE : formatShare(matchedShare),
      note: (
        <>
          {formatCount(matched)} matched, {some(unmatched, 'unmatched', { unmatched: true })}
        </>
      ),
    },
    { name: 'E-mails delivered', ...delivered('email_status') },
    { name: 'Leads in the CRM', ...delivered('crm_sync_status') },
    { name: 'Time to the provider’s mailbox', ...time(timeToDelivery.email) },
    { name: 'Time to the CRM', ...time(timeToDelivery.crm) },
  ]
}

function time({ count, p50, p95 }: Overview['timeToDelivery']['email']) {
  if (p50 === null || p95 === null) return { value: NONE, note: 'None delivered yet' }
  return {
    value: formatDuration(p50),
    note: `Median of ${countOf(count, 'lead')}; 95% within ${formatDuration(p95)}`,
  }
}
