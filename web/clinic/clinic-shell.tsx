import { type FormEvent, type ReactNode, useState } from 'react'
import { type CalledPlace, callingAt } from '../../core/contract/hours.ts'
import { sentenceOf } from '../lib/http.ts'
import { PlainShell } from '../shared/plain-shell.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm.tsx'
import { TextField } from '../ui/text-field.tsx'

type Props = {
  children: ReactNode
  footer?: ReactNode
  isWide?: boolean
}

export function ClinicShell({ children, footer, isWide = false }: Props) {
  const width = isWide ? 'max-w-5xl' : 'max-w-2xl'
  return (
    <PlainShell footer={footer} width={width}>
      <div
        className={`mx-auto grid w-full ${width} grow grid-cols-[minmax(0,1fr)] content-start gap-4 px-4 pt-4 pb-10 sm:gap-5 sm:px-6 sm:pt-8`}
      >
        {children}
      </div>
    </PlainShell>
  )
}

export function Card({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <section className="grid gap-3 rounded-2xl border border-line bg-white p-4 sm:p-6">
      {title && <h2 className="text-lg font-semibold text-ink">{title}</h2>}
      {children}
    </section>
  )
}

export function PageTitle({ children }: { children: ReactNode }) {
  return (
    <h1 className="font-display text-3xl leading-tight font-medium text-ink wrap-anywhere sm:text-4xl">{children}</h1>
  )
}

type EmailFormProps = {
  submit: string
  /** Absent where it is the address of somebody else. */
  autoComplete?: 'email'
  email: string
  onType: (email: string) => void
  sending: { isPending: boolean; error: Error | null; mutate: () => void }
}

export function EmailForm({ submit, autoComplete, email, onType, sending }: EmailFormProps) {
  return (
    <form noValidate onSubmit={instead(sending.mutate)}>
      <TextField
        label="Email address"
        type="email"
        name="email"
        autoComplete={autoComplete}
        required
        value={email}
        onChange={(event) => onType(event.target.value)}
        error={sending.error ? sentenceOf(sending.error, 'email') : undefined}
      />
      <Button type="submit" busy={sending.isPending}>
        {submit}
      </Button>
    </form>
  )
}

/** Returns a submit handler that runs `act` instead of the browser's own submission. */
export function instead(act: (form: HTMLFormElement) => void) {
  return (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    act(event.currentTarget)
  }
}

type CallLinkProps = {
  dial: string
  place: CalledPlace | null
  className?: string
  children: ReactNode
}

/** Dials the number of a visitor. Asks first outside the hours in which one may call there. */
export function CallLink({ dial, place, className, children }: CallLinkProps) {
  const [asked, setAsked] = useState<string | null>(null)
  const url = `tel:${dial}`
  return (
    <>
      <a
        href={url}
        className={className}
        onClick={(event) => {
          const calling = place && callingAt(place, Date.now())
          if (!calling || calling.isAllowed) return
          event.preventDefault()
          setAsked(calling.words)
        }}
      >
        {children}
      </a>
      {asked && (
        <ConfirmDialog
          title="Call now?"
          variant="primary"
          confirmLabel="Call anyway"
          onConfirm={() => {
            setAsked(null)
            window.location.assign(url)
          }}
          onClose={() => setAsked(null)}
        >
          <p>{asked}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
