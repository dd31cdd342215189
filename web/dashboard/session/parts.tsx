import type { ReactNode } from 'react'
import { Logo } from '../../shared/logo.tsx'
import { TextField } from '../../ui/text-field.tsx'

type CardProps = { title: string; notice: string; isWide?: boolean; children: ReactNode }

/** Shows a card in the middle of the page, for the steps before the dashboard opens. */
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
