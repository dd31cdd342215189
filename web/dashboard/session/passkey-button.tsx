import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/field-error.tsx'
import { usePasskeySignIn } from './api/sign-in.ts'
import { sentenceOf } from './sentence-of.ts'

/** Signs in with a passkey, or completes a sign-in with it. */
export function PasskeyButton({ label, isMain = false }: { label: string; isMain?: boolean }) {
  const signIn = usePasskeySignIn()
  return (
    <div className="mt-3">
      <Button
        variant={isMain ? 'primary' : 'outline'}
        className="w-full"
        busy={signIn.isPending}
        onClick={() => signIn.mutate()}
      >
        {label}
      </Button>
      <FieldError id="passkey-error" error={signIn.error ? sentenceOf(signIn.error) : undefined} />
    </div>
  )
}
