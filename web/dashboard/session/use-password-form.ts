import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { Email } from '../../../core/contract/forms.ts'
import { Login, signIn } from '../../../core/contract/session.ts'
import { call } from '../../lib/call.ts'
import { HttpError } from '../../lib/http.ts'
import { canUsePasskeys } from '../../lib/passkeys.ts'
import { useSession } from './session.ts'
import { useEntry } from './use-entry.ts'

const sharedPassword = standardSchemaResolver(Login.extend({ email: z.string().transform(() => undefined) }))
const ownAccount = standardSchemaResolver(Login.extend({ email: Email }))

type Typed = { email: string; password: string }

/** Signing in with the password that the staff share, or with an account of one's own. */
export function usePasswordForm() {
  const { data: session } = useSession({ enabled: true })
  const { ways } = session ?? {}
  const [chosen, setChosen] = useState<boolean>()
  // Where there are accounts they are the way in. The shared password may be gone.
  const withAccount = ways && !ways.shared ? true : (chosen ?? ways?.account ?? false)
  const form = useForm<Typed, unknown, z.output<typeof Login>>({
    resolver: withAccount ? ownAccount : sharedPassword,
    defaultValues: { email: '', password: '' },
  })
  const entry = useEntry((body: z.output<typeof Login>) => call(signIn, { body }))

  const submit = form.handleSubmit((login) => {
    entry.mutate(login, {
      onError: (error) => form.setError('password', { message: explain(error) }, { shouldFocus: true }),
    })
  })

  function switchWay() {
    flushSync(() => setChosen(!withAccount))
    form.clearErrors()
    form.setFocus(withAccount ? 'password' : 'email')
  }

  const singleSignOn = ways?.single_sign_on ?? null
  const isEmpty = ways !== undefined && !ways.account && !ways.shared && singleSignOn === null
  const canSwitch = ways?.shared ?? true
  const canUsePasskey = Boolean(withAccount && ways?.passkey && canUsePasskeys())
  const isSubmitting = entry.isPending
  return { form, submit, isSubmitting, withAccount, switchWay, canSwitch, isEmpty, canUsePasskey, singleSignOn }
}

/** Says what is wrong. After too many guesses, and while too many sign in, the server says when to try again. */
function explain(error: Error): string {
  if (error instanceof HttpError && error.status === 401) return 'Invalid password'
  if (error instanceof HttpError && [429, 503].includes(error.status)) return error.sentence ?? error.message
  return error.message || 'The server is not responding. Please try again.'
}
