import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { useForm } from 'react-hook-form'
import { useSearchParams } from 'react-router-dom'
import { z } from 'zod'
import { Email } from '../../../core/contract/forms.ts'
import {
  Login,
  passSecondStep,
  requestReset,
  SINGLE_SIGN_ON_PATH,
  SINGLE_SIGN_ON_PROBLEMS,
  SINGLE_SIGN_ON_RESULT,
  type SingleSignOnProblem,
  signIn,
} from '../../../core/staff/contract/session.ts'
import type { SecondStep } from '../../../core/staff/contract/staff.ts'
import { call } from '../../lib/call.ts'
import { HttpError, sentenceOf } from '../../lib/http.ts'
import { Logo } from '../../shared/logo.tsx'
import { Button, buttonClass, SmallButton } from '../../ui/button.tsx'
import { fieldsOf, TextField } from '../../ui/text-field.tsx'
import { leaveSecondStep, remember, useEntry, useLeave, useSession } from './session.ts'

type CardProps = { title: string; notice: string; isWide?: boolean; children: ReactNode }

export function GateCard({ title, notice, isWide = false, children }: CardProps) {
  return (
    <div
      className={`w-full ${isWide ? 'max-w-2xl' : 'max-w-sm'} rounded-2xl border border-line bg-background p-6 sm:p-8`}
    >
      <div className="text-primary">
        <Logo />
      </div>
      <h1 className="mt-6 font-display text-3xl font-medium text-ink">{title}</h1>
      <p role="status" className="mt-1 text-quiet">
        {notice}
      </p>
      {children}
    </div>
  )
}

type Props = {
  kind: 'totp' | 'recovery_code'
  autoFocus?: boolean
  value: string
  onChange: (typed: string) => void
  error?: string
}

export function CodeField({ kind, onChange, ...input }: Props) {
  const isApp = kind === 'totp'
  return (
    <TextField
      label={isApp ? 'Code' : 'Recovery code'}
      name="code"
      autoComplete={isApp ? 'one-time-code' : 'off'}
      inputMode={isApp ? 'numeric' : 'text'}
      autoCapitalize="none"
      spellCheck={false}
      maxLength={isApp ? 10 : 20}
      required
      onChange={(event) => onChange(event.target.value)}
      {...input}
    />
  )
}

/** Reads the result of single sign-on from the address. Returns the error as a sentence, if there was one. */
export function useSingleSignOnResult(): string | undefined {
  const [address, setAddress] = useSearchParams()
  const result = address.get(SINGLE_SIGN_ON_RESULT)
  const isDone = result === 'done'

  useEffect(() => {
    if (!isDone) return
    remember()
    const next = new URLSearchParams(window.location.search)
    next.delete(SINGLE_SIGN_ON_RESULT)
    setAddress(next, { replace: true, preventScrollReset: true })
  }, [isDone, setAddress])

  return isProblem(result) ? SINGLE_SIGN_ON_PROBLEMS[result] : undefined
}

/** `isFresh`: the identity provider asks for the credentials even if the person is signed in there. */
export function singleSignOnUrl({ isFresh = false } = {}): string {
  const here = new URL(window.location.href)
  here.searchParams.delete(SINGLE_SIGN_ON_RESULT)
  const query = new URLSearchParams({ return: here.pathname + here.search, ...(isFresh && { fresh: '' }) })
  return `${SINGLE_SIGN_ON_PATH}?${query}`
}

function isProblem(result: string | null): result is SingleSignOnProblem {
  return result !== null && Object.hasOwn(SINGLE_SIGN_ON_PROBLEMS, result)
}

export function PasswordPrompt({ notice }: { notice?: string }) {
  const { form, submit, isSubmitting, withAccount, switchWay, ways } = usePasswordForm()
  const [isForgotten, setForgotten] = useState(false)
  const field = fieldsOf(form)
  const usual = withAccount ? 'Enter your email and your password.' : 'Enter the password to continue.'

  if (isForgotten) return <ResetPrompt email={form.getValues('email')} onClose={() => setForgotten(false)} />
  if (ways && !ways.account && !ways.shared && !ways.single_sign_on) return <FirstManager />
  return (
    <GateCard title="Admin Dashboard" notice={notice ?? usual}>
      <form onSubmit={submit} noValidate className="mt-5">
        {withAccount && <TextField label="Email" type="email" autoComplete="username" required {...field('email')} />}
        <TextField label="Password" type="password" autoComplete="current-password" required {...field('password')} />
        <Button type="submit" busy={isSubmitting} className="mt-2 w-full">
          {isSubmitting ? 'Signing in...' : 'Sign in'}
        </Button>
      </form>
      {ways?.single_sign_on && (
        <a href={singleSignOnUrl()} className={`${buttonClass({ variant: 'outline' })} mt-3 w-full`}>
          {ways.single_sign_on}
        </a>
      )}
      <div className="mt-5 grid justify-items-center gap-2 border-t border-line pt-4 text-center">
        {withAccount && (
          <SmallButton variant="ghost" onClick={() => setForgotten(true)}>
            Forgot your password?
          </SmallButton>
        )}
        {(ways?.shared ?? true) && (
          <SmallButton variant="ghost" onClick={switchWay}>
            {withAccount ? 'Use the shared password instead' : 'Use my account instead'}
          </SmallButton>
        )}
      </div>
    </GateCard>
  )
}

