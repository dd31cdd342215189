import { type ReactNode, useState } from 'react'
import type { PersonForm, PersonRecord } from '../../../core/contract/privacy.ts'
import { formatMoment } from '../../lib/dates.ts'
import { countOf } from '../../lib/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Form, nameOf, Part } from './person-form.tsx'
import { useErasePerson } from './use-privacy.ts'

type Props = {
  person: PersonRecord
  onErased: () => void
}

/** How the person asked not to be contacted. */
const STOPPED: Record<PersonRecord['do_not_contact'][number]['reason'], string> = {
  link: 'with the link in an email',
  staff: 'noted by staff',
  stop: 'a STOP that staff entered',
  clinic: 'told to a clinic',
}

const keyOf = ({ kind, id }: Pick<PersonForm, 'kind' | 'id'>) => `${kind} ${id}`

/** Shows all data about a person, to read, export and erase. */
export function Person({ person, onErased }: Props) {
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
        <Form key={keyOf(form)} form={form} isChosen={!kept.has(keyOf(form))} onToggle={() => toggle(keyOf(form))} />
      ))}
      <Part title="Asked not to be contacted">
        {do_not_contact.map(({ id, kind, reason, created_at, lifted_at, lifted_because }) => (
          <li key={id}>
            {formatMoment(created_at)}, by {kind === 'email' ? 'email address' : 'phone number'}: {STOPPED[reason]}
            {lifted_at && `; contact was allowed again ${formatMoment(lifted_at)} (${lifted_because})`}.
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

/** Renders a white card with a heading. */
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
    <section className={`rounded-2xl border border-line bg-background p-4 sm:p-6 ${className}`}>
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
  const clinics = [...new Set(forms.flatMap(({ clinics: given }) => given.map(({ name }) => name)))]
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

/** Saves the record as a file whose name does not tell the person's. */
function saveJson(person: PersonRecord): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(person, null, 2)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `personal-data-${person.at.slice(0, 10)}.json`
  link.click()
  URL.revokeObjectURL(url)
}
