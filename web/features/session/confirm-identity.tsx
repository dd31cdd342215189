import { type FormEvent, useEffect, useRef, useState } from 'react'
import { whenToConfirmIdentity } from '../../lib/confirm-identity.ts'
import { HttpError } from '../../lib/http.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useConfirmWithPassword } from './api/confirm-identity.ts'
import { usePerson } from './use-person.ts'

type Answer = (isConfirmed: boolean) => void

/** Asks for the password whenever a call needs the person to confirm who they are; then that call goes on. */
export function ConfirmIdentity() {
  const [answer, setAnswer] = useState<Answer>()

  useEffect(() => whenToConfirmIdentity(() => new Promise((resolve) => setAnswer(() => resolve))), [])
  // A call that waits is told so when the session ends in the middle.
  useEffect(() => () => answer?.(false), [answer])

  if (!answer) return null
  return (
    <ConfirmDialog
      onClose={(isConfirmed) => {
        answer(isConfirmed)
        setAnswer(undefined)
      }}
    />
  )
}

function ConfirmDialog({ onClose }: { onClose: Answer }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const isConfirmed = useRef(false)
  const { person } = usePerson()
  const [password, setPassword] = useState('')
  const confirm = useConfirmWithPassword()

  function submit(event: FormEvent) {
    event.preventDefault()
    confirm.mutate(password, {
      onSuccess: () => {
        isConfirmed.current = true
        dialog.current?.close()
      },
    })
  }

  return (
    <Dialog
      dialog={dialog}
      title="Confirm it is you"
      className="w-md max-w-full p-6"
      onClose={() => onClose(isConfirmed.current)}
    >
      <p className="mt-1 text-quiet">
        {person?.email
          ? 'This needs your password, which you entered more than ten minutes ago.'
          : 'This needs the shared password, which you entered more than ten minutes ago.'}
      </p>
      <form onSubmit={submit} noValidate className="mt-5">
        {/* Tells password managers whose password it is. */}
        <input type="email" name="email" autoComplete="username" value={person?.email ?? ''} readOnly hidden />
        <TextField
          label="Password"
          type="password"
          name="password"
          autoComplete="current-password"
          required
          autoFocus
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          error={confirm.error ? explain(confirm.error) : undefined}
        />
        <div className="mt-4 flex flex-wrap justify-end gap-3">
          <Button variant="outline" onClick={() => dialog.current?.close()}>
            Cancel
          </Button>
          <Button type="submit" busy={confirm.isPending}>
            Confirm
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function explain(error: Error): string {
  const { fields, sentence } = error instanceof HttpError ? error : {}
  return (fields?.password ?? sentence ?? error.message) || 'The server is not responding. Please try again.'
}
