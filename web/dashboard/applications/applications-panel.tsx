import { useId } from 'react'
import { ApplicationStatus, exportApplications, STATUS_LABELS } from '../../../core/contract/applications.ts'
import { urlOf } from '../../lib/call.ts'
import { LoadError } from '../../ui/load-error.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Table } from '../../ui/table.tsx'
import { useAccess } from '../access.tsx'
import { ExportButton } from '../exports.tsx'
import { useStaff } from '../staff/staff.ts'
import { ApplicationPanel } from './application-panel.tsx'
import { ApplicationRow, COLUMNS, COMPACT_COLUMNS } from './application-row.tsx'
import { useApplicationsPage, useOpenApplication } from './applications.ts'

/** Shows the tab of applications, with one beside the list. Loaded rows stay visible if a later request fails. */
export function ApplicationsPanel() {
  const accounts = useStaff({ enabled: useAccess()('staff.manage') }).data?.staff
  const list = useApplicationsPage()
  const { openId, toggle, close } = useOpenApplication()
  return (
    <div className="xl:flex xl:items-start xl:gap-5">
      <div className={`min-w-0 flex-1 ${openId === undefined ? '' : 'max-xl:hidden'}`}>
        <ApplicationList {...list} openId={openId} onToggle={toggle} />
      </div>
      {openId !== undefined && (
        <ApplicationPanel
          key={openId}
          id={openId}
          known={list.applications?.find(({ id }) => id === openId)}
          onClose={close}
          accounts={accounts}
        />
      )}
    </div>
  )
}

type ListProps = ReturnType<typeof useApplicationsPage> & { openId: number | undefined; onToggle: (id: number) => void }

function ApplicationList({ openId, onToggle, ...props }: ListProps) {
  const can = useAccess()
  const { applications, total, counts, count, error, isFetching, retry, page, pages, setPage, status, setStatus } =
    props
  const isCompact = openId !== undefined

  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <StatusFilter status={status} counts={counts} count={count} onStatus={setStatus} />
        {can('application.manage') && (
          <ExportButton label="Export Applications CSV" href={urlOf(exportApplications)} isEmpty={!count} />
        )}
      </div>
      <LoadError fallback="Failed to load applications" {...{ error, isFetching }} onRetry={retry} />
      {(applications || !error) && (
        <div className="overflow-hidden rounded-lg border border-line bg-background">
          <Table
            columns={isCompact ? COMPACT_COLUMNS : COLUMNS}
            rows={applications?.map((application) => (
              <ApplicationRow
                key={application.id}
                application={application}
                isCompact={isCompact}
                isOpen={application.id === openId}
                onToggle={onToggle}
              />
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
        className="min-h-11 rounded-lg lg:min-h-9 border border-edge bg-background px-2 text-sm text-ink hover:border-secondary"
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
