import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import type { IdentityConfirmation } from '../../../core/contract/second-factor.ts'
import { confirmIdentity, requestConfirmationPasskey } from '../../../core/contract/session.ts'
import { call } from '../../lib/call.ts'
import { whenToConfirmIdentity } from '../../lib/confirm-identity.ts'
import { HttpError, sentenceOf } from '../../lib/http.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { CodeField } from './parts.tsx'
import { askForPasskey, canUsePasskeys } from './passkeys.ts'
import { useSession } from './session.ts'
import { singleSignOnUrl } from './single-sign-on.ts'

type Answer = (isConfirmed: boolean) => void

/** Asks for a confirmation of identity whenever a call needs one, then lets the call continue. */
export function ConfirmIdentity() {
  const [answer, setAnswer] = useState<Answer>()

  useEffect(() => whenToConfirmIdentity(() => new Promise((resolve) => setAnswer(() => resolve))), [])
  // Waiting calls end when the session ends.
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
  const { data: session } = useSession({ enabled: true })
  const [typed, setTyped] = useState('')
  const confirm = useMutation({
    // Without typed proof, a passkey confirms.
    mutationFn: async (typed?: IdentityConfirmation) =>
      call(confirmIdentity, {
        body: typed ?? { passkey: await askForPasskey(await call(requestConfirmationPasskey)) },
      }),
  })
  const { staff: person, factors = [] } = session ?? {}
  // A password does not confirm an account with a second factor.
  const way = factors.includes('totp') ? 'code' : factors.includes('passkey') ? 'passkey' : 'password'

  function send(proof?: IdentityConfirmation) {
    confirm.mutate(proof, {
      onSuccess: () => onClose(true),
    })
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    send(way === 'passkey' ? undefined : { [way]: typed })
  }

  const field = {
    autoFocus: true,
    value: typed,
    error: confirm.error ? explain(confirm.error) : undefined,
  }
  return (
    <Dialog title="Confirm it is you" className="w-md max-w-full p-6" onClose={() => onClose(false)}>
      <p className="mt-1 text-quiet">
        {person?.email
          ? 'You last confirmed your identity more than ten minutes ago, and this needs it.'
          : 'This needs the shared password, which you entered more than ten minutes ago.'}
      </p>
      <form onSubmit={submit} noValidate className="mt-5">
        {/* Tells password managers whose password it is. */}
        <input type="email" name="email" autoComplete="username" value={person?.email ?? ''} readOnly hidden />
        {way === 'code' && <CodeField key="code" kind="totp" onChange={setTyped} {...field} />}
        {way === 'passkey' && confirm.error && <p className="text-bad">{explain(confirm.error)}</p>}
        {way === 'password' && (
          <TextField
            key="password"
            label="Password"
            type="password"
            name="password"
            autoComplete="current-password"
            required
            onChange={(event) => setTyped(event.target.value)}
            {...field}
          />
        )}
        <div className="flex flex-wrap gap-x-2">
          {way === 'code' && factors.includes('passkey') && canUsePasskeys() && (
            <Button variant="ghost" size="small" onClick={() => send()}>
              Use a passkey instead
            </Button>
          )}
          {person?.email && session?.ways.single_sign_on && (
            <a href={singleSignOnUrl({ isFresh: true })} className={buttonClass({ variant: 'ghost', size: 'small' })}>
              {session.ways.single_sign_on}, then repeat this
            </a>
          )}
        </div>
        <div className="mt-4 flex flex-wrap justify-end gap-3">
          <Button variant="outline" onClick={() => onClose(false)}>
            Cancel
          </Button>
          <Button type="submit" busy={confirm.isPending}>
            {way === 'passkey' ? 'Use your passkey' : 'Confirm'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function explain(error: Error): string {
  const { password } = (error instanceof HttpError && error.fields) || {}
  return password ?? sentenceOf(error)
}
