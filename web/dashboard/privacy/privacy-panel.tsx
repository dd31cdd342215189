import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { SECOND } from '../../../core/contract/time.ts'
import {
  ERASURES_PER_PAGE,
  type ErasureNotice,
  type ErasureRequest,
  erasePerson,
  findPerson,
  listErasures,
  type PersonForm,
  PersonQuery,
  type PersonRecord,
  retryErasure,
} from '../../../core/privacy/contract/privacy.ts'
import { byActor } from '../../lib/actors.ts'
import { act, call } from '../../lib/call.ts'
import { formatMoment } from '../../lib/dates.ts'
import { countOf } from '../../lib/numbers.ts'
import { ActionButton, ConfirmAction } from '../../ui/action-button.tsx'
import { Button, SmallButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Alert, Badge, type Tone } from '../../ui/feedback.tsx'
import { Loaded } from '../../ui/load-error.tsx'
import { Pager } from '../../ui/pager.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { Form, nameOf, Part } from './person-form.tsx'

/** The timeout of a search, in milliseconds. A person may have many requests, each with its history. */
const TIMEOUT = 60 * SECOND

export function PrivacyPanel() {
  const find = useMutation({
    mutationFn: (contact: string) => call(findPerson, { body: { contact }, timeout: TIMEOUT }),
    // What it found is not kept.
    gcTime: 0,
  })
  return (
    <div className="grid grid-cols-1 gap-4">
      <Card
        title="A person’s data"
        note="For a person who asks for their data or wants it erased. Enter their email address or phone number. Make sure that the request really comes from them. Each search is logged."
        className="print:hidden"
      >
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
        label="Email address or phone number"
        className="w-96 max-w-full"
        autoComplete="off"
        value={contact}
        error={error}
        onChange={({ target }) => setContact(target.value)}
      />
      <Button type="submit" busy={isSearching} className="sm:mt-6">
        Find data
      </Button>
    </form>
  )
}

function ErasuresCard() {
  const [page, setPage] = useState(1)
  const query = useQuery({
    queryKey: ['erasures', page],
    queryFn: () => call(listErasures, { query: { page, limit: ERASURES_PER_PAGE } }),
    placeholderData: keepPreviousData,
  })
  return (
    <Card title="Erasures on request" isFlush>
      <Loaded of={query} fallback="Failed to load the erasures" className="m-4 h-20">
        {({ total, erasures }) => (
          <>
            {total === 0 && <p className="px-4 pb-4 text-quiet">No erasures yet.</p>}
            <ul className="divide-y divide-line border-t border-line empty:hidden">
              {erasures.map((request) => (
                <Receipt key={request.id} request={request} />
              ))}
            </ul>
            {total > ERASURES_PER_PAGE && (
              <Pager noun="erasures" {...{ total, page, perPage: ERASURES_PER_PAGE }} onPage={setPage} />
            )}
          </>
        )}
      </Loaded>
    </Card>
  )
}

function Receipt({ request }: { request: ErasureRequest }) {
  const hasFailed = request.forms.some(({ notices }) => notices.some(({ state }) => state === 'failed'))
  return (
    <li className="px-4 py-4">
      <h3 className="font-semibold text-ink">Erasure no. {request.id}</h3>
      <p className="text-quiet">
        {formatMoment(request.at)}, {byActor(request)}. Deleted here permanently:
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
        <ActionButton
          className="mt-2 print:hidden"
          act={() => act(retryErasure, { params: { id: request.id } })}
          done="Asked again"
          failed="Failed to try again"
          changes="erasures"
        >
          Ask again<span className="sr-only"> about erasure no. {request.id}</span>
        </ActionButton>
      )}
    </li>
  )
}

