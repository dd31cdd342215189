import { requestSignInPasskey, type Session, signInByPasskey } from '../../../core/contract/session.ts'
import { call } from '../../lib/call.ts'
import { askForPasskey } from '../../lib/passkeys.ts'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/field-error.tsx'
import { sentenceOf } from './sentence-of.ts'
import { useEntry } from './use-entry.ts'

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
