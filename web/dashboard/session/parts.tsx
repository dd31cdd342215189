import { type ReactNode, useId } from 'react'
import type { FieldErrors, UseFormRegister } from 'react-hook-form'
import { requestSignInPasskey, type Session, signInByPasskey } from '../../../core/staff/contract/session.ts'
import { MIN_PASSWORD_LENGTH } from '../../../core/staff/contract/staff.ts'
import { call } from '../../lib/call.ts'
import { sentenceOf } from '../../lib/http.ts'
import { Logo } from '../../shared/logo.tsx'
import { Button } from '../../ui/button.tsx'
import { FieldError, TextField } from '../../ui/text-field.tsx'
import { askForPasskey } from './passkeys.ts'
import { useEntry } from './session.ts'

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

/** Renders two fields for a new password, with the rules for a good one. */
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

/** Signs in with a passkey, or completes a sign-in with it. */
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

/** Shows one kind of factor and its purpose. */
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
