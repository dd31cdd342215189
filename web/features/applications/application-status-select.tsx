import { type Application, ApplicationStatus } from '../../../core/contract/applications.ts'
import { useSetStatus } from './api/set-status.ts'
import { STATUS_LABELS } from './status-labels.ts'

/** How far staff are with an application. */
export function ApplicationStatusSelect({ application }: { application: Application }) {
  const { id, practice_name, status } = application
  const step = useSetStatus()
  const shown = step.isPending ? step.variables.status : status

  return (
    <select
      aria-label={`Status of ${practice_name}`}
      value={shown}
      onChange={({ target }) => step.mutate({ id, status: ApplicationStatus.parse(target.value) })}
      disabled={step.isPending}
      className="min-h-9 rounded-lg border border-edge bg-white px-2 text-sm text-ink hover:border-secondary disabled:opacity-60"
    >
      {ApplicationStatus.options.map((option) => (
        <option key={option} value={option}>
          {STATUS_LABELS[option]}
        </option>
      ))}
    </select>
  )
}
