import { type FormEvent, useState } from 'react'
import {
  ERASURES_PER_PAGE,
  type ErasureNotice,
  type ErasureRequest,
  PersonQuery,
} from '../../../core/contract/privacy.ts'
import { byActor } from '../../lib/actors.ts'
import { formatMoment } from '../../lib/dates.ts'
import { Alert } from '../../ui/alert.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { LoadError } from '../../ui/load-error.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { Card, Person } from './person.tsx'
import { nameOf } from './person-form.tsx'
import { useErasures, useFindPerson, useRetryErasure } from './use-privacy.ts'

/** Shows the tab in which managers find, export and erase the data of a person. */
export function PrivacyPanel() {
  const find = useFindPerson()
  return (
    <div className="grid grid-cols-1 gap-4">
      <Card title="A person’s data" className="print:hidden">
        <p className="mt-1 max-w-prose text-quiet">
          Someone asks what we know about them, or wants it erased? Type their e-mail address or phone number. Make sure
          that the request really comes from them. Each search is in the activity log.
        </p>
        <FindForm isSearching={find.isPending} onFind={find.mutate} />
        {find.error && <Alert title="Failed to search">{find.error.message || 'The server is not responding.'}</Alert>}
      </Card>
      {find.data && <Person key={find.data.at} person={find.data} onErased={() => find.reset()} />}
      <div className={find.data && 'print:hidden'}>
        <ErasuresCard />
      </div>
    </div>
  )
}

function FindForm({ isSearching, onFind }: { isSearching: boolean; onFind: (contact: string) => void }) {
  const [contact, setContact] = useState('')
  const [error, setError] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const read = PersonQuery.safeParse({ contact })
    setError(read.error?.issues[0]?.message)
    if (read.success) onFind(read.data.contact)
  }
  return (
    <form onSubmit={submit} noValidate className="mt-4 flex flex-wrap items-start gap-x-3" aria-label="Find a person">
      <TextField
        label="E-mail address or phone number"
        className="w-96 max-w-full"
        autoComplete="off"
        value={contact}
        error={error}
        onChange={({ target }) => setContact(target.value)}
      />
      <Button type="submit" busy={isSearching} className="sm:mt-6">
        Find everything
      </Button>
    </form>
  )
}

/** Lists the erasures that persons asked for, with the state of the requests to CRM and clinics. */
function ErasuresCard() {
  const [page, setPage] = useState(1)
  const { data, error, isFetching, refetch } = useErasures(page)
  return (
    <section aria-labelledby="erasures" className="overflow-hidden rounded-2xl border border-line bg-background">
      <h2 id="erasures" className="px-4 pt-4 font-display text-2xl font-medium text-ink sm:px-6 sm:pt-6">
        Erasures on request
      </h2>
      <LoadError fallback="Failed to load the erasures" {...{ error, isFetching }} onRetry={refetch} />
      {!data && !error && <Skeleton className="m-6 h-20" />}
      {data?.total === 0 && (
        <p className="px-4 pt-1 pb-6 text-quiet sm:px-6">Nobody’s data was erased on request yet.</p>
      )}
      <ul className="mt-3 divide-y divide-line border-t border-line empty:hidden">
        {data?.erasures.map((request) => (
          <li key={request.id} className="px-4 py-4 sm:px-6">
            <h3 className="font-semibold text-ink">Erasure no. {request.id}</h3>
            <Receipt request={request} />
          </li>
        ))}
      </ul>
      {data && data.total > ERASURES_PER_PAGE && (
        <Pager
          noun="erasures"
          total={data.total}
          page={page}
          pages={Math.ceil(data.total / ERASURES_PER_PAGE)}
          onPage={setPage}
        />
      )}
    </section>
  )
}

/** Shows an erasure: its forms, its time, its actor, and the state of each request to CRM and clinics. */
function Receipt({ request }: { request: ErasureRequest }) {
  const retry = useRetryErasure(request.id)
  const hasFailed = request.forms.some(({ notices }) => notices.some(({ state }) => state === 'failed'))
  return (
    <>
      <p className="text-quiet">
        {formatMoment(request.at)}, {byActor(request)}. Deleted here for good:
      </p>
      <ul className="mt-1 grid gap-2">
        {request.forms.map((form) => (
          <li key={nameOf(form)} className="text-ink">
            {nameOf(form)}, sent {formatMoment(form.sent_at)}
            <ul className="grid gap-1 text-sm">
              {form.notices.map((notice) => (
                <Notice key={notice.to} notice={notice} />
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {hasFailed && (
        <Button
          variant="outline"
          size="small"
          className="mt-2 print:hidden"
          busy={retry.isPending}
          onClick={() => retry.mutate()}
        >
          Ask again<span className="sr-only"> about erasure no. {request.id}</span>
        </Button>
      )}
    </>
  )
}

const STATES: Record<ErasureNotice['state'], { label: string; tone: Tone }> = {
  waiting: { label: 'Being told', tone: 'wait' },
  enqueued: { label: 'Being told', tone: 'wait' },
  done: { label: 'Told to delete', tone: 'good' },
  cancelled: { label: 'Not needed', tone: 'neutral' },
  failed: { label: 'Not reached', tone: 'bad' },
}

function Notice({ notice: { to, state, error, at } }: { notice: ErasureNotice }) {
  const { label, tone } = STATES[state]
  return (
    <li className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <span>{to}</span>
      <Badge tone={tone}>{label}</Badge>
      <span className="text-quiet">{formatMoment(at)}</span>
      {error && (
        <span className={`w-full wrap-anywhere ${state === 'failed' ? 'text-bad' : 'text-quiet'}`}>{error}</span>
      )}
    </li>
  )
}
