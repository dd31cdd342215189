import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { addClinicPerson, listClinicPeople, removeClinicPerson } from '../../core/contract/clinic.ts'
import { act, call } from '../lib/call.ts'
import { formatDay } from '../lib/dates.ts'
import { sentenceOf } from '../lib/http.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { LoadError } from '../ui/load-error.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { TextField } from '../ui/text-field.tsx'
import { Card } from './clinic-shell.tsx'

const PEOPLE = ['clinic-people']

/** Shows the addresses that may sign in, and lets the clinic add and remove them. */
export function PeopleTab({ own }: { own: string }) {
  const client = useQueryClient()
  const people = useQuery({ queryKey: PEOPLE, queryFn: () => call(listClinicPeople) })
  const again = () => client.invalidateQueries({ queryKey: PEOPLE })
  const removal = useMutation({
    mutationFn: (id: number) => act(removeClinicPerson, { params: { id } }),
    onSettled: again,
  })
  if (!people.data) {
    return (
      <>
        <LoadError
          error={people.error}
          fallback="The people of your clinic could not be loaded."
          isFetching={people.isFetching}
          onRetry={() => void people.refetch()}
        />
        {!people.error && <Skeleton className="h-40 w-full" />}
      </>
    )
  }
  return (
    <div className="grid gap-5">
      <Card title="Who may sign in">
        {removal.error && <Alert title="Not removed">{sentenceOf(removal.error)}</Alert>}
        <ul className="divide-y divide-line">
          {people.data.people.map(({ id, email, added_at, gets_requests }) => (
            <li key={email} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3">
              <div className="min-w-0">
                <p className="text-ink wrap-anywhere">
                  {email}
                  {email.toLowerCase() === own.toLowerCase() && ' (you)'}
                </p>
                <p className="text-sm text-quiet">
                  {gets_requests && 'Gets the requests. You can change that under “Settings”.'}
                  {id === null &&
                    !gets_requests &&
                    'The address that we have for your clinic. Write to us to change it.'}
                  {id !== null && `Added on ${formatDay(added_at)}`}
                </p>
              </div>
              {id !== null && (
                <ConfirmButton
                  label="Remove"
                  title={`Remove ${email}?`}
                  danger
                  busy={removal.isPending}
                  onConfirm={(options) => removal.mutate(id, options)}
                >
                  This person can no longer sign in, and is signed out everywhere.
                </ConfirmButton>
              )}
            </li>
          ))}
        </ul>
      </Card>
      <AddPerson onAdded={again} />
    </div>
  )
}

function AddPerson({ onAdded }: { onAdded: () => void }) {
  const [email, setEmail] = useState('')
  const adding = useMutation({
    mutationFn: () => act(addClinicPerson, { body: { email } }),
    onSuccess: () => {
      setEmail('')
      onAdded()
    },
  })
  return (
    <Card title="Add a person">
      <p className="max-w-[56ch]">
        They can then ask for a link with their own address, and see every request of your clinic. Your clinic’s address
        is told.
      </p>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          adding.mutate()
        }}
      >
        <TextField
          label="E-mail address"
          type="email"
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          error={adding.error ? sentenceOf(adding.error, 'email') : undefined}
        />
        <Button type="submit" busy={adding.isPending}>
          Add
        </Button>
      </form>
    </Card>
  )
}
