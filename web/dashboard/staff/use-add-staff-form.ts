import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { addStaff, NewStaff } from '../../../core/contract/staff.ts'
import { call } from '../../lib/call.ts'
import { HttpError } from '../../lib/http.ts'

export function useAddStaffForm() {
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

  /** What is wrong stands at its field; that the e-mail has an account already is about the e-mail. */
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
