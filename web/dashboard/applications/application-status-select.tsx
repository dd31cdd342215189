import { type Application, ApplicationStatus, updateApplication } from '../../../core/contract/applications.ts'
import { call } from '../../lib/call.ts'
import { SavedSelect } from '../../ui/saved-select.tsx'
import { STATUS_LABELS } from './status-labels.ts'
import { useApplicationAction } from './use-application-action.ts'

const OPTIONS = ApplicationStatus.options.map((value) => ({ value, label: STATUS_LABELS[value] }))

/** How far staff are with an application. */
export function ApplicationStatusSelect({ application }: { application: Application }) {
  const { id, practice_name, status } = application
  const step = useApplicationAction({
    act: (next: ApplicationStatus) => call(updateApplication, { params: { id }, body: { status: next } }),
    done: 'Application status updated successfully',
    failed: 'Failed to update application status',
  })
  return (
    <SavedSelect
      label={`Status of ${practice_name}`}
      options={OPTIONS}
      value={status}
      busy={step.isPending}
      onSave={step.mutate}
    />
  )
}