function ResetPrompt({ email, onClose }: { email: string; onClose: () => void }) {
  const form = useForm({ resolver: standardSchemaResolver(z.object({ email: Email })), defaultValues: { email } })
  const reset = useMutation({
    mutationFn: (body: { email: string }) => call(requestReset, { body }),
    onError: (error) => form.setError('email', { message: sentenceOf(error, 'email') }, { shouldFocus: true }),
  })
  const sentTo = reset.isSuccess ? reset.variables.email : undefined
  return (
    <GateCard
      title="Reset your password"
      notice={
        sentTo
          ? `If ${sentTo} has an account with a password, a link to choose a new one is on its way. It works once, for an hour.`
          : 'We email you a link to choose a new one.'
      }
    >
      {!sentTo && (
        <form onSubmit={form.handleSubmit((typed) => reset.mutate(typed))} noValidate className="mt-5">
          <TextField
            label="Email"
            type="email"
            autoComplete="username"
            autoFocus
            required
            {...fieldsOf(form)('email')}
          />
          <Button type="submit" busy={reset.isPending} className="mt-2 w-full">
            Email me a link
          </Button>
        </form>
      )}
      <div className="mt-5 grid justify-items-center gap-2 border-t border-line pt-4 text-center">
        {sentTo && <p className="text-sm text-quiet">No email? Look in the spam folder, or ask a manager.</p>}
        <SmallButton variant="ghost" onClick={onClose}>
          Back to the sign-in
        </SmallButton>
      </div>
    </GateCard>
  )
}

function FirstManager() {
  return (
    <GateCard
      title="Admin Dashboard"
      notice="No one can sign in yet. Create the first manager’s account on the server, and open the link that it prints:"
    >
      <pre className="mt-4 rounded-lg border border-line bg-mist px-4 py-3 font-mono text-sm whitespace-pre-wrap text-ink">
        npm run staff -- add --name &quot;Ada Park&quot; --email ada@example.com --role manager
      </pre>
      <p className="mt-3 text-sm text-quiet">
        In a container: <code>node dist/core/cli/staff.js add …</code>
      </p>
    </GateCard>
  )
}

const sharedPassword = standardSchemaResolver(Login.extend({ email: z.string().transform(() => undefined) }))
const ownAccount = standardSchemaResolver(Login.extend({ email: Email }))

type Typed = { email: string; password: string }

function usePasswordForm() {
  const { data: session } = useSession({ enabled: true })
  const { ways } = session ?? {}
  const [chosen, setChosen] = useState<boolean>()
  // Accounts come first if there are any. The shared password may be switched off.
  const withAccount = ways && !ways.shared ? true : (chosen ?? ways?.account ?? false)
  const form = useForm<Typed, unknown, z.output<typeof Login>>({
    resolver: withAccount ? ownAccount : sharedPassword,
    defaultValues: { email: '', password: '' },
  })
  const entry = useEntry((body: z.output<typeof Login>) => call(signIn, { body }))

  const submit = form.handleSubmit((login) => {
    entry.mutate(login, {
      onError: (error) => form.setError('password', { message: explain(error) }, { shouldFocus: true }),
    })
  })

  function switchWay() {
    flushSync(() => setChosen(!withAccount))
    form.clearErrors()
    form.setFocus(withAccount ? 'password' : 'email')
  }

  return { form, submit, isSubmitting: entry.isPending, withAccount, switchWay, ways }
}

/** Describes an error. After too many guesses or sign-ins, the server tells when to try again. */
function explain(error: Error): string {
  if (error instanceof HttpError && error.status === 401) return 'Invalid password'
  if (error instanceof HttpError && [429, 503].includes(error.status)) return error.sentence ?? error.message
  return error.message || 'The server is not responding. Please try again.'
}

export function SecondStepPrompt() {
  const [isRecovering, setRecovering] = useState(false)
  const { leave, isLeaving } = useLeave()
  const kind = isRecovering ? 'recovery_code' : 'totp'
  const notice = isRecovering
    ? 'Enter one of your recovery codes. Each works once.'
    : 'Enter the code that your authenticator app shows.'

  return (
    <GateCard title="Two-step sign-in" notice={notice}>
      <CodeForm key={kind} asked={kind} />
      <div className="mt-5 grid justify-items-center gap-2 border-t border-line pt-4 text-center">
        {isRecovering && (
          <p className="text-sm text-quiet">No code left? Ask a manager to reset your two-step sign-in.</p>
        )}
        <SmallButton variant="ghost" onClick={() => setRecovering(!isRecovering)}>
          {isRecovering ? 'Back' : 'Use a recovery code instead'}
        </SmallButton>
        <SmallButton variant="ghost" busy={isLeaving} onClick={leave}>
          Sign in as someone else
        </SmallButton>
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
