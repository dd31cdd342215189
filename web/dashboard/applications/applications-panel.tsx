import { useId } from 'react'
import { ApplicationStatus, exportApplications } from '../../../core/contract/applications.ts'
import { urlOf } from '../../lib/call.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { LoadError } from '../../ui/load-error.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Table } from '../../ui/table.tsx'
import { DownloadLink } from '../download-link.tsx'
import { ApplicationRow, COLUMNS } from './application-row.tsx'
import { STATUS_LABELS, type useApplicationsPage } from './applications.ts'

type Props = ReturnType<typeof useApplicationsPage> & {
  /** Whether the viewer may act. */
  canAct: boolean
}

/** Shows the tab of applications. Loaded rows stay visible if a later request fails. */
export function ApplicationsPanel({ canAct, ...props }: Props) {
  const { applications, total, counts, count, error, isFetching, retry, page, pages, setPage, status, setStatus } =
    props

  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <StatusFilter status={status} counts={counts} count={count} onStatus={setStatus} />
        {canAct && <ExportLink isEmpty={!count} />}
      </div>
      <LoadError fallback="Failed to load applications" {...{ error, isFetching }} onRetry={retry} />
      {(applications || !error) && (
        <div className="overflow-hidden rounded-2xl border border-line bg-background">
          <Table
            columns={COLUMNS}
            rows={applications?.map((application) => (
              <ApplicationRow key={application.id} application={application} canAct={canAct} />
            ))}
            empty={
              status
                ? 'No applications have this status.'
                : 'No applications yet. They appear here as soon as a clinic applies.'
            }
          />
          {total !== undefined && (
            <Pager noun="applications" total={total} page={page} pages={pages} onPage={setPage} />
          )}
        </div>
      )}
    </div>
  )
}

function ExportLink({ isEmpty }: { isEmpty: boolean }) {
  const look = { variant: 'outline', size: 'small' } as const
  const label = 'Export Applications CSV'
  if (isEmpty) {
    return (
      <Button {...look} disabled>
        {label}
      </Button>
    )
  }
  return (
    <DownloadLink href={urlOf(exportApplications)} className={`${buttonClass(look)} hover:border-secondary`}>
      {label}
    </DownloadLink>
  )
}

type StatusFilterProps = {
  status: ApplicationStatus | undefined
  /** Undefined until they are loaded. */
  counts: Record<ApplicationStatus, number> | undefined
  count: number | undefined
  onStatus: (status: ApplicationStatus | undefined) => void
}

/** Chooses a status, with the number of applications of each. */
function StatusFilter({ status, counts, count, onStatus }: StatusFilterProps) {
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
        className="min-h-9 rounded-lg border border-edge bg-background px-2 text-sm text-ink hover:border-secondary"
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
