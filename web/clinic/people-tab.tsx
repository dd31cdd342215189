import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ClinicPerson, PersonGets } from '../../core/providers/contract/clinic.ts'
import * as calls from '../../core/providers/contract/clinic.ts'
import { act } from '../lib/call.ts'
import { formatDay } from '../lib/dates.ts'
import { sentenceOf } from '../lib/http.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/confirm.tsx'
import { Alert } from '../ui/feedback.tsx'
import { Loaded } from '../ui/load-error.tsx'
import { Card, EmailForm } from './clinic-shell.tsx'
import { SETTINGS, useSettings } from './settings-tab.tsx'

export function PeopleTab({ own }: { own: string }) {
  const client = useQueryClient()
  const again = () => client.invalidateQueries({ queryKey: SETTINGS })
  const change = useMutation({ mutationFn: (run: () => Promise<unknown>) => run(), onSettled: again })
  const current = (people: ClinicPerson[]) => people.find(({ gets }) => gets === 'requests')?.email
  return (
    <Loaded of={useSettings()} fallback="The people of your clinic could not be loaded." className="h-40 w-full">
      {({ people, new_email: newEmail }) => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          {change.error && <Alert title="Nothing was changed">{sentenceOf(change.error)}</Alert>}
          {newEmail && (
            <Card title="Is this your new address?">
              <p className="wrap-anywhere">
                Our website says that the address of your clinic is {newEmail}. It is not used until you confirm it. If
                you do not know it, please write to us.
              </p>
              <ConfirmButton
                label="Use the new address"
                title={`Use ${newEmail}?`}
                busy={change.isPending}
                onConfirm={(options) =>
                  change.mutate(() => act(calls.confirmClinicEmail, { body: { email: newEmail } }), options)
                }
              >
                It can sign in and see your requests. The previous address no longer can, and is notified.
              </ConfirmButton>
            </Card>
          )}
          <Card title="Who may sign in">
            <ul className="divide-y divide-line">
              {people.map((person) => (
                <li key={person.email} className="grid gap-2 py-3">
                  <div className="min-w-0">
                    <p className="text-ink wrap-anywhere">
                      {person.email}
                      {person.email.toLowerCase() === own.toLowerCase() && ' (you)'}
                      {person.gets && <strong className="font-semibold">{` – ${GETS[person.gets]}`}</strong>}
                    </p>
                    <p className="text-sm text-quiet wrap-anywhere">{originOf(person)}</p>
                  </div>
                  {person.id !== null && (
                    <PersonActs
                      person={person}
                      id={person.id}
                      {...{ current: current(people), change: change.mutate, busy: change.isPending }}
                    />
                  )}
                </li>
              ))}
            </ul>
          </Card>
          <AddPerson onAdded={again} />
        </div>
      )}
    </Loaded>
  )
}

const GETS: Record<PersonGets, string> = { requests: 'gets the requests', late: 'gets notices of late answers' }

function originOf({ id, added_at, added_by, confirmed_at }: ClinicPerson): string {
  if (id === null) return 'The address that we have for your clinic. Write to us to change it.'
  const added = `Added on ${formatDay(added_at)} by ${added_by}.`
  return confirmed_at ? added : `${added} Has to sign in first, with the link in our email.`
}

type ActsProps = {
  person: ClinicPerson
  id: number
  current: string | undefined
  change: (run: () => Promise<unknown>, options?: { onSettled?: () => void }) => void
  busy: boolean
}

function PersonActs({ person: { email, confirmed_at, gets }, id, current, change, busy }: ActsProps) {
  const give = (wanted: PersonGets | null) => () =>
    act(calls.changeClinicPerson, { params: { id }, body: { gets: wanted } })
  return (
    <div className="flex flex-wrap gap-3">
      {confirmed_at && gets !== 'requests' && (
        <ConfirmButton
          label="Send requests here"
          title={`Send requests to ${email}?`}
          busy={busy}
          onConfirm={(options) => change(give('requests'), options)}
        >
          Requests, with names and phone numbers, go to {email} from now on, and no longer to {current}, which is
          notified.
        </ConfirmButton>
      )}
      {confirmed_at && gets === null && (
        <Button variant="outline" size="small" busy={busy} onClick={() => change(give('late'))}>
          Send notices of late answers
        </Button>
      )}
      {gets !== null && (
        <Button variant="outline" size="small" busy={busy} onClick={() => change(give(null))}>
          {gets === 'requests' ? 'Send no requests here' : 'Send no notices here'}
        </Button>
      )}
      <ConfirmButton
        label="Remove"
        title={`Remove ${email}?`}
        danger
        busy={busy}
        onConfirm={(options) => change(() => act(calls.removeClinicPerson, { params: { id } }), options)}
      >
        This person can no longer sign in, and is signed out everywhere.
        {gets === 'requests' && ' Requests go to the address that we have for your clinic.'}
      </ConfirmButton>
    </div>
  )
}

function AddPerson({ onAdded }: { onAdded: () => void }) {
  const [email, setEmail] = useState('')
  const adding = useMutation({
    mutationFn: () => act(calls.addClinicPerson, { body: { email } }),
    onSuccess: () => {
      setEmail('')
      onAdded()
    },
  })
  return (
    <Card title="Add a person">
      <p className="max-w-[56ch]">
        We email a link to this address. With it the person can sign in and see all requests of your clinic. Your
        clinic’s address is notified. Once they have signed in, you can send the requests to them.
      </p>
      <EmailForm submit="Add" email={email} onType={setEmail} sending={adding} />
    </Card>
  )
}
