import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { confirmIdentity, requestConfirmationPasskey } from '../../../core/staff/contract/session.ts'
import type { IdentityConfirmation } from '../../../core/staff/contract/staff.ts'
import { call, whenToConfirmIdentity } from '../../lib/call.ts'
import { HttpError, sentenceOf } from '../../lib/http.ts'
import { Logo } from '../../shared/logo.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Alert } from '../../ui/feedback.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { IdleWatch } from './idle-watch.tsx'
import { CodeField } from './parts.tsx'
import { askForPasskey, canUsePasskeys } from './passkeys.ts'
import { PasswordPrompt, SecondStepPrompt, singleSignOnUrl, useSingleSignOnResult } from './password-prompt.tsx'
import { useIsRemembered, useLeave, useSession } from './session.ts'
import { TwoStepSettings } from './two-step/settings.tsx'

export function SessionGate({ gate, children }: { gate: Gate; children: ReactNode }) {
  const door = useGate(gate)

  if (door.state === 'open') {
    return (
      <>
        {children}
        <IdleWatch />
        <ConfirmIdentity />
      </>
    )
  }
  return (
    <main className="grid min-h-dvh content-center justify-items-center bg-mist px-4 py-10">
      {door.state === 'locked' && <PasswordPrompt notice={door.notice} />}
      {door.state === 'second-step' && <SecondStepPrompt factors={door.factors} />}
      {door.state === 'setup' && (
        <>
          <TwoStepSetup />
          <ConfirmIdentity />
        </>
      )}
      {door.state === 'checking' && <p role="status">Loading...</p>}
      {door.state === 'failed' && (
        <div className="grid w-full max-w-sm justify-items-start gap-4">
          <Alert title="Error">{door.error.message || 'The server is not responding. Please try again.'}</Alert>
          <Button onClick={door.retry}>Try again</Button>
        </div>
      )}
    </main>
  )
}

/** `password`: the password must have been entered in this tab. `server`: a valid session is enough. */
export type Gate = 'password' | 'server'

/** Returns the state of the gate. The server checks every call itself. */
function useGate(gate: Gate) {
  const isRemembered = useIsRemembered()
  const needsPassword = gate === 'password' && !isRemembered
  const problem = useSingleSignOnResult()
  const session = useSession({ enabled: !needsPassword })

  const notice = session.data?.ended ? 'Your session has ended. Please sign in again.' : problem
  const retry = () => void session.refetch()

  if (session.data?.second_step) return { state: 'second-step', factors: session.data.second_step } as const
  if (needsPassword) return { state: 'locked', notice } as const
  if (session.isError) return { state: 'failed', error: session.error, retry } as const
  if (!session.data) return { state: 'checking' } as const
  if (!session.data.authenticated) return { state: 'locked', notice } as const
  if (session.data.lacks_factor) return { state: 'setup' } as const
  return { state: 'open' } as const
}

/** Replaces the dashboard while the account requires two-step sign-in and has no factor. */
function TwoStepSetup() {
  const client = useQueryClient()
  const { leave, isLeaving } = useLeave()
  return (
    <div className="w-full max-w-2xl rounded-2xl border border-line bg-background p-6 sm:p-8">
      <div className="text-primary">
        <Logo />
      </div>
      <h1 className="mt-6 font-display text-3xl font-medium text-ink">Set up two-step sign-in</h1>
      <p className="mt-1 text-quiet">
        Your account must have it. Choose an authenticator app or a passkey; then the dashboard opens.
      </p>
      <TwoStepSettings onCodesSaved={() => void client.invalidateQueries({ queryKey: ['session'] })} />
      <div className="mt-2 border-t border-line pt-4">
        <Button variant="ghost" size="small" busy={isLeaving} onClick={leave}>
          Sign out
        </Button>
      </div>
    </div>
  )
}

type Answer = (isConfirmed: boolean) => void

/** Asks for a confirmation of identity whenever a call needs one, then lets the call continue. */
function ConfirmIdentity() {
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
