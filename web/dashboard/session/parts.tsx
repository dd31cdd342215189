import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import type { FieldErrors, UseFormRegister } from 'react-hook-form'
import {
  deviceName,
  endSession,
  listSessions,
  type OpenSession,
  requestSignInPasskey,
  type Session,
  signInByPasskey,
} from '../../../core/staff/contract/session.ts'
import type { NewPasskey, PasskeyAnswer, PasskeyOptions } from '../../../core/staff/contract/staff.ts'
import { MIN_PASSWORD_LENGTH } from '../../../core/staff/contract/staff.ts'
import { act, call } from '../../lib/call.ts'
import { formatMoment, formatSince } from '../../lib/dates.ts'
import { sentenceOf } from '../../lib/http.ts'
import { Logo } from '../../shared/logo.tsx'
import { ActionButton } from '../../ui/action-button.tsx'
import { Button } from '../../ui/button.tsx'
import { Badge } from '../../ui/feedback.tsx'
import { Loaded } from '../../ui/load-error.tsx'
import { FieldError, TextField } from '../../ui/text-field.tsx'
import { useEntry } from './session.ts'

export const canUsePasskeys = browserSupportsWebAuthn

/**
 * Creates a passkey on this device or on another one that the person chooses. @throws Error with a sentence if the
 * person cancels or the device cannot
 */
export async function createPasskey(options: PasskeyOptions): Promise<NewPasskey['passkey']> {
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
  const made = await startRegistration({ optionsJSON }).catch((error: Error) => {
    // The device already has one of the excluded passkeys (WebAuthn, 5.1.3).
    if (error.name === 'InvalidStateError') throw new Error('This device has a passkey for your account already.')
    throw new Error('No passkey was made. Please try again.')
  })
  return made as unknown as NewPasskey['passkey']
}

/** Asks for a passkey. @throws Error with a sentence if the person does not use one */
export async function askForPasskey(options: PasskeyOptions): Promise<PasskeyAnswer> {
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
  const answer = await startAuthentication({ optionsJSON }).catch(() => {
    throw new Error('No passkey was used. Please try again.')
  })
  return answer as unknown as PasskeyAnswer
}

/** Shows a card in the middle of the page, for the steps before the dashboard opens. */
export function GateCard({ title, notice, children }: { title: string; notice: string; children: ReactNode }) {
  return (
    <div className="w-full max-w-sm rounded-2xl border border-line bg-background p-6 sm:p-8">
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

/** Renders the field for a code of an authenticator app, which phones can fill in, or for a recovery code. */
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

type Typed = { new_password: string; repeated: string }

export function NewPasswordFields({
  register,
  errors,
}: {
  register: UseFormRegister<Typed>
  errors: FieldErrors<Typed>
}) {
  return (
    <>
      <TextField
        label="New password"
        type="password"
        autoComplete="new-password"
        required
        error={errors.new_password?.message}
        {...register('new_password')}
      />
      <TextField
        label="Confirm new password"
        type="password"
        autoComplete="new-password"
        required
        error={errors.repeated?.message}
        {...register('repeated')}
      />
      <p className="text-sm text-quiet">
        {MIN_PASSWORD_LENGTH} characters or more. A few words in a row are easy to remember and hard to guess.
      </p>
    </>
  )
}

export function PasskeyButton({ label, isMain = false }: { label: string; isMain?: boolean }) {
  const entry = useEntry(enter)
  return (
    <div className="mt-3">
      <Button
        variant={isMain ? 'primary' : 'outline'}
        className="w-full"
        busy={entry.isPending}
        onClick={() => entry.mutate()}
      >
        {label}
      </Button>
      <FieldError id="passkey-error" error={entry.error ? sentenceOf(entry.error) : undefined} />
    </div>
  )
}

async function enter(): Promise<Session> {
  const passkey = await askForPasskey(await call(requestSignInPasskey))
  return call(signInByPasskey, { body: { passkey } })
}

type PartProps = { title: string; badge?: ReactNode; words: string; action?: ReactNode; children?: ReactNode }

export function Part({ title, badge, words, action, children }: PartProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="py-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          <h3 id={id} className="flex flex-wrap items-center gap-2 font-semibold text-ink">
            {title}
            {badge}
          </h3>
          <p className="text-sm text-quiet">{words}</p>
        </div>
        {action}
      </div>
      {children}
    </section>
  )
}

/** All sessions are for managers only. */
type Whose = 'me' | 'everybody'

/** Lists the signed-in browsers, each with a button that ends its session; the current session has none. */
export function SessionList({ of }: { of: Whose }) {
  const query = useQuery({
    // The accounts show the number of sessions, so both are read again together.
    queryKey: ['staff', 'sessions', of],
    queryFn: () => call(listSessions, { query: { of } }),
    // Sessions change at any time, so they are read again whenever they are shown.
    refetchOnMount: 'always',
  })
  return (
    <Loaded of={query} fallback="Failed to load sessions" className="h-16 w-full">
      {({ sessions }) => <Sessions sessions={sessions} of={of} />}
    </Loaded>
  )
}

function Sessions({ sessions, of }: { sessions: OpenSession[]; of: Whose }) {
  if (sessions.length === 0) return <p className="py-4 text-quiet">No one is signed in.</p>
  return (
    <ul aria-label={of === 'me' ? 'My sessions' : 'Sessions'} className="divide-y divide-line">
      {sessions.map((session) => (
        <li key={session.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
          <SessionWords session={session} withOwner={of === 'everybody'} />
          {!session.current && (
            <ActionButton
              aria-label={`End session of ${ownerOf(session)} in ${deviceName(session.user_agent)}`}
              act={() => act(endSession, { params: { id: session.id } })}
              done="Session ended"
              failed="Failed to end session"
              changes="staff"
            >
              End session
            </ActionButton>
          )}
        </li>
      ))}
    </ul>
  )
}

function SessionWords({ session, withOwner }: { session: OpenSession; withOwner: boolean }) {
  return (
    <div className="min-w-0">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold text-ink">
        <span className="wrap-anywhere">
          {withOwner && `${ownerOf(session)}: `}
          {deviceName(session.user_agent)}
        </span>
        {session.current && <Badge tone="good">This browser</Badge>}
      </p>
      <p className="text-sm text-quiet wrap-anywhere">
        Last used {formatSince(session.last_seen_at)}
        {session.ip && `, from ${session.ip}`}. Signed in {formatMoment(session.created_at)}.
      </p>
    </div>
  )
}

function ownerOf({ account }: OpenSession): string {
  return account?.name ?? 'Shared password'
}
