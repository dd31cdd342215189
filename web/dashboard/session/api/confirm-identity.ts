import { useMutation } from '@tanstack/react-query'
import { type IdentityConfirmation, PasskeyOptions } from '../../../../core/contract/second-factor.ts'
import { Session } from '../../../../core/contract/session.ts'
import { call } from '../../../lib/http.ts'
import { askForPasskey } from '../../../lib/passkeys.ts'
import { staffEndpoints } from '../../../paths.ts'

/** Confirms one's identity with what was typed: the password, or a code of the app. */
export function confirmIdentity(body: IdentityConfirmation): Promise<Session> {
  return call(staffEndpoints.confirm, { method: 'POST', body, answer: Session })
}

/** The same with a passkey of the account. */
export async function confirmByPasskey(): Promise<Session> {
  const options = await call(staffEndpoints.confirmPasskey, { method: 'POST', answer: PasskeyOptions })
  return confirmIdentity({ passkey: await askForPasskey(options) })
}

/** Without a body: by a passkey. */
export function useConfirmation() {
  return useMutation({
    mutationFn: (typed: IdentityConfirmation | undefined) => (typed ? confirmIdentity(typed) : confirmByPasskey()),
  })
}
