import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { changePassword, PasswordChange } from '../../../core/contract/session.ts'
import { call } from '../../lib/call.ts'
import { HttpError } from '../../lib/http.ts'
import { toast } from '../../ui/toast.ts'
import { storeSession } from './session.ts'

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
  const client = useQueryClient()
  const change = useMutation({
    mutationFn: (body: z.output<typeof PasswordChange>) => call(changePassword, { body }),
    onSuccess: (session) => {
      storeSession(client, session)
      // The other sessions have ended.
      return client.invalidateQueries({ queryKey: ['staff', 'sessions'] })
    },
  })

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
