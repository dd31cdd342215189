import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { choosePassword } from '../../../core/contract/session.ts'
import { PasswordByLink } from '../../../core/contract/staff.ts'
import { call } from '../../lib/call.ts'
import { HttpError } from '../../lib/http.ts'
import { useEntry } from './use-entry.ts'

const TypedTwice = PasswordByLink.pick({ new_password: true })
  .extend({ repeated: z.string() })
  .refine(({ new_password, repeated }) => new_password === repeated, {
    path: ['repeated'],
    error: 'The passwords do not match',
  })

/** Choosing a password with a link. */
export function useChoosePasswordForm(token: string, onDone: () => void) {
  const form = useForm({
    resolver: standardSchemaResolver(TypedTwice),
    defaultValues: { new_password: '', repeated: '' },
  })
  // Signs in with it, as far as the account has no second step.
  const choose = useEntry((new_password: string) => call(choosePassword, { body: { token, new_password } }))

  const submit = form.handleSubmit(({ new_password }) => {
    choose.mutate(new_password, { onSuccess: onDone, onError: showError })
  })

  function showError(error: Error) {
    const { fields = {}, sentence } = error instanceof HttpError ? error : {}
    const message =
      (fields.new_password ?? sentence ?? error.message) || 'The server is not responding. Please try again.'
    form.setError('new_password', { message }, { shouldFocus: true })
  }

  return { form, submit, isSubmitting: choose.isPending }
}
