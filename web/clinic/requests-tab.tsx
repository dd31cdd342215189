import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { InputOf } from '../../core/contract/call.ts'
import { dialable } from '../../core/contract/phones.ts'
import { AnswerForm as TypedForm } from '../../core/leads/contract/outcomes.ts'
import * as calls from '../../core/providers/contract/clinic.ts'
import { act, call } from '../lib/call.ts'
import { formatMinute, formatSince } from '../lib/dates.ts'
import { HttpError, sentenceOf } from '../lib/http.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { FormButtons } from '../ui/confirm.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Badge, type Tone } from '../ui/feedback.tsx'
import { Loaded } from '../ui/load-error.tsx'
import { Pager } from '../ui/pager.tsx'
import { ChoiceButtons } from '../ui/tabs.tsx'
import { AnswerFields, answerInWords, distanceInWords, STOP_WORDS } from './answer-form.tsx'
import { CallLink } from './clinic-shell.tsx'

const REQUESTS = 'clinic-requests'

const FILTERS = { open: 'Not answered', answered: 'Answered', booked: 'Booked', all: 'All' } as const
type Filter = keyof typeof FILTERS

export function RequestsTab() {
  const { show, page, goTo } = useAddress()
  const [answering, setAnswering] = useState<calls.ClinicRequest>()
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
                <Request key={request.id} request={request} onAnswer={() => setAnswering(request)} />
              ))}
            </ul>
            {total > calls.REQUESTS_PER_PAGE && (
              <Pager
                noun="requests"
                {...{ total, page }}
                pages={Math.ceil(total / calls.REQUESTS_PER_PAGE)}
                onPage={(next) => goTo({ show, page: next })}
              />
            )}
          </div>
        )}
      </Loaded>
      {answering && <AnswerDialog request={answering} onClose={() => setAnswering(undefined)} />}
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

function Request({ request, onAnswer }: { request: calls.ClinicRequest; onAnswer: () => void }) {
  const { id, first_name, last_name, phone, email, zip_code, city, state, time_zone, miles, received_at, note } =
    request
  const dial = dialable(phone)
  const calledAt = time_zone === null ? null : { name: city ?? `zip ${zip_code}`, state, timeZone: time_zone }
  const place = [
    city && state ? `${city}, ${state} ${zip_code}` : zip_code,
    miles === null ? '' : distanceInWords(miles),
  ]
  return (
    <li className="grid gap-3 p-4 sm:grid-cols-[1fr_auto] sm:px-6">
      <div className="grid min-w-0 gap-0.5">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <strong className="font-semibold text-ink wrap-anywhere" dir="auto">
            {first_name} {last_name}
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
            {dial === null ? (
              <span>{phone}</span>
            ) : (
              <CallLink dial={dial} place={calledAt} className="inline-block min-h-6 underline underline-offset-3">
                {phone}
              </CallLink>
            )}
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
        <Button variant="outline" className="self-center justify-self-start" onClick={onAnswer}>
          {isAnswered(request) ? 'Change answer' : 'Answer'}
          <span className="sr-only">
            {' '}
            for {first_name} {last_name}
          </span>
        </Button>
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
    <Badge tone="wait">Answer by {formatMinute(answer.due_at)}</Badge>
  )
}

function AnswerDialog({ request, onClose }: { request: calls.ClinicRequest; onClose: () => void }) {
  const client = useQueryClient()
  const [stop, setStop] = useState<{ answer: keyof typeof STOP_WORDS; note?: string }>()
  const [errors, setErrors] = useState<Record<string, string>>({})
  const answering = useMutation({
    mutationFn: (body: InputOf<typeof calls.answerClinicRequest>['body']) =>
      act(calls.answerClinicRequest, { params: { id: request.id }, body }),
    onSuccess: () => {
      void client.invalidateQueries()
      onClose()
    },
    onError: (error) => setErrors((error instanceof HttpError && error.fields) || { answer: sentenceOf(error) }),
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const typed = TypedForm.safeParse(Object.fromEntries(new FormData(event.currentTarget)))
    if (!typed.success) {
      setErrors(
        Object.fromEntries(typed.error.issues.map(({ path, message }) => [String(path[0] ?? 'answer'), message])),
      )
      return
    }
    setErrors({})
    const { answer, ...rest } = typed.data
    if (answer === 'stop' || answer === 'wrong_person') setStop({ answer, note: rest.note })
    else answering.mutate({ ...rest, kind: answer })
  }

  const name = `${request.first_name} ${request.last_name}`
  if (stop) {
    const { title, text, button } = STOP_WORDS[stop.answer]
    const reason = stop.answer === 'stop' ? 'asked_to_stop' : 'wrong_person'
    return (
      <Dialog title={title} onClose={onClose} className="w-xl max-w-full p-6">
        <p className="mt-3 wrap-anywhere">
          {name}, request no. {request.id}
        </p>
        <p className="mt-3">{text}</p>
        <div className="mt-6 flex flex-wrap justify-end gap-3">
          <Button variant="outline" onClick={() => setStop(undefined)}>
            Back
          </Button>
          <Button
            variant="danger"
            busy={answering.isPending}
            onClick={() => answering.mutate({ kind: 'opted_out', reason, note: stop.note })}
          >
            {button}
          </Button>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog title={`How did ${name}’s request go?`} onClose={onClose} className="w-xl max-w-full p-6">
      <form onSubmit={submit} noValidate className="mt-4 grid gap-4">
        <AnswerFields typed={{}} errors={errors} />
        <FormButtons submit="Send the answer" busy={answering.isPending} onClose={onClose} />
      </form>
    </Dialog>
  )
}
