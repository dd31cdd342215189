import { Link } from 'react-router-dom'
import { milesInWords } from '../../../core/contract/texts.ts'
import { jobLabel } from '../../../core/deliveries/contract/jobs.ts'
import type { OutcomeReason } from '../../../core/leads/contract/outcomes.ts'
import {
  type ClinicMail,
  MIN_REQUESTS,
  type ProviderRecord,
  RECORD_DAYS,
  removeProviderPerson,
} from '../../../core/providers/contract/provider-record.ts'
import { act } from '../../lib/call.ts'
import { formatDay, formatMoment } from '../../lib/dates.ts'
import { countOf, formatCount, formatDuration, formatShare } from '../../lib/numbers.ts'
import { ConfirmAction } from '../../ui/action-button.tsx'
import { Card } from '../../ui/card.tsx'
import { useAccess } from '../access.tsx'
import { Bars, DataTable, type Figure, MIN_WHOLE, NONE, rateOf, Tiles } from '../overview/parts.tsx'
import { HealthDot, healthWords } from '../provider-link.tsx'

type Figures = Pick<ProviderRecord, 'figures'>

export function RecordFigures({ figures }: Figures) {
  const { clinics } = figures.network
  const network =
    clinics > 0
      ? `Network: the median of ${countOf(clinics, 'provider')} with at least ${MIN_REQUESTS} requests.`
      : `No provider has ${MIN_REQUESTS} requests to compare with.`
  return (
    <Card
      title={`Figures of ${RECORD_DAYS} days`}
      note={`Requests of the last ${RECORD_DAYS} days that the provider has now. ${network}`}
    >
      <Tiles of={figuresOf(figures)} className="grid-cols-2 md:grid-cols-5" />
    </Card>
  )
}

function figuresOf({ own, network }: ProviderRecord['figures']): Figure[] {
  const ofRequests = (name: string, count: number, median: number | null): Figure => ({
    name,
    value: rateOf(count, own.requests),
    notes: [
      own.requests >= MIN_WHOLE && `${formatCount(count)} of ${formatCount(own.requests)}`,
      beside(median, formatShare),
    ],
  })
  const settled = own.delivered + own.failed
  return [
    {
      name: 'Requests',
      value: formatCount(own.requests),
      notes: [beside(network.requests, (count) => formatCount(Math.round(count)))],
    },
    {
      name: 'Delivered to the provider',
      value: rateOf(own.delivered, settled),
      notes: [settled === 0 ? 'No email settled yet' : `${formatCount(own.failed)} failed`],
    },
    ofRequests('Opened', own.opened, network.opened),
    ofRequests('Reached', own.reached, network.reached),
    ofRequests('Booked', own.booked, network.booked),
    {
      name: 'Time to first answer',
      value: own.answer_time === null ? NONE : formatDuration(own.answer_time),
      notes: [own.answer_time === null ? 'No answer yet' : 'Median', beside(network.answer_time, formatDuration)],
    },
    {
      name: 'Answered in time',
      value: rateOf(own.in_time, own.timed),
      notes: [
        own.timed >= MIN_WHOLE && `${formatCount(own.in_time)} of ${formatCount(own.timed)}`,
        beside(network.in_time, formatShare),
      ],
    },
    {
      name: 'Declined',
      value: formatCount(own.declined.reduce((sum, { count }) => sum + count, 0)),
      notes: own.declined.map(({ reason, count }) => `${formatCount(count)} ${REASONS[reason]}`),
    },
    {
      name: 'Complaints',
      value: formatCount(own.opted_out + own.not_called),
      notes: [
        own.opted_out > 0 && `${formatCount(own.opted_out)} asked for no more contact`,
        own.not_called > 0 && `${formatCount(own.not_called)} not called, as visitors say`,
      ],
    },
    {
      name: 'Distance',
      value: own.distance.p50 === null ? NONE : milesInWords(own.distance.p50),
      notes: [
        own.distance.p90 !== null && `Median; 90% within ${milesInWords(own.distance.p90)}`,
        beside(network.distance, milesInWords),
      ],
    },
  ]
}

const beside = (median: number | null, format: (value: number) => string) =>
  median !== null && `Network: ${format(median)}`

const REASONS: Record<OutcomeReason, string> = {
  no_capacity: 'no capacity',
  too_far: 'too far away',
  not_a_fit: 'not a fit',
  price: 'price',
  wants_other_clinic: 'wants another provider',
  no_longer_wanted: 'no longer wanted',
  other: 'other reasons',
  asked_to_stop: 'asked to stop',
  wrong_person: 'wrong person',
}

const MONTH = new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' })

