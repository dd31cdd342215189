import type { Application } from '../../../core/contract/applications.ts'
import { DeleteButton } from '../../ui/delete-button.tsx'
import { useDeleteApplication } from './api/delete-application.ts'

export function DeleteApplicationButton({ application: { id, practice_name } }: { application: Application }) {
  const deletion = useDeleteApplication()
  return (
    <DeleteButton
      title="Delete this application?"
      confirmLabel="Delete application"
      busy={deletion.isPending}
      onDelete={(options) => deletion.mutate(id, options)}
    >
      <p>
        The application of {practice_name} and everything that was or is to be sent for it will be removed. This cannot
        be undone. The record of consent is kept, without name, e-mail and phone.
      </p>
    </DeleteButton>
  )
}
