import { type FormEvent, useState } from 'react'
import type { AuditLine } from '../../../core/contract/audit-log.ts'
import { PersonQuery } from '../../../core/contract/privacy.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { ErasuresCard } from './erasures-card.tsx'
import { Card, Person } from './person.tsx'
import { useFindPerson } from './use-privacy.ts'

type Props = {
  /** An act of staff in words. */
  describeAct: (line: AuditLine) => string
}

/** Finds everything about a person, to hand out or to erase. For managers. */
export function PrivacyPanel({ describeAct }: Props) {
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
      {find.data && (
        <Person key={find.data.at} person={find.data} describeAct={describeAct} onErased={() => find.reset()} />
      )}
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
