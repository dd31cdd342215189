import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Factor, SecondStep } from '../../../core/contract/second-factor.ts'
import { passSecondStep } from '../../../core/contract/session.ts'
import { call } from '../../lib/call.ts'
import { HttpError, sentenceOf } from '../../lib/http.ts'
import { Button } from '../../ui/button.tsx'
import { CodeField, GateCard, PasskeyButton } from './parts.tsx'
import { canUsePasskeys } from './passkeys.ts'
import { leaveSecondStep, useEntry, useLeave } from './session.ts'

const NOTICES = {
  totp: 'Enter the code that your authenticator app shows.',
  recovery_code: 'Enter one of your recovery codes. Each works once.',
  passkey: 'Use your passkey to sign in.',
} as const

/** Asks for the second step of a sign-in. */
export function SecondStepPrompt({ factors }: { factors: Factor[] }) {
  const [isRecovering, setRecovering] = useState(false)
  const { leave, isLeaving } = useLeave()
  const hasApp = factors.includes('totp')
  const asked = isRecovering ? 'recovery_code' : hasApp ? 'totp' : 'passkey'

  return (
    <GateCard title="Two-step sign-in" notice={NOTICES[asked]}>
      {asked !== 'passkey' && <CodeForm key={asked} asked={asked} />}
      {factors.includes('passkey') && canUsePasskeys() && (
        <PasskeyButton label="Use a passkey" isMain={asked === 'passkey'} />
      )}
      <div className="mt-5 grid justify-items-center gap-2 border-t border-line pt-4 text-center">
        {isRecovering && (
          <p className="text-sm text-quiet">No code left? Ask a manager to reset your two-step sign-in.</p>
        )}
        <Button variant="ghost" size="small" onClick={() => setRecovering(!isRecovering)}>
          {isRecovering ? 'Back' : 'Use a recovery code instead'}
        </Button>
        <Button variant="ghost" size="small" busy={isLeaving} onClick={leave}>
          Sign in as someone else
        </Button>
      </div>
    </GateCard>
  )
}

function CodeForm({ asked }: { asked: 'totp' | 'recovery_code' }) {
  const [typed, setTyped] = useState('')
  const client = useQueryClient()
  const step = useEntry((body: SecondStep) => call(passSecondStep, { body }))

  function submit(event: FormEvent) {
    event.preventDefault()
    step.mutate(asked === 'totp' ? { code: typed } : { recovery_code: typed }, {
      // An expired sign-in starts again with the password.
      onError: (error) => error instanceof HttpError && error.status === 401 && leaveSecondStep(client),
    })
  }

  return (
    <form onSubmit={submit} noValidate className="mt-5">
      <CodeField
        kind={asked}
        autoFocus
        value={typed}
        onChange={setTyped}
        error={step.error ? sentenceOf(step.error) : undefined}
      />
      <Button type="submit" busy={step.isPending} className="mt-2 w-full">
        {step.isPending ? 'Signing in...' : 'Sign in'}
      </Button>
    </form>
  )
}
