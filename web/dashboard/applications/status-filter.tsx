import { useId } from 'react'
import { ApplicationStatus } from '../../../core/contract/applications.ts'
import { STATUS_LABELS } from './status-labels.ts'

type Props = {
  status: ApplicationStatus | undefined
  /** Undefined until they are loaded. */
  counts: Record<ApplicationStatus, number> | undefined
  count: number | undefined
  onStatus: (status: ApplicationStatus | undefined) => void
}

/** Which applications are shown, with how many there are of each kind. */
export function StatusFilter({ status, counts, count, onStatus }: Props) {
  const id = useId()
  const choose = (value: string) => onStatus(ApplicationStatus.safeParse(value).data)

  return (
    <div className="flex items-center gap-2">
      <label htmlFor={id} className="text-sm text-quiet">
        Show
      </label>
      <select
        id={id}
        value={status ?? ''}
        onChange={({ target }) => choose(target.value)}
        className="min-h-9 rounded-lg border border-edge bg-white px-2 text-sm text-ink hover:border-secondary"
      >
        <option value="">All ({count ?? '…'})</option>
        {ApplicationStatus.options.map((option) => (
          <option key={option} value={option}>
            {STATUS_LABELS[option]} ({counts?.[option] ?? '…'})
          </option>
        ))}
      </select>
    </div>
  )
}
