import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useCallback, useEffect, useState } from 'react'
import { MINUTE, SECOND } from '../../../core/contract/time.ts'
import { confirmIdentity, reportActivity } from '../../../core/staff/contract/session.ts'
import type { IdentityConfirmation } from '../../../core/staff/contract/staff.ts'
import { call, whenToConfirmIdentity } from '../../lib/call.ts'
import { sentenceOf } from '../../lib/http.ts'
import { Button, buttonClass, SmallButton } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Alert } from '../../ui/feedback.tsx'
import { TextField } from '../../ui/text-field.tsx'
import {
  CodeField,
  GateCard,
  PasswordPrompt,
  SecondStepPrompt,
  singleSignOnUrl,
  useSingleSignOnResult,
} from './password-prompt.tsx'
import { endSession, readSession, storeSession, useIsRemembered, useLeave, useSession } from './session.ts'
import { TwoStepSettings } from './two-step.tsx'

const WARN_BEFORE = 2 * MINUTE
/** The server is asked again during the warning: another window may have extended the session. */
const LOOK_EVERY = 10 * SECOND

/** Warns before the session ends for lack of activity, and locks then. The server decides: it is asked first. */
function IdleWatch() {
  const client = useQueryClient()
  const { data: session, dataUpdatedAt } = useSession({ enabled: true })
  const [failures, setFailures] = useState(0)
  const left = session?.idle_seconds_left
  const endsAt = left === undefined ? undefined : dataUpdatedAt + left * SECOND
  const isWarning = left !== undefined && left * SECOND <= WARN_BEFORE

  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer, and each failure, plans the next question
  useEffect(() => {
    if (endsAt === undefined) return
    const untilWarning = endsAt - WARN_BEFORE - Date.now()
    const wait = untilWarning > 0 ? untilWarning : Math.min(LOOK_EVERY, Math.max(SECOND, endsAt - Date.now()))
    const timer = setTimeout(async () => {
      const now = await readSession().catch(() => undefined)
      if (!now) setFailures((before) => before + 1)
      else if (now.authenticated) storeSession(client, now)
      else endSession(client)
    }, wait)
    return () => clearTimeout(timer)
  }, [client, endsAt, dataUpdatedAt, failures])

  /** Extends the session. Fails silently: without a connection, other calls report it. */
  const stay = useCallback(
    () =>
      void call(reportActivity).then(
        (now) => storeSession(client, now),
        () => {},
      ),
    [client],
  )
  useActivity({ isWatched: endsAt !== undefined && !isWarning, onActivity: stay })

  return isWarning && endsAt !== undefined ? <IdleDialog endsAt={endsAt} onStay={stay} /> : null
}

function IdleDialog({ endsAt, onStay }: { endsAt: number; onStay: () => void }) {
  const { leave, isLeaving } = useLeave()
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND)
    return () => clearInterval(timer)
  }, [])
  const left = Math.max(0, Math.ceil((endsAt - now) / SECOND))

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

const REPORT_EVERY = 30 * SECOND

/** Mouse movements do not count: browsers send some when the page changes under the pointer, as a live list does. */
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
      {door.state === 'second-step' && <SecondStepPrompt />}
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

  if (session.data?.second_step) return { state: 'second-step' } as const
  if (needsPassword) return { state: 'locked', notice } as const
  if (session.isError) return { state: 'failed', error: session.error, retry } as const
  if (!session.data) return { state: 'checking' } as const
  if (!session.data.authenticated) return { state: 'locked', notice } as const
  if (session.data.lacks_factor) return { state: 'setup' } as const
  return { state: 'open' } as const
}

function TwoStepSetup() {
  const client = useQueryClient()
  const { leave, isLeaving } = useLeave()
  return (
    <GateCard
      title="Set up two-step sign-in"
      notice="Your account requires it. Set up an authenticator app to open the dashboard."
      isWide
    >
      <TwoStepSettings onCodesSaved={() => void client.invalidateQueries({ queryKey: ['session'] })} />
      <div className="mt-2 border-t border-line pt-4">
        <SmallButton variant="ghost" busy={isLeaving} onClick={leave}>
          Sign out
        </SmallButton>
      </div>
    </GateCard>
  )
}

type Answer = (isConfirmed: boolean) => void

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
    mutationFn: (body: IdentityConfirmation) => call(confirmIdentity, { body }),
    onSuccess: () => onClose(true),
  })
  const person = session?.staff
  // A password does not confirm an account with a second factor.
  const way = session?.two_step ? 'code' : 'password'

  function submit(event: FormEvent) {
    event.preventDefault()
    confirm.mutate({ [way]: typed })
  }

  const error = confirm.error ? sentenceOf(confirm.error, 'password') : undefined
  const field = { autoFocus: true, value: typed, error }
  return (
    <FormDialog
      title="Confirm your identity"
      className="w-md"
      submit="Confirm"
      busy={confirm.isPending}
      onSubmit={submit}
      onClose={() => onClose(false)}
    >
      <p className="text-quiet">
        {person?.email
          ? 'You last confirmed your identity more than ten minutes ago, and this needs it.'
          : 'This needs the shared password, which you entered more than ten minutes ago.'}
      </p>
      {/* Tells password managers whose password it is. */}
      <input type="email" name="email" autoComplete="username" value={person?.email ?? ''} readOnly hidden />
      {way === 'code' ? (
        <CodeField kind="totp" onChange={setTyped} {...field} />
      ) : (
        <TextField
          label="Password"
          type="password"
          name="password"
          autoComplete="current-password"
          required
          onChange={(event) => setTyped(event.target.value)}
          {...field}
        />
      )}
      {person?.email && session?.ways.single_sign_on && (
        <a href={singleSignOnUrl({ isFresh: true })} className={buttonClass({ variant: 'ghost', size: 'small' })}>
          {session.ways.single_sign_on}, then repeat this
        </a>
      )}
    </FormDialog>
  )
}
