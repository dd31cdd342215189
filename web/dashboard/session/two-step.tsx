import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useId, useMemo, useState } from 'react'
import { encode } from 'uqr'
import { brand } from '../../../core/brand/brand.ts'
import {
  confirmTotp,
  getSecondFactor,
  type RecoveryCodes,
  removeFactor,
  renewRecoveryCodes,
  type SecondFactor,
  setUpTotp,
  type TotpSetup,
} from '../../../core/staff/contract/staff.ts'
import { act, call } from '../../lib/call.ts'
import { formatDay } from '../../lib/dates.ts'
import { sentenceOf } from '../../lib/http.ts'
import { countOf } from '../../lib/numbers.ts'
import { ConfirmAction } from '../../ui/action-button.tsx'
import { Button, buttonClass, SmallButton } from '../../ui/button.tsx'
import { Badge } from '../../ui/feedback.tsx'
import { Loaded } from '../../ui/load-error.tsx'
import { toast } from '../../ui/toast.ts'
import { useAction } from '../../ui/use-action.ts'
import { CodeField } from './password-prompt.tsx'

export function TwoStepSettings({ onCodesSaved }: { onCodesSaved?: () => void }) {
  const query = useQuery({
    queryKey: ['second-factor'],
    queryFn: () => call(getSecondFactor),
    refetchOnMount: 'always',
  })
  const [codes, setCodes] = useState<string[]>()
  const showCodes = ({ recovery_codes }: RecoveryCodes) => setCodes(recovery_codes)

  if (codes) {
    return (
      <RecoveryCodeList
        codes={codes}
        onSaved={() => {
          setCodes(undefined)
          onCodesSaved?.()
        }}
      />
    )
  }
  return (
    <Loaded of={query} fallback="Failed to load two-step sign-in" className="h-40 w-full">
      {(factor) => (
        <div className="divide-y divide-line">
          <App since={factor.totp_since} isRequired={factor.required} onCodes={showCodes} />
          <Recovery factor={factor} onCodes={showCodes} />
        </div>
      )}
    </Loaded>
  )
}

type CodesProps = { onCodes: (codes: RecoveryCodes) => void }

function App({ since, isRequired, onCodes }: CodesProps & { since: string | null; isRequired: boolean }) {
  const setup = useAction({
    act: () => call(setUpTotp),
    failed: 'Failed to set up the app',
    changes: 'second-factor',
  })
  return (
    <Part
      title="Authenticator app"
      badge={since && <Badge tone="good">On since {formatDay(since)}</Badge>}
      words="An app on your phone shows a new code every 30 seconds, even offline."
      action={
        !setup.data && (
          <div className="flex flex-wrap gap-2">
            <SmallButton busy={setup.isPending} onClick={() => setup.mutate()}>
              {since ? 'Set up on another phone' : 'Set up an app'}
            </SmallButton>
            {since && !isRequired && (
              <ConfirmAction
                label="Turn off"
                title="Turn the authenticator app off?"
                danger
                act={() => act(removeFactor)}
                done="Authenticator app turned off"
                failed="Failed to turn off the authenticator app"
                changes="second-factor"
              >
                Its codes stop working. You can delete the entry in the app.
              </ConfirmAction>
            )}
          </div>
        )
      }
    >
      {setup.data && (
        <AppSetup
          setup={setup.data}
          onDone={(codes) => {
            setup.reset()
            onCodes(codes)
          }}
        />
      )}
    </Part>
  )
}

function Recovery({ factor, onCodes }: CodesProps & { factor: SecondFactor }) {
  const left = factor.recovery_codes_left
  if (!factor.totp_since) return null
  return (
    <Part
      title="Recovery codes"
      badge={<Badge tone={left > 2 ? 'good' : 'bad'}>{countOf(left, 'code')} left</Badge>}
      words="For a lost phone. Each works once."
      action={
        <ConfirmAction
          label="Make new codes"
          title="Make new recovery codes?"
          act={() => call(renewRecoveryCodes)}
          done={onCodes}
          failed="Failed to make recovery codes"
          changes="second-factor"
        >
          Your current codes stop working.
        </ConfirmAction>
      }
    />
  )
}

function RecoveryCodeList({ codes, onSaved }: { codes: string[]; onSaved: () => void }) {
  const text = `Recovery codes for the ${brand.company} dashboard. Each works once.\n\n${codes.join('\n')}\n`

  async function copy() {
    await navigator.clipboard.writeText(codes.join('\n')).then(
      () => toast({ title: 'Success', description: 'The codes are copied' }),
      () => toast({ variant: 'destructive', title: 'Failed to copy', description: 'Select the codes and copy them.' }),
    )
  }

  return (
    <section aria-labelledby="new-recovery-codes" className="pt-5">
      <h3 id="new-recovery-codes" className="font-semibold text-ink">
        Save your recovery codes
      </h3>
      <p className="text-sm text-quiet">Use one to sign in if you lose your phone. They are not shown again.</p>
      <ul
        aria-label="Recovery codes"
        className="mt-4 grid grid-cols-2 gap-x-6 gap-y-1.5 rounded-lg border border-line bg-mist px-4 py-3 font-mono text-ink select-all"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap gap-3">
        <Button variant="outline" onClick={copy}>
          Copy
        </Button>
        <a
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="recovery-codes.txt"
          className={buttonClass({ variant: 'outline' })}
        >
          Download
        </a>
        <Button onClick={onSaved}>I have saved them</Button>
      </div>
    </section>
  )
}

type PartProps = { title: string; badge?: ReactNode; words: string; action?: ReactNode; children?: ReactNode }

function Part({ title, badge, words, action, children }: PartProps) {
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

function AppSetup({ setup: { secret, uri }, onDone }: { setup: TotpSetup; onDone: (codes: RecoveryCodes) => void }) {
  const [code, setCode] = useState('')
  const client = useQueryClient()
  const confirm = useMutation({
    mutationFn: () => call(confirmTotp, { body: { secret, code } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['second-factor'] }),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    confirm.mutate(undefined, { onSuccess: onDone })
  }

  return (
    <div className="mt-4 grid gap-5 sm:grid-cols-[11rem_1fr]">
      <QrCode text={uri} />
      <div className="min-w-0">
        <p className="text-sm">Scan this with the app, or type in the key:</p>
        <p className="mt-1 font-mono text-sm text-ink wrap-anywhere select-all">{inFours(secret)}</p>
        <form onSubmit={submit} noValidate className="mt-4" aria-label="Turn on the authenticator app">
          <CodeField
            kind="totp"
            value={code}
            onChange={setCode}
            error={confirm.error ? sentenceOf(confirm.error) : undefined}
          />
          <Button type="submit" busy={confirm.isPending}>
            Turn on
          </Button>
        </form>
      </div>
    </div>
  )
}

/** Splits a key into groups of four, which are easier to type. */
const inFours = (secret: string) => secret.replace(/.{4}(?=.)/g, '$& ')

/** The quiet zone around a QR code, in modules (ISO/IEC 18004, 5.3.8). */
const QUIET_ZONE = 4

function QrCode({ text }: { text: string }) {
  const { size, path } = useMemo(() => {
    const { data } = encode(text, { border: QUIET_ZONE })
    const squares = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    return { size: data.length, path: squares.join('') }
  }, [text])
  return (
    <svg
      role="img"
      aria-label="QR code for the authenticator app"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="w-44 max-w-full rounded-lg border border-line bg-background"
    >
      <path d={path} fill="black" />
    </svg>
  )
}