const STATES: Record<ErasureNotice['state'], { label: string; tone: Tone }> = {
  waiting: { label: 'Being notified', tone: 'wait' },
  enqueued: { label: 'Being notified', tone: 'wait' },
  done: { label: 'Asked to delete', tone: 'good' },
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

type Props = {
  person: PersonRecord
  onErased: () => void
}

const STOPPED: Record<PersonRecord['do_not_contact'][number]['reason'], string> = {
  link: 'with the link in an email',
  staff: 'noted by staff',
  stop: 'a STOP that staff entered',
  clinic: 'reported by a provider',
}

const keyOf = ({ kind, id }: Pick<PersonForm, 'kind' | 'id'>) => `${kind} ${id}`

function Person({ person, onErased }: Props) {
  const { contact, at, forms, erased, do_not_contact } = person
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set())
  const chosen = forms.filter((form) => !kept.has(keyOf(form)))
  const toggle = (key: string) =>
    setKept((before) => new Set(before.has(key) ? [...before].filter((one) => one !== key) : [...before, key]))

  return (
    <Card
      title={`Data stored about ${contact}`}
      action={
        forms.length > 0 && (
          <div className="flex flex-wrap gap-2 print:hidden">
            <SmallButton onClick={() => saveJson(person)}>Download as JSON</SmallButton>
            <SmallButton onClick={() => window.print()}>Print</SmallButton>
            <EraseButton contact={contact} forms={chosen} onErased={onErased} />
          </div>
        )
      }
    >
      <p className="text-quiet">
        {forms.length > 0 ? `${countOf(forms.length, 'form')} found` : 'Nothing is stored about this person'}, as of{' '}
        {formatMoment(at)}.
      </p>
      {forms.map((form) => (
        <Form key={keyOf(form)} form={form} isChosen={!kept.has(keyOf(form))} onToggle={() => toggle(keyOf(form))} />
      ))}
      <Part
        title="Asked not to be contacted"
        lines={do_not_contact.map(({ kind, reason, created_at, lifted_at, lifted_because }) => {
          const lifted = lifted_at ? `; contact was allowed again ${formatMoment(lifted_at)} (${lifted_because})` : ''
          const by = kind === 'email' ? 'email address' : 'phone number'
          return `${formatMoment(created_at)}, by ${by}: ${STOPPED[reason]}${lifted}.`
        })}
      />
      <Part
        title="Erased before"
        lines={erased.map((form) => {
          const when = `sent ${formatMoment(form.sent_at)}, was deleted permanently ${formatMoment(form.erased_at)}`
          return `${nameOf(form)}, ${when}.`
        })}
      />
    </Card>
  )
}

function EraseButton({ contact, forms, onErased }: Pick<PersonRecord, 'contact' | 'forms'> & Pick<Props, 'onErased'>) {
  const client = useQueryClient()
  const clinics = [...new Set(forms.flatMap(({ clinics: given }) => given.map(({ name }) => name)))]
  return (
    <ConfirmAction
      label={forms.length > 0 ? `Erase ${countOf(forms.length, 'form')}` : 'Erase'}
      button={{ variant: 'danger', disabled: forms.length === 0 }}
      title={`Erase ${countOf(forms.length, 'form')} of ${contact}?`}
      confirmLabel="Erase permanently"
      act={() =>
        call(erasePerson, {
          body: { contact, forms: forms.map(({ kind, id }) => ({ kind, id })) },
          timeout: TIMEOUT,
        })
      }
      done={({ id, forms: erased }: ErasureRequest) => {
        onErased()
        for (const key of ['leads', 'applications']) void client.invalidateQueries({ queryKey: [key] })
        return `Erasure no. ${id}: ${countOf(erased.length, 'form')} permanently deleted`
      }}
      failed="Failed to erase"
      changes="erasures"
    >
      This permanently deletes everything below.{' '}
      {clinics.length > 0 && `By email we ask ${clinics.join(', ')} to delete it as well. `}A CRM that has the person is
      asked, too.
    </ConfirmAction>
  )
}

/** Saves the record as a file whose name does not tell the person's. */
function saveJson(person: PersonRecord): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(person, null, 2)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `personal-data-${person.at.slice(0, 10)}.json`
  link.click()
  URL.revokeObjectURL(url)
}
