import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useMemo, useState } from 'react'
import { encode } from 'uqr'
import { brand } from '../../../core/brand/brand.ts'
import { deviceName } from '../../../core/staff/contract/session.ts'
import {
  addPasskey,
  confirmTotp,
  getSecondFactor,
  type Passkey,
  type RecoveryCodes,
  removeFactor,
  renewRecoveryCodes,
  requestNewPasskey,
  type SecondFactor,
  setUpTotp,
  type TotpSetup,
} from '../../../core/staff/contract/staff.ts'
import { act, call } from '../../lib/call.ts'
import { formatDay, formatSince } from '../../lib/dates.ts'
import { sentenceOf } from '../../lib/http.ts'
import { countOf } from '../../lib/numbers.ts'
import { ConfirmAction } from '../../ui/action-button.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Badge } from '../../ui/feedback.tsx'
import { Loaded } from '../../ui/load-error.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import { useAction } from '../../ui/use-action.ts'
import { CodeField, canUsePasskeys, createPasskey, Part } from './parts.tsx'

type Props = { passkeys: Passkey[]; onCodes: (codes: RecoveryCodes) => void }

export function Passkeys({ passkeys, onCodes }: Props) {
  const [isAdding, setAdding] = useState(false)
  return (
    <Part
      title="Passkeys"
      words="Your fingerprint, face or PIN on this device, or a security key. A passkey signs you in without a password."
      action={
        canUsePasskeys() &&
        !isAdding && (
          <Button variant="outline" size="small" onClick={() => setAdding(true)}>
            Add a passkey
          </Button>
        )
      }
    >
      {passkeys.length > 0 && (
        <ul aria-label="Passkeys" className="mt-3 divide-y divide-line border-y border-line">
          {passkeys.map(({ id, name, created_at, last_used_at }) => (
            <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2.5">
              <div className="min-w-0">
                <p className="font-semibold text-ink wrap-anywhere">{name}</p>
                <p className="text-sm text-quiet">
                  Added {formatDay(created_at)}
                  {last_used_at && `, last used ${formatSince(last_used_at)}`}
                </p>
              </div>
              <ConfirmAction
                label="Remove"
                title="Remove this passkey?"
                danger
                act={() => act(removeFactor, { params: { id } })}
                done="Passkey removed"
                failed="Failed to remove the passkey"
                changes="second-factor"
              >
                “{name}” can no longer sign you in. You can delete it on the device, too.
              </ConfirmAction>
            </li>
          ))}
        </ul>
      )}
      {isAdding && (
        <NewPasskeyForm
          onDone={(codes) => {
            setAdding(false)
            onCodes(codes)
          }}
          onCancel={() => setAdding(false)}
        />
      )}
    </Part>
  )
}

function NewPasskeyForm({ onDone, onCancel }: { onDone: Props['onCodes']; onCancel: () => void }) {
  const [name, setName] = useState(() => deviceName(navigator.userAgent))
  const add = useAction({
    act: async () => {
      const passkey = await createPasskey(await call(requestNewPasskey))
      return call(addPasskey, { body: { name, passkey } })
    },
    done: 'Passkey added',
    failed: 'Failed to add the passkey',
    changes: 'second-factor',
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    add.mutate(undefined, { onSuccess: onDone })
  }

  return (
    <form onSubmit={submit} noValidate aria-label="Add a passkey" className="mt-4">
      <TextField
        label="Name"
        autoFocus
        autoComplete="off"
        required
        maxLength={60}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={add.isPending} disabled={name.trim() === ''}>
          Continue
        </Button>
        <Button variant="outline" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

export function TwoStepSettings({ onCodesSaved }: { onCodesSaved?: () => void }) {
  const query = useQuery({
    queryKey: ['second-factor'],
    queryFn: () => call(getSecondFactor),
    refetchOnMount: 'always',
  })
  const [codes, setCodes] = useState<string[]>()
  const showCodes = ({ recovery_codes }: RecoveryCodes) => setCodes(recovery_codes ?? undefined)

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
          <App since={factor.totp_since} onCodes={showCodes} />
          <Passkeys passkeys={factor.passkeys} onCodes={showCodes} />
          <Recovery factor={factor} onCodes={showCodes} />
        </div>
      )}
    </Loaded>
  )
}

type CodesProps = { onCodes: (codes: RecoveryCodes) => void }

function App({ since, onCodes }: CodesProps & { since: string | null }) {
  const setup = useAction({
    act: () => call(setUpTotp),
    failed: 'Failed to set up the app',
    changes: 'second-factor',
  })
  const action = since ? (
    <ConfirmAction
      label="Turn off"
      title="Turn the authenticator app off?"
      danger
      act={() => act(removeFactor, { params: { id: 'totp' } })}
      done="Authenticator app turned off"
      failed="Failed to turn off the authenticator app"
      changes="second-factor"
    >
      Its codes stop working. You can delete the entry in the app.
    </ConfirmAction>
  ) : (
    !setup.data && (
      <Button variant="outline" size="small" busy={setup.isPending} onClick={() => setup.mutate()}>
        Set up an app
      </Button>
    )
  )
  return (
    <Part
      title="Authenticator app"
      badge={since && <Badge tone="good">On since {formatDay(since)}</Badge>}
      words="An app on your phone shows a new code every 30 seconds, even offline."
      action={action}
    >
      {!since && setup.data && (
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
  if (!factor.totp_since && factor.passkeys.length === 0) return null
  return (
    <Part
      title="Recovery codes"
      badge={<Badge tone={left > 2 ? 'good' : 'bad'}>{countOf(left, 'code')} left</Badge>}
      words="For a lost phone or passkey. Each works once."
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
      <p className="text-sm text-quiet">
        Use one to sign in if you lose your phone or passkey. They are not shown again.
      </p>
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

/** Shows the secret as a QR code and as text, and activates it with a code of the app. */
function AppSetup({ setup: { secret, uri }, onDone }: { setup: TotpSetup; onDone: (codes: RecoveryCodes) => void }) {
  const [code, setCode] = useState('')
  const client = useQueryClient()
  const confirm = useMutation({
    mutationFn: () => call(confirmTotp, { body: { code } }),
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
