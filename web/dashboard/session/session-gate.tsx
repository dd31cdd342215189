import type { ReactNode } from 'react'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmIdentity } from './confirm-identity.tsx'
import { IdleWatch } from './idle-watch.tsx'
import { PasswordPrompt } from './password-prompt.tsx'
import { SecondStepPrompt } from './second-step-prompt.tsx'
import { TwoStepSetup } from './two-step/setup.tsx'
import { type Gate, useGate } from './use-gate.ts'

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
