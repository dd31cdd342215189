import { type Application, deleteApplication } from '../../../core/contract/applications.ts'
import { act } from '../../lib/call.ts'
import { DeleteButton } from '../../ui/delete-button.tsx'
import { useApplicationAction } from './use-application-action.ts'

export function DeleteApplicationButton({ application: { id, practice_name } }: { application: Application }) {
  const deletion = useApplicationAction({
    act: () => act(deleteApplication, { params: { id } }),
    done: 'Application deleted successfully',
    failed: 'Failed to delete application',
  })
  return (
    <DeleteButton
      title="Delete this application?"
      confirmLabel="Delete application"
      busy={deletion.isPending}
      onDelete={(options) => deletion.mutate(undefined, options)}
    >
      <p>
        The application of {practice_name} and everything that was or is to be sent for it will be removed. This cannot
        be undone. The record of consent is kept, without name, e-mail and phone.
      </p>
    </DeleteButton>
  )
}
