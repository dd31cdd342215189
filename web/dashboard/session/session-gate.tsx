import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { confirmIdentity, reportActivity, requestConfirmationPasskey } from '../../../core/staff/contract/session.ts'
import type { IdentityConfirmation } from '../../../core/staff/contract/staff.ts'
import { call, whenToConfirmIdentity } from '../../lib/call.ts'
import { sentenceOf } from '../../lib/http.ts'
import { MINUTE, SECOND } from '../../lib/time.ts'
import { Logo } from '../../shared/logo.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { FormButtons } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Alert } from '../../ui/feedback.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { askForPasskey, CodeField, canUsePasskeys } from './parts.tsx'
import { PasswordPrompt, SecondStepPrompt, singleSignOnUrl, useSingleSignOnResult } from './password-prompt.tsx'
import { endSession, readSession, storeSession, useIsRemembered, useLeave, useSession } from './session.ts'
import { TwoStepSettings } from './two-step.tsx'

/** The time between the warning and the end of the session, in milliseconds. */
const WARN_BEFORE = 2 * MINUTE
/**
 * The interval at which the server is asked during the warning, in milliseconds: another window may have extended the
 * session.
 */
const LOOK_EVERY = 10 * SECOND

/**
 * Locks the dashboard when the session ends for lack of activity, and warns before. The server decides: activity is
 * reported to it, and it is asked before the person is warned.
 */
export function IdleWatch() {
  const { endsAt, stay, look } = useIdleEnd()
  const [isWarning, setWarning] = useState(false)
  const [looks, setLooks] = useState(0)

  useEffect(() => {
    if (endsAt === undefined) return
    const untilWarning = endsAt - WARN_BEFORE - Date.now()
    // Asks again if the server did not answer.
    const wait = isWarning || looks > 0 ? Math.min(LOOK_EVERY, Math.max(SECOND, endsAt - Date.now())) : untilWarning
    const timer = setTimeout(async () => {
      const left = await look()
      setWarning(left !== undefined && left <= WARN_BEFORE)
      setLooks(left === undefined || left <= WARN_BEFORE ? looks + 1 : 0)
    }, wait)
    return () => clearTimeout(timer)
  }, [endsAt, isWarning, looks, look])

  useActivity({ isWatched: endsAt !== undefined && !isWarning, onActivity: stay })

  if (!isWarning || endsAt === undefined) return null
  return (
    <IdleDialog
      endsAt={endsAt}
      onStay={() => {
        setWarning(false)
        setLooks(0)
        stay()
      }}
    />
  )
}

/** Returns the end of the session without activity, by this browser's clock; undefined if it has no such end. */
function useIdleEnd() {
  const client = useQueryClient()
  const { data: session, dataUpdatedAt } = useSession({ enabled: true })
  const seconds = session?.idle_seconds_left
  const [act] = useState(() => ({
    /** Extends the session. Fails silently: without a connection, other calls report it. */
    stay: () =>
      void call(reportActivity).then(
        (now) => storeSession(client, now),
        () => {},
      ),
    /**
     * Asks the server for the remaining time, in milliseconds. Undefined if it does not answer or the session has
     * ended.
     */
    look: async (): Promise<number | undefined> => {
      const now = await readSession().catch(() => undefined)
      if (!now) return undefined
      if (now.authenticated) storeSession(client, now)
      else endSession(client)
      return now.idle_seconds_left === undefined ? undefined : now.idle_seconds_left * SECOND
    },
  }))
  return { ...act, endsAt: seconds === undefined ? undefined : dataUpdatedAt + seconds * SECOND }
}

function IdleDialog({ endsAt, onStay }: { endsAt: number; onStay: () => void }) {
  const { leave, isLeaving } = useLeave()
  const left = useSecondsUntil(endsAt)

  return (
    <Dialog title="Are you still there?" className="w-md max-w-full p-6" onClose={onStay}>
      <p className="mt-2">
        Nothing has happened here for a while, so you will be signed out soon. Unsaved changes will be lost.
      </p>
      <p role="timer" aria-live="off" className="mt-2 font-semibold text-ink">
        Signing out in {Math.floor(left / 60)}:{String(left % 60).padStart(2, '0')}
      </p>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button variant="outline" busy={isLeaving} onClick={leave}>
          Sign out
        </Button>
        <Button ref={focus} onClick={onStay}>
          Stay signed in
        </Button>
      </div>
    </Dialog>
  )
}

/** Focuses the safe button: a dialog focuses its first one, and Enter must not sign out. */
function focus(button: HTMLButtonElement | null): void {
  button?.focus()
}

function useSecondsUntil(moment: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.ceil((moment - now) / SECOND))
}

/** The interval at which activity is reported, in milliseconds. */
const REPORT_EVERY = 30 * SECOND

/**
 * The events that count as activity. Mouse movements do not: browsers send some when the page changes under the
 * pointer, as a live list does.
 */
const SIGNS = ['pointerdown', 'keydown', 'wheel', 'touchmove'] as const

/** Calls `onActivity` at the first activity, then every `REPORT_EVERY` if there was more. */
function useActivity({ isWatched, onActivity }: { isWatched: boolean; onActivity: () => void }): void {
  useEffect(() => {
    if (!isWatched) return
    let reportedAt = 0
    let timer: ReturnType<typeof setTimeout> | undefined

    function report() {
      timer = undefined
      reportedAt = Date.now()
      onActivity()
    }
    function notice() {
      timer ??= setTimeout(report, Math.max(0, reportedAt + REPORT_EVERY - Date.now()))
    }

    for (const sign of SIGNS) window.addEventListener(sign, notice, { capture: true, passive: true })
    return () => {
      clearTimeout(timer)
      for (const sign of SIGNS) window.removeEventListener(sign, notice, { capture: true })
    }
  }, [isWatched, onActivity])
}

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
        Your account requires it. Choose an authenticator app or a passkey to open the dashboard.
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

  const send = (proof?: IdentityConfirmation) => confirm.mutate(proof, { onSuccess: () => onClose(true) })

  function submit(event: FormEvent) {
    event.preventDefault()
    send(way === 'passkey' ? undefined : { [way]: typed })
  }

  const error = confirm.error ? sentenceOf(confirm.error, 'password') : undefined
  const field = { autoFocus: true, value: typed, error }
  return (
    <Dialog title="Confirm your identity" className="w-md max-w-full p-6" onClose={() => onClose(false)}>
      <p className="mt-1 text-quiet">
        {person?.email
          ? 'You last confirmed your identity more than ten minutes ago, and this needs it.'
          : 'This needs the shared password, which you entered more than ten minutes ago.'}
      </p>
      <form onSubmit={submit} noValidate className="mt-5">
        {/* Tells password managers whose password it is. */}
        <input type="email" name="email" autoComplete="username" value={person?.email ?? ''} readOnly hidden />
        {way === 'code' && <CodeField key="code" kind="totp" onChange={setTyped} {...field} />}
        {way === 'passkey' && error && <p className="text-bad">{error}</p>}
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
        <FormButtons
          className="mt-4"
          submit={way === 'passkey' ? 'Use your passkey' : 'Confirm'}
          busy={confirm.isPending}
          onClose={() => onClose(false)}
        />
      </form>
    </Dialog>
  )
}
