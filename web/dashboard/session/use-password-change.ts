import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { PasswordChange } from '../../../core/contract/session.ts'
import { HttpError } from '../../lib/http.ts'
import { toast } from '../../ui/toast.ts'
import { useChangePassword } from './api/change-password.ts'

const TypedTwice = PasswordChange.extend({ repeated: z.string() }).refine(
  ({ new_password, repeated }) => new_password === repeated,
  { path: ['repeated'], error: 'The passwords do not match' },
)

/** Choosing a password of one's own. */
export function usePasswordChange(onDone?: () => void) {
  const form = useForm({
    resolver: standardSchemaResolver(TypedTwice),
    defaultValues: { password: '', new_password: '', repeated: '' },
  })
  const change = useChangePassword()

  const submit = form.handleSubmit(({ repeated: _, ...passwords }) => {
    change.mutate(passwords, {
      onSuccess: () => {
        toast({ title: 'Success', description: 'Your password has been changed' })
        onDone?.()
      },
      onError: (error) => showError(error),
    })
  })

  function showError(error: Error) {
    const { fields = {}, sentence } = error instanceof HttpError ? error : {}
    const field = fields.new_password ? 'new_password' : 'password'
    const message = fields[field] ?? sentence ?? error.message
    form.setError(
      field,
      { message: message || 'The server is not responding. Please try again.' },
      { shouldFocus: true },
    )
  }

  return { form, submit, isSubmitting: change.isPending }
}
