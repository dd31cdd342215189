import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useMemo, useState } from 'react'
import { encode } from 'uqr'
import { confirmTotp, type RecoveryCodes, type TotpSetup } from '../../../../core/contract/second-factor.ts'
import { call } from '../../../lib/call.ts'
import { sentenceOf } from '../../../lib/http.ts'
import { Button } from '../../../ui/button.tsx'
import { CodeField } from '../parts.tsx'

type Props = { setup: TotpSetup; onDone: (codes: RecoveryCodes) => void }

/** Shows the secret as a QR code and as text, and activates it with a code of the app. */
export function AppSetup({ setup: { secret, uri }, onDone }: Props) {
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

/** Draws a QR code as one path. */
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
