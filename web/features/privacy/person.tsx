import { type ReactNode, useState } from 'react'
import type { AuditLine } from '../../../core/contract/audit-log.ts'
import type { PersonForm, PersonRecord } from '../../../core/contract/privacy.ts'
import { actorName } from '../../lib/actors.ts'
import { formatMoment } from '../../lib/dates.ts'
import { countOf } from '../../lib/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { jobLabel, jobState } from '../../ui/job-labels.ts'
import { useErasePerson } from './use-privacy.ts'

type Props = {
  person: PersonRecord
  describeAct: (line: AuditLine) => string
  onErased: () => void
}

const keyOf = ({ kind, id }: Pick<PersonForm, 'kind' | 'id'>) => `${kind} ${id}`
export const nameOf = ({ kind, id }: Pick<PersonForm, 'kind' | 'id'>) =>
  `${kind === 'lead' ? 'Request' : 'Application'} no. ${id}`

/** Everything about a person, to read, to hand out, and to erase. */
export function Person({ person, describeAct, onErased }: Props) {
  const { contact, at, forms, erased, do_not_contact } = person
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set())
  const chosen = forms.filter((form) => !kept.has(keyOf(form)))
  const toggle = (key: string) =>
    setKept((before) => new Set(before.has(key) ? [...before].filter((one) => one !== key) : [...before, key]))

  return (
    <Card
      title={`What we know about ${contact}`}
      actions={
        forms.length > 0 && (
          <div className="flex flex-wrap gap-2 print:hidden">
            <Button variant="outline" size="small" onClick={() => saveJson(person)}>
              Download as JSON
            </Button>
            <Button variant="outline" size="small" onClick={() => window.print()}>
              Print
            </Button>
            <EraseButton contact={contact} forms={chosen} onErased={onErased} />
          </div>
        )
      }
    >
      <p className="mt-1 text-quiet">
        {forms.length > 0 ? `${countOf(forms.length, 'form')} found` : 'Nothing is stored about this person'}, as of{' '}
        {formatMoment(at)}.
      </p>
      {forms.map((form) => (
        <Form
          key={keyOf(form)}
          form={form}
          describeAct={describeAct}
          isChosen={!kept.has(keyOf(form))}
          onToggle={() => toggle(keyOf(form))}
        />
      ))}
      <Part title="Asked not to be contacted">
        {do_not_contact.map(({ id, kind, created_at, lifted_at }) => (
          <li key={id}>
            {formatMoment(created_at)}, by {kind === 'email' ? 'e-mail address' : 'phone number'}
            {lifted_at && `; contact was allowed again ${formatMoment(lifted_at)}`}.
          </li>
        ))}
      </Part>
      {erased.length > 0 && (
        <Part title="Erased before">
          {erased.map((form) => (
            <li key={keyOf(form)}>
              {nameOf(form)}, sent {formatMoment(form.sent_at)}, was deleted for good {formatMoment(form.erased_at)}.
            </li>
          ))}
        </Part>
      )}
    </Card>
  )
}