export function RecordMonths({ months }: Pick<ProviderRecord, 'months'>) {
  const max = Math.max(...months.map(({ requests }) => requests))
  if (months.length === 0) return null
  return (
    <Card title="By month" note="Requests by the month they came in. Thick bars are requests, thin bars booked ones.">
      <DataTable
        caption="Requests by month"
        columns={['Month', 'Requests', 'Reached', 'Booked', 'Came', 'In time']}
        rows={months.map(({ month, requests, reached, booked, came, timed, in_time }) => ({
          key: month,
          cells: [
            <span key="month" className="grid items-center gap-x-3 sm:grid-cols-[4.5rem_minmax(0,1fr)] sm:min-w-60">
              {MONTH.format(new Date(month))}
              <Bars of={[requests, booked]} max={max} />
            </span>,
            ...[requests, reached, booked, came].map(formatCount),
            rateOf(in_time, timed),
          ],
        }))}
      />
    </Card>
  )
}

export function RecordHealth({ health, mails, address }: Pick<ProviderRecord, 'health' | 'mails' | 'address'>) {
  const refused = mails.find(({ error }) => error !== null)
  return (
    <Card title="Delivery health">
      <p className="flex flex-wrap items-center gap-x-2 wrap-anywhere text-quiet">
        {health.state !== 'none' && (
          <span aria-hidden="true" className="inline-flex">
            <HealthDot health={health} />
          </span>
        )}
        <span className={health.state === 'bouncing' ? 'font-semibold text-bad' : 'text-ink'}>
          {healthWords(health)}
        </span>
        <span>{address}</span>
      </p>
      {mails.length > 0 && (
        <ol aria-label="Last emails, the oldest first" className="mt-3 flex flex-wrap gap-1">
          {mails.toReversed().map((mail) => (
            <li key={mail.id}>
              <MailDot mail={mail} />
            </li>
          ))}
        </ol>
      )}
      {refused && (
        <div className="mt-3 grid gap-1 rounded-lg bg-mist px-3 py-2 text-sm wrap-anywhere">
          <p>
            <span className="text-quiet">{formatMoment(refused.at)}: </span>
            {refused.error}
          </p>
          {refused.detail && <p className="text-ink">The mail server said: “{refused.detail}”</p>}
        </div>
      )}
    </Card>
  )
}

const DOTS: Record<ClinicMail['state'], { words: string; sign: string; look: string }> = {
  delivered: { words: 'delivered', sign: '✓', look: 'bg-good-soft text-good' },
  failed: { words: 'failed', sign: '✕', look: 'bg-bad-soft text-bad' },
  retrying: { words: 'failed, is tried again', sign: '↻', look: 'bg-wait-soft text-wait' },
}

function MailDot({ mail: { purpose, lead_id, at, state } }: { mail: ClinicMail }) {
  const { words, sign, look } = DOTS[state]
  const label = `${formatMoment(at)}: ${words}. ${jobLabel({ name: 'send-email', purpose })}`
  const dot = `grid size-7 place-content-center rounded-full text-sm font-semibold ${look}`
  const contents = (
    <>
      <span aria-hidden="true">{sign}</span>
      <span className="sr-only">{label}</span>
    </>
  )
  if (lead_id === null) {
    return (
      <span title={label} className={dot}>
        {contents}
      </span>
    )
  }
  return (
    <Link to={{ search: `?tab=leads&lead=${lead_id}` }} title={label} className={dot}>
      {contents}
    </Link>
  )
}

type Props = { record: Pick<ProviderRecord, 'provider' | 'people'> }
const GETS = { requests: 'gets the leads', late: 'gets notices of late answers' }

export function RecordPeople({ record: { provider, people } }: Props) {
  const can = useAccess()
  return (
    <ul aria-label="People of the provider" className="grid gap-2 text-[0.9375rem] wrap-anywhere">
      {people.map(({ id, email, gets, added_at, added_by, confirmed_at }) => (
        <li key={email} className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span>
            <strong className="font-semibold text-ink">{email}</strong>{' '}
            {gets ? GETS[gets] : 'gets no emails about leads'}.{' '}
            {id === null ? 'It is the address in WordPress.' : `Added by ${added_by} on ${formatDay(added_at)}.`}
            {id !== null && !confirmed_at && ' Has not signed in yet.'}
          </span>
          {can('provider.manage') && id !== null && (
            <ConfirmAction
              label="Remove"
              title={`Remove ${email}?`}
              danger
              act={() => act(removeProviderPerson, { params: { providerId: provider.id, id } })}
              done="Person removed"
              failed="Failed to remove the person"
              changes="providers"
            >
              This person can no longer sign in to the provider’s pages.
              {gets === 'requests' &&
                ` Leads go to ${provider.email}, the address in WordPress, and the person is notified.`}
            </ConfirmAction>
          )}
        </li>
      ))}
    </ul>
  )
}
