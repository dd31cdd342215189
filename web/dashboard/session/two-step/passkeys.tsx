import { type FormEvent, useState } from 'react'
import { deviceName } from '../../../../core/staff/contract/session.ts'
import {
  addPasskey,
  type Passkey,
  type RecoveryCodes,
  removeFactor,
  requestNewPasskey,
} from '../../../../core/staff/contract/staff.ts'
import { act, call } from '../../../lib/call.ts'
import { formatDay, formatSince } from '../../../lib/dates.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmButton } from '../../../ui/confirm.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { Part } from '../parts.tsx'
import { canUsePasskeys, createPasskey } from '../passkeys.ts'

type Props = { passkeys: Passkey[]; onCodes: (codes: RecoveryCodes) => void }

/** Lists the passkeys of the person's own account, to add, rename and remove. */
export function Passkeys({ passkeys, onCodes }: Props) {
  const [isAdding, setAdding] = useState(false)
  const remove = useAction({
    act: (id: number) => act(removeFactor, { params: { id } }),
    done: 'Passkey removed',
    failed: 'Failed to remove the passkey',
    changes: 'second-factor',
  })
  return (
    <Part
      title="Passkeys"
      words="Your fingerprint, face or PIN on this device, or a security key. A passkey signs you in without a password."
      action={
        canUsePasskeys() &&
        !isAdding && (
          <Button variant="outline" size="small" onClick={() => setAdding(true)}>
            Add a passkey
          </Button>
        )
      }
    >
      {passkeys.length > 0 && (
        <ul aria-label="Passkeys" className="mt-3 divide-y divide-line border-y border-line">
          {passkeys.map(({ id, name, created_at, last_used_at }) => (
            <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2.5">
              <div className="min-w-0">
                <p className="font-semibold text-ink wrap-anywhere">{name}</p>
                <p className="text-sm text-quiet">
                  Added {formatDay(created_at)}
                  {last_used_at && `, last used ${formatSince(last_used_at)}`}
                </p>
              </div>
              <ConfirmButton
                label="Remove"
                title="Remove this passkey?"
                danger
                busy={remove.isPending}
                onConfirm={(options) => remove.mutate(id, options)}
              >
                “{name}” does not sign you in any more. You can delete it on the device, too.
              </ConfirmButton>
            </li>
          ))}
        </ul>
      )}
      {isAdding && (
        <NewPasskeyForm
          onDone={(codes) => {
            setAdding(false)
            onCodes(codes)
          }}
          onCancel={() => setAdding(false)}
        />
      )}
    </Part>
  )
}

function NewPasskeyForm({ onDone, onCancel }: { onDone: Props['onCodes']; onCancel: () => void }) {
  const [name, setName] = useState(() => deviceName(navigator.userAgent))
  const add = useAction({
    act: async () => {
      const passkey = await createPasskey(await call(requestNewPasskey))
      return call(addPasskey, { body: { name, passkey } })
    },
    done: 'Passkey added',
    failed: 'Failed to add the passkey',
    changes: 'second-factor',
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    add.mutate(undefined, { onSuccess: onDone })
  }

  return (
    <form onSubmit={submit} noValidate aria-label="Add a passkey" className="mt-4">
      <TextField
        label="Name"
        autoFocus
        autoComplete="off"
        required
        maxLength={60}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={add.isPending} disabled={name.trim() === ''}>
          Continue
        </Button>
        <Button variant="outline" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
