import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router-dom'
import { aboutMiles, dialable, formatPhone } from '../../core/contract/texts.ts'
import * as calls from '../../core/providers/contract/clinic.ts'
import { call } from '../lib/call.ts'
import { formatDeadline, formatMinute, formatSince } from '../lib/dates.ts'
import { buttonClass } from '../ui/button.tsx'
import { Badge, type Tone } from '../ui/feedback.tsx'
import { Loaded } from '../ui/load-error.tsx'
import { Pager } from '../ui/pager.tsx'
import { ChoiceButtons } from '../ui/tabs.tsx'
import { answerInWords } from './answer-form.tsx'
import { CallLink } from './clinic-shell.tsx'

const REQUESTS = 'clinic-requests'

const FILTERS = { open: 'Not answered', answered: 'Answered', booked: 'Booked', all: 'All' } as const
type Filter = keyof typeof FILTERS

export function RequestsTab() {
  const { show, page, goTo } = useAddress()
  const list = useQuery({
    queryKey: [REQUESTS, show, page],
    queryFn: () => call(calls.listClinicRequests, { query: { show, page } }),
    placeholderData: keepPreviousData,
    // Somebody else of the clinic may answer, too.
    refetchInterval: 60_000,
    refetchOnWindowFocus: true,
    staleTime: 0,
  })
  const open = list.data?.open
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <ChoiceButtons
          legend="Requests to show"
          options={Object.entries({
            ...FILTERS,
            open: open === undefined ? FILTERS.open : `${FILTERS.open} (${open})`,
          })}
          chosen={show}
          size="medium"
          onChoose={(id) => goTo({ show: id as Filter, page: 1 })}
        />
        <a href={calls.exportClinicRequests.path} download className={buttonClass({ variant: 'outline' })}>
          Export as CSV
        </a>
      </div>
      <Loaded of={list} fallback="Your requests could not be loaded." className="h-60 w-full">
        {({ requests, total }) => (
          <div className="rounded-2xl border border-line bg-white">
            {requests.length === 0 && <p className="px-6 py-14 text-center text-quiet">{EMPTY[show]}</p>}
            <ul className="divide-y divide-line">
              {requests.map((request) => (
                <Request key={request.id} request={request} />
              ))}
            </ul>
            {total > calls.REQUESTS_PER_PAGE && (
              <Pager
                noun="requests"
                {...{ total, page }}
                perPage={calls.REQUESTS_PER_PAGE}
                onPage={(next) => goTo({ show, page: next })}
              />
            )}
          </div>
        )}
      </Loaded>
    </div>
  )
}

const EMPTY: Record<Filter, string> = {
  open: 'Every request has your answer. Thank you.',
  answered: 'You have not answered a request yet.',
  booked: 'No request is booked yet.',
  all: 'No request has come to your clinic yet.',
}

function useAddress() {
  const [params, setParams] = useSearchParams()
  const asked = params.get('show') ?? 'open'
  const show: Filter = asked in FILTERS ? (asked as Filter) : 'open'
  const page = Math.max(1, Math.trunc(Number(params.get('page'))) || 1)
  const goTo = (next: { show: Filter; page: number }) =>
    setParams({ tab: 'requests', show: next.show, ...(next.page > 1 && { page: String(next.page) }) })
  return { show, page, goTo }
}

function Request({ request }: { request: calls.ClinicRequest }) {
  const { id, url, first_name, last_name, phone, email, zip_code, city, state, time_zone, miles, received_at, note } =
    request
  const name = `${first_name} ${last_name}`
  const dial = dialable(phone)
  const calledAt = time_zone === null ? null : { name: city ?? `zip ${zip_code}`, state, timeZone: time_zone }
  const place = [
    city && state ? `${city}, ${state} ${zip_code}` : zip_code,
    miles === null ? '' : `${aboutMiles(miles)} from your clinic`,
  ]
  return (
    <li className="grid gap-3 p-4 sm:grid-cols-[1fr_auto] sm:px-6">
      <div className="grid min-w-0 gap-0.5">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <strong className="font-semibold text-ink wrap-anywhere" dir="auto">
            {name}
          </strong>
          <State request={request} />
        </p>
        {request.do_not_contact ? (
          <p className="text-bad">
            {request.reason === 'wrong_person'
              ? 'This number belongs to someone else. Please do not call it.'
              : 'This person has asked not to be contacted. Please do not call.'}
          </p>
        ) : (
          <p className="flex flex-wrap gap-x-4 wrap-anywhere">
            <span>{formatPhone(phone)}</span>
            <a
              className="inline-block min-h-6 underline underline-offset-3"
              href={`mailto:${encodeURIComponent(email)}`}
            >
              {email}
            </a>
          </p>
        )}
        <p className="text-sm text-quiet">{place.filter(Boolean).join(', ')}</p>
        <p className="text-sm text-quiet">
          No. {id}, received <time dateTime={received_at}>{formatMinute(received_at)}</time>
        </p>
        {note && (
          <p className="text-sm text-ink wrap-anywhere" dir="auto">
            “{note}”
          </p>
        )}
      </div>
      {!request.do_not_contact && (
        <div className="flex gap-2 self-center">
          {dial !== null && (
            <CallLink dial={dial} place={calledAt} className={buttonClass({ variant: 'outline' })}>
              Call <span className="sr-only">{name}</span>
            </CallLink>
          )}
          <a href={url} className={buttonClass({ variant: isAnswered(request) ? 'outline' : 'primary' })}>
            {isAnswered(request) ? 'Change answer' : 'Answer'} <span className="sr-only">for {name}</span>
          </a>
        </div>
      )}
    </li>
  )
}

const isAnswered = ({ outcome }: calls.ClinicRequest) => outcome !== null && outcome !== 'opened'

const TONES: Partial<Record<NonNullable<calls.ClinicRequest['outcome']>, Tone>> = {
  reached: 'good',
  booked: 'good',
  attended: 'good',
  treated: 'good',
  opted_out: 'bad',
}

function State({ request }: { request: calls.ClinicRequest }) {
  const { outcome, reason, booked_for, answer } = request
  if (outcome !== null && outcome !== 'opened') {
    return <Badge tone={TONES[outcome] ?? 'neutral'}>{answerInWords({ kind: outcome, reason, booked_for })}</Badge>
  }
  if (!answer?.due_at) return <Badge>Not answered</Badge>
  const isLate = Date.parse(answer.due_at) < Date.now()
  return isLate ? (
    <Badge tone="bad">Late: due {formatSince(answer.due_at)}</Badge>
  ) : (
    <Badge tone="wait">Answer by {formatDeadline(answer.due_at)}</Badge>
  )
}
