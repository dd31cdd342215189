import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Logo } from '../../shared/logo.tsx'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { useIsRemembered } from './auth-storage.ts'
import { ConfirmIdentity } from './confirm-identity.tsx'
import { IdleWatch } from './idle-watch.tsx'
import { PasswordPrompt, SecondStepPrompt } from './password-prompt.tsx'
import { useLeave, useSession } from './session.ts'
import { useSingleSignOnResult } from './single-sign-on.ts'
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
