import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useForm } from 'react-hook-form'
import { Login } from '../../../core/contract/session.ts'
import { HttpError } from '../../lib/http.ts'
import { useSignIn } from './api/sign-in.ts'

export function usePasswordForm() {
  const form = useForm({ resolver: standardSchemaResolver(Login), defaultValues: { password: '' } })
  const signIn = useSignIn()

  const submit = form.handleSubmit((login) => {
    signIn.mutate(login, {
      onError: (error) => form.setError('password', { message: explain(error) }, { shouldFocus: true }),
    })
  })

  return { form, submit, isSubmitting: signIn.isPending }
}

function explain(error: Error): string {
  if (error instanceof HttpError && error.status === 401) return 'Invalid password'
  return error.message || 'The server does not answer. Please try again.'
}
