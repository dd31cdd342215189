import { useState } from 'react'
import { changeClinicAddress } from '../../core/contract/clinic.ts'
import type { AddressUse, ClinicAddresses } from '../../core/contract/clinic-addresses.ts'
import { formatDay, formatMinute } from '../lib/dates.ts'
import { sentenceOf } from '../lib/http.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { TextField } from '../ui/text-field.tsx'
import { Card } from './clinic-shell.tsx'
import { useSettingsChange } from './use-settings.ts'

/** Lets a clinic choose where its requests go. */
export function RequestAddressCard({ addresses: { requests, wordpress } }: { addresses: ClinicAddresses }) {
  const change = useSettingsChange(changeClinicAddress)
  const send = (email: string | null) => change.mutate({ body: { use: 'requests', email } })
  const { email, is_own, confirmed, waiting } = requests
  return (
    <Card title="Send requests to another address">
      <p className="wrap-anywhere">
        Requests go to <strong className="font-semibold text-ink">{email}</strong>
        {is_own ? since(confirmed) : ', the address that we have for your clinic'}.
      </p>
      {change.error && <Alert title="The address was not changed">{sentenceOf(change.error)}</Alert>}
      <Waiting waiting={waiting} busy={change.isPending} onTakeBack={() => send(is_own ? email : null)} />
      {is_own && (
        <ConfirmButton
          label={`Use ${wordpress} again`}
          title={`Send requests to ${wordpress} again?`}
          busy={change.isPending}
          onConfirm={(options) => change.mutate({ body: { use: 'requests', email: null } }, options)}
        >
          This is the address that we have for your clinic. Requests go there at once, and {email} is told.
        </ConfirmButton>
      )}
      <NewAddress
        label="New address for requests"
        hint="We ask the new address first. Requests go there once somebody confirms the link in our e-mail, and the present address is told, so that it can stop the change."
        use="requests"
      />
    </Card>
  )
}

/** Lets a clinic choose who is told when an answer is late. */
export function LateAddressCard({ addresses: { late } }: { addresses: ClinicAddresses }) {
  const change = useSettingsChange(changeClinicAddress)
  const { email, confirmed, waiting } = late
  return (
    <Card title="Second address for late answers">
      <p className="wrap-anywhere">
        {email === null ? (
          'No second address is told when a request has no answer in time.'
        ) : (
          <>
            <strong className="font-semibold text-ink">{email}</strong>
            {since(confirmed)} is told when a request has no answer in time.
          </>
        )}
      </p>
      {change.error && <Alert title="The address was not changed">{sentenceOf(change.error)}</Alert>}
      <Waiting
        waiting={waiting}
        busy={change.isPending}
        onTakeBack={() => change.mutate({ body: { use: 'late', email } })}
      />
      {email !== null && (
        <ConfirmButton
          label="Remove the second address"
          title="Remove the second address?"
          danger
          busy={change.isPending}
          onConfirm={(options) => change.mutate({ body: { use: 'late', email: null } }, options)}
        >
          {email} is no longer told when a request has no answer in time.
        </ConfirmButton>
      )}
      <NewAddress
        label="New second address"
        hint="The notice has the name and the phone number of a person, so we ask the new address first. It is used once somebody confirms the link in our e-mail."
        use="late"
      />
    </Card>
  )
}

type WaitingProps = {
  waiting: ClinicAddresses['requests']['waiting']
  busy: boolean
  onTakeBack: () => void
}

/** Shows the address that has to be confirmed, and the state of the e-mail that asks it. */
function Waiting({ waiting, busy, onTakeBack }: WaitingProps) {
  if (!waiting) return null
  const { email, asked_by, asked_at, asked } = waiting
  return (
    <div role="status" className="grid gap-2 rounded-xl border border-wait bg-wait-soft px-4 py-3 wrap-anywhere">
      <p className="text-ink">
        <strong className="font-semibold">{email}</strong> has to confirm the link in our e-mail, within seven days.
      </p>
      <p className="text-sm">
        Asked for by {asked_by}, {formatMinute(asked_at)}. {ASKED[asked]}
      </p>
      <Button variant="outline" size="small" className="justify-self-start" busy={busy} onClick={onTakeBack}>
        Take it back
      </Button>
    </div>
  )
}

const ASKED = {
  sent: 'The e-mail was sent.',
  pending: 'The e-mail is on its way.',
  failed: 'The e-mail was refused. Check the address.',
}

/** Asks for another address. */
function NewAddress({ label, hint, use }: { label: string; hint: string; use: AddressUse }) {
  const [typed, setTyped] = useState('')
  const change = useSettingsChange(changeClinicAddress)
  return (
    <form
      noValidate
      className="grid gap-1"
      onSubmit={(event) => {
        event.preventDefault()
        change.mutate({ body: { use, email: typed } }, { onSuccess: () => setTyped('') })
      }}
    >
      <p className="mb-2 max-w-[60ch] text-sm text-quiet">{hint}</p>
      <TextField
        label={label}
        type="email"
        required
        className="max-w-md"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        error={change.error ? sentenceOf(change.error, 'email') : undefined}
      />
      <Button type="submit" className="justify-self-start" busy={change.isPending}>
        Ask this address
      </Button>
    </form>
  )
}

/** Returns, for example, `, since Nov 24, 2026 as desk@clinic.example asked`. */
const since = (confirmed: ClinicAddresses['requests']['confirmed']) =>
  confirmed ? `, since ${formatDay(confirmed.at)} as ${confirmed.asked_by} asked` : ''
