import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { PasskeyOptions, type SecondStep } from '../../../../core/contract/second-factor.ts'
import { type Login, Session } from '../../../../core/contract/session.ts'
import { call, HttpError } from '../../../lib/http.ts'
import { askForPasskey } from '../../../lib/passkeys.ts'
import { endpoints, staffEndpoints } from '../../../paths.ts'
import { remember } from '../auth-storage.ts'
import { leaveSecondStep, storeSession } from './get-session.ts'

export function signIn(body: z.output<typeof Login>): Promise<Session> {
  return call(endpoints.session, { method: 'POST', body, answer: Session })
}

/** Completes a sign-in with a code. */
export function passSecondStep(body: SecondStep): Promise<Session> {
  return call(staffEndpoints.secondStep, { method: 'POST', body, answer: Session })
}

/** Signs in with a passkey, or completes a sign-in with it. */
export async function signInByPasskey(): Promise<Session> {
  const options = await call(staffEndpoints.passkeyOptions, { method: 'POST', answer: PasskeyOptions })
  const passkey = await askForPasskey(options)
  return call(staffEndpoints.passkey, { method: 'POST', body: { passkey }, answer: Session })
}

/** A step of a sign-in, after which the page knows where it stands. */
export function useEntry<Input = void>(enter: (input: Input) => Promise<Session>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: enter,
    onSuccess: (session) => {
      if (session.authenticated) remember()
      storeSession(client, session)
    },
  })
}

export const useSignIn = () => useEntry(signIn)
export const usePasskeySignIn = () => useEntry(signInByPasskey)

/** As above. When the sign-in has ended meanwhile, the password is asked for again. */
export function useSecondStep() {
  const client = useQueryClient()
  const step = useEntry(passSecondStep)
  const hasEnded = (error: Error) => error instanceof HttpError && error.status === 401
  return {
    ...step,
    pass: (body: SecondStep) => step.mutate(body, { onError: (error) => hasEnded(error) && leaveSecondStep(client) }),
  }
}
