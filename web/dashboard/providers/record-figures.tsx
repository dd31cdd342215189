import { type ReactNode, useId, useState } from 'react'
import type { OutcomeReason } from '../../../core/leads/contract/outcomes.ts'
import { MIN_REQUESTS, type ProviderRecord, RECORD_PERIODS } from '../../../core/providers/contract/provider-record.ts'
import { milesInWords } from '../../lib/distance.ts'
import { countOf, formatCount, formatDuration, formatShare } from '../../lib/text.ts'
import { Button } from '../../ui/button.tsx'

type Period = ProviderRecord['periods'][number]

/** Shows the figures of a clinic for 30 or 90 days, beside those of the network. */
export function RecordFigures({ periods }: Pick<ProviderRecord, 'periods'>) {
  const id = useId()
  const [days, setDays] = useState<Period['days']>(RECORD_PERIODS[0])
  const period = periods.find((each) => each.days === days)
  if (!period) return null
  const { clinics } = period.network
  return (
    <section aria-labelledby={id}>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h3 id={id} className="font-display text-xl font-medium text-ink">
          Figures
        </h3>
        <div className="flex gap-2">
          {RECORD_PERIODS.map((each) => (
            <Button
              key={each}
              variant={each === days ? 'primary' : 'outline'}
              size="small"
              aria-pressed={each === days}
              onClick={() => setDays(each)}
            >
              {each} days
            </Button>
          ))}
        </div>
      </div>
      <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-2xl border border-line bg-line md:grid-cols-3 xl:grid-cols-5">
        {figuresOf(period).map(({ name, value, notes }) => (
          <div key={name} className="bg-background p-4 md:max-xl:last:col-span-3">
            <dt className="text-sm text-quiet">{name}</dt>
            <dd className="mt-1 font-display text-2xl font-medium wrap-anywhere text-ink sm:text-3xl">{value}</dd>
            {notes.filter(Boolean).map((note, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the notes of a figure have a fixed order
              <dd key={index} className="mt-1 text-sm text-quiet">
                {note}
              </dd>
            ))}
          </div>
        ))}
      </dl>
      <p className="mt-2 text-sm text-quiet">
        Requests of the last {days} days that the clinic has now.{' '}
        {clinics > 0
          ? `Network: the median of ${countOf(clinics, 'clinic')} with at least ${MIN_REQUESTS} requests.`
          : `No clinic has ${MIN_REQUESTS} requests to compare with.`}
      </p>
    </section>
  )
}

const NONE = '–'
type Figure = { name: string; value: string; notes: ReactNode[] }

function figuresOf({ own, network }: Period): Figure[] {
  const ofRequests = (name: string, count: number, median: number | null): Figure => ({
    name,
    value: share(count, own.requests),
    notes: [own.requests > 0 && `${formatCount(count)} of ${formatCount(own.requests)}`, beside(median, formatShare)],
  })
  const settled = own.delivered + own.failed
  return [
    {
      name: 'Requests',
      value: formatCount(own.requests),
      notes: [beside(network.requests, (count) => formatCount(Math.round(count)))],
    },
    {
      name: 'Delivered to the clinic',
      value: share(own.delivered, settled),
      notes: [settled === 0 ? 'No e-mail settled yet' : `${formatCount(own.failed)} failed`],
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
      value: share(own.in_time, own.timed),
      notes: [
        own.timed > 0 && `${formatCount(own.in_time)} of ${formatCount(own.timed)}`,
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

const share = (part: number, whole: number) => (whole === 0 ? NONE : formatShare(part / whole))
const beside = (median: number | null, format: (value: number) => string) =>
  median !== null && `Network: ${format(median)}`

const REASONS: Record<OutcomeReason, string> = {
  no_capacity: 'no capacity',
  too_far: 'too far away',
  not_a_fit: 'not a fit',
  price: 'price',
  wants_other_clinic: 'wants another clinic',
  no_longer_wanted: 'no longer wanted',
  other: 'other reasons',
  asked_to_stop: 'asked to stop',
  wrong_person: 'wrong person',
}