/** A white card with a heading. */
export function Card({
  title,
  actions,
  className = '',
  children,
}: {
  title: string
  actions?: ReactNode
  className?: string
  children: ReactNode
}) {
  return (
    <section className={`rounded-2xl border border-line bg-white p-4 sm:p-6 ${className}`}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-display text-2xl font-medium wrap-anywhere text-ink">{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  )
}

function EraseButton({ contact, forms, onErased }: Pick<PersonRecord, 'contact' | 'forms'> & Pick<Props, 'onErased'>) {
  const [isAsking, setAsking] = useState(false)
  const erase = useErasePerson(onErased)
  const clinics = [...new Set(forms.flatMap(({ clinic }) => clinic?.name ?? []))]
  return (
    <>
      <Button variant="danger" size="small" disabled={forms.length === 0} onClick={() => setAsking(true)}>
        Erase {forms.length > 0 && countOf(forms.length, 'form')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={`Erase ${countOf(forms.length, 'form')} of ${contact}?`}
          confirmLabel="Erase for good"
          busy={erase.isPending}
          onConfirm={() => erase.mutate({ contact, forms }, { onSettled: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        >
          This deletes everything below for good. It cannot be undone.{' '}
          {clinics.length > 0 && `By e-mail we ask ${clinics.join(', ')} to delete it as well. `}A CRM that knows the
          person is told, too.
        </ConfirmDialog>
      )}
    </>
  )
}

type FormProps = {
  form: PersonForm
  describeAct: Props['describeAct']
  isChosen: boolean
  onToggle: () => void
}

function Form({ form, describeAct, isChosen, onToggle }: FormProps) {
  const { kind, created_at, deleted_at, fields, clinic, consent, deliveries, acts, reads } = form
  return (
    <article aria-label={nameOf(form)} className="mt-6 border-t border-line pt-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6">
        <h3 className="text-lg font-semibold text-ink">
          {nameOf(form)}, {formatMoment(created_at)}
        </h3>
        <label className="flex min-h-10 items-center gap-2 text-quiet print:hidden">
          <input type="checkbox" checked={isChosen} onChange={onToggle} className="size-5 accent-secondary" />
          Erase {nameOf(form).toLowerCase()}
        </label>
      </div>
      <p className="text-quiet">
        {kind === 'application'
          ? 'A clinic’s application.'
          : clinic
            ? `Given to ${clinic.name}.`
            : 'Given to no clinic.'}
        {deleted_at && ` Deleted by staff ${formatMoment(deleted_at)}; it can still be restored.`}
      </p>
      <Values title="What was sent" values={fields} />
      {consent && <Values title="Evidence of consent" values={consent} />}
      <Part title="To whom it was sent">
        {deliveries.map((job) => (
          <li key={job.id}>
            {jobLabel(job)}
            {job.recipient && ` (${job.recipient})`}: {jobState(job).label},{' '}
            {formatMoment(job.finished_at ?? job.created_at)}
          </li>
        ))}
      </Part>
      <Part title="What staff did">
        {acts.map((line) => (
          <li key={line.id}>
            {formatMoment(line.at)}: {actorName(line)} {describeAct(line)}
          </li>
        ))}
      </Part>
      <Part title="Who has read it">
        {reads.map((line) => (
          <li key={line.id}>
            {formatMoment(line.at)}: {actorName(line)}, from {line.ip}
          </li>
        ))}
      </Part>
    </article>
  )
}

/** What is shown of a form and its evidence, by column. The rest, for machines, is in the file. */
const FACTS: Record<string, string> = {
  first_name: 'First name',
  last_name: 'Last name',
  name: 'Name',
  practice_name: 'Practice',
  email: 'E-mail',
  phone: 'Phone',
  zip_code: 'Zip code',
  website: 'Website',
  message: 'Message',
  held_reason: 'Held because',
  attribution: 'How they came',
  wording: 'Agreed to',
  sharing_wording: 'And to',
  page_url: 'On the page',
  given_at: 'At',
  ip: 'IP address',
  user_agent: 'Browser',
}

function Values({ title, values }: { title: string; values: Record<string, unknown> }) {
  const known = Object.entries(FACTS).flatMap(([column, label]) => {
    const text = textOf(values[column], column)
    return text ? [{ label, text }] : []
  })
  return (
    <>
      <h4 className="mt-3 font-semibold text-ink">{title}</h4>
      <dl className="mt-1 grid gap-x-6 gap-y-1 text-sm sm:grid-cols-2">
        {known.map(({ label, text }) => (
          <div key={label} className="grid grid-cols-[7rem_1fr] gap-x-3">
            <dt className="text-quiet">{label}</dt>
            <dd className="min-w-0 whitespace-pre-line wrap-anywhere text-ink">{text}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function textOf(value: unknown, column: string): string {
  if (value === null || value === undefined) return ''
  if (column === 'given_at') return formatMoment(String(value))
  if (typeof value !== 'object') return String(value)
  return Object.entries(value)
    .map(([name, part]) => `${name}: ${part}`)
    .join('\n')
}

function Part({ title, children }: { title: string; children: ReactNode[] }) {
  if (children.length === 0) return null
  return (
    <>
      <h4 className="mt-3 font-semibold text-ink">{title}</h4>
      <ul className="mt-1 grid gap-1 text-sm wrap-anywhere text-ink">{children}</ul>
    </>
  )
}

/** Saves the record as a file, whose name does not say whose it is. */
function saveJson(person: PersonRecord): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(person, null, 2)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `personal-data-${person.at.slice(0, 10)}.json`
  link.click()
  URL.revokeObjectURL(url)
}
