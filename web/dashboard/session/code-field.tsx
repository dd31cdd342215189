import { TextField } from '../../ui/text-field.tsx'

type Props = {
  kind: 'totp' | 'recovery_code'
  autoFocus?: boolean
  value: string
  onChange: (typed: string) => void
  error?: string
}

/** A code of an authenticator app, which phones offer to fill in, or a recovery code. */
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
