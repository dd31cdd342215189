import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { addStaff, NewStaff, StaffRole } from '../../../core/contract/staff.ts'
import { call } from '../../lib/call.ts'
import { HttpError } from '../../lib/http.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { ROLES } from './staff.ts'

export function AddStaffDialog({ onClose }: { onClose: () => void }) {
  const adding = useAddStaffForm()

  return (
    <Dialog title={adding.added ? 'Account added' : 'Add an account'} className="w-lg max-w-full p-6" onClose={onClose}>
      {adding.added ? (
        <>
          <p className="mt-2">
            An invitation is on its way to <strong className="text-ink">{adding.added.email}</strong>. With its link,{' '}
            {adding.added.name} chooses a password within 72 hours. The list shows whether the e-mail was delivered.
          </p>
          <div className="mt-6 flex justify-end">
            <Button onClick={onClose}>Done</Button>
          </div>
        </>
      ) : (
        <AddStaffForm {...adding} onCancel={onClose} />
      )}
    </Dialog>
  )
}

type FormProps = ReturnType<typeof useAddStaffForm> & { onCancel: () => void }

function AddStaffForm({ form, submit, isSubmitting, onCancel }: FormProps) {
  const { errors } = form.formState
  return (
    <form onSubmit={submit} noValidate className="mt-4">
      <TextField label="Name" autoComplete="off" required error={errors.name?.message} {...form.register('name')} />
      <TextField
        label="Email"
        type="email"
        autoComplete="off"
        required
        error={errors.email?.message}
        {...form.register('email')}
      />
      <fieldset>
        <legend className="text-sm font-semibold text-ink">Role</legend>
        {StaffRole.options.map((role) => (
          <label key={role} className="mt-2 flex min-h-6 items-start gap-3 max-lg:min-h-11">
            <input
              type="radio"
              value={role}
              {...form.register('role')}
              className="mt-0.5 size-5 shrink-0 accent-secondary"
            />
            <span>
              <span className="font-semibold text-ink">{ROLES[role].name}</span>
              <span className="block text-sm text-quiet">{ROLES[role].may}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button variant="outline" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" busy={isSubmitting}>
          Add account
        </Button>
      </div>
    </form>
  )
}

function useAddStaffForm() {
  const form = useForm({
    resolver: standardSchemaResolver(NewStaff),
    defaultValues: { name: '', email: '', role: 'viewer' as const },
  })
  const client = useQueryClient()
  const add = useMutation({
    mutationFn: (body: NewStaff) => call(addStaff, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['staff'] }),
  })

  const submit = form.handleSubmit((newcomer) => add.mutate(newcomer, { onError: show }))

  /** Shows an error at its field; a conflict is about the e-mail. */
  function show(error: Error) {
    const { fields = {}, sentence, code } = error instanceof HttpError ? error : {}
    const field = fields.name ? 'name' : 'email'
    const message = (code === 'conflict' ? sentence : fields[field]) ?? sentence ?? error.message
    form.setError(
      field,
      { message: message || 'The server is not responding. Please try again.' },
      { shouldFocus: true },
    )
  }

  return { form, submit, isSubmitting: add.isPending, added: add.data }
}
