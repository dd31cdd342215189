import { type Application, ApplicationStatus } from '../../../core/contract/applications.ts'
import { SavedSelect } from '../../ui/saved-select.tsx'
import { useSetStatus } from './api/set-status.ts'
import { STATUS_LABELS } from './status-labels.ts'

const OPTIONS = ApplicationStatus.options.map((value) => ({ value, label: STATUS_LABELS[value] }))

/** How far staff are with an application. */
export function ApplicationStatusSelect({ application }: { application: Application }) {
  const { id, practice_name, status } = application
  const step = useSetStatus()
  return (
    <SavedSelect
      label={`Status of ${practice_name}`}
      options={OPTIONS}
      value={status}
      busy={step.isPending}
      onSave={(next) => step.mutate({ id, status: next })}
    />
  )
}
