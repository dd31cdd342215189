import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { changePassword, PasswordChange, type Person } from '../../../core/contract/session.ts'
import { call } from '../../lib/call.ts'
import { HttpError } from '../../lib/http.ts'
import { Button } from '../../ui/button.tsx'
import { CloseButton } from '../../ui/close-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import { NewPasswordFields } from './parts.tsx'
import { storeSession } from './session.ts'

export function ChangePasswordDialog({ person, onClose }: { person: Person; onClose: () => void }) {
  return (
    <Dialog
      title="Change password"
      className="w-md max-w-full p-6"
      corner={<CloseButton onClick={onClose} />}
      onClose={onClose}
    >
      <p className="mt-1 text-quiet">You will be signed out in other browsers.</p>
      <PasswordChangeForm email={person.email} onDone={onClose} />
    </Dialog>
  )
}

type Props = { email: string | null; onDone: () => void }

function PasswordChangeForm({ email, onDone }: Props) {
  const { form, submit, isSubmitting } = usePasswordChange(onDone)
  const { errors } = form.formState

  return (
    <form onSubmit={submit} noValidate aria-label="Change password" className="mt-5">
      {/* Tells password managers whose password it is. */}
      <input type="email" name="email" autoComplete="username" value={email ?? ''} readOnly hidden />
      <TextField
        label="Current password"
        type="password"
        autoComplete="current-password"
        required
        error={errors.password?.message}
        {...form.register('password')}
      />
      <NewPasswordFields register={form.register} errors={errors} />
      <Button type="submit" busy={isSubmitting} className="mt-4 w-full">
        {isSubmitting ? 'Saving...' : 'Save password'}
      </Button>
    </form>
  )
}

const TypedTwice = PasswordChange.extend({ repeated: z.string() }).refine(
  ({ new_password, repeated }) => new_password === repeated,
  { path: ['repeated'], error: 'The passwords do not match' },
)

/** Returns the logic of the form that changes the person's own password. */
function usePasswordChange(onDone?: () => void) {
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
