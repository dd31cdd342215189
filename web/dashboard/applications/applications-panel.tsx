import {
  APPLICATIONS_PER_PAGE,
  type Application,
  ApplicationStatus,
  exportApplications,
  STATUS_LABELS,
} from '../../../core/applications/contract/applications.ts'
import { urlOf } from '../../lib/call.ts'
import { formatDay } from '../../lib/dates.ts'
import { Badge } from '../../ui/feedback.tsx'
import { SelectField } from '../../ui/saved-select.tsx'
import { isRowClick, LoadedTable } from '../../ui/table.tsx'
import { useAccess } from '../access.tsx'
import { useOpenBeside } from '../address.ts'
import { EmailAddress, PhoneNumber } from '../contact.tsx'
import { ExportButton } from '../exports.tsx'
import { EMAIL_STATUS, ReviewClockBadge } from './application-acts.tsx'
import { ApplicationPanel, PANEL_ID } from './application-panel.tsx'
import { useApplicationsPage } from './applications.ts'

export function ApplicationsPanel() {
  const can = useAccess()
  const { query, page, status, change, counts, count } = useApplicationsPage()
  const { openId, open, close } = useOpenBeside('application', (id) => `[data-opens-application="${id}"]`)
  const isCompact = openId !== undefined
  return (
    <div className="xl:flex xl:items-start xl:gap-5">
      <div className={`grid min-w-0 flex-1 gap-3 ${isCompact ? 'max-xl:hidden' : ''}`}>
        <div className="flex flex-wrap items-end justify-between gap-3">
          <SelectField
            label="Show"
            words={[
              ['', `All (${count ?? '…'})`],
              ...ApplicationStatus.options.map(
                (each) => [each, `${STATUS_LABELS[each]} (${counts?.[each] ?? '…'})`] as const,
              ),
            ]}
            value={status ?? ''}
            onChoose={(next) => void change({ page: null, status: next || null })}
          />
          {can('application.manage') && (
            <ExportButton label="Export Applications CSV" href={urlOf(exportApplications)} isEmpty={!count} />
          )}
        </div>
        <LoadedTable
          of={query}
          fallback="Failed to load applications"
          columns={COLUMNS.filter((name) => !isCompact || COMPACT.has(name))}
          rows={({ applications }) =>
            applications.map((application) => (
              <ApplicationRow
                key={application.id}
                application={application}
                isCompact={isCompact}
                isOpen={application.id === openId}
                onToggle={() => (application.id === openId ? close() : open(application.id))}
              />
            ))
          }
          empty={
            status
              ? 'No applications have this status.'
              : 'No applications yet. They appear here as soon as a provider applies.'
          }
          pages={{
            ...{ noun: 'applications', perPage: APPLICATIONS_PER_PAGE, page },
            onPage: (next) => void change({ page: next }),
          }}
        />
      </div>
      {isCompact && (
        <ApplicationPanel
          key={openId}
          id={openId}
          known={query.data?.applications.find(({ id }) => id === openId)}
          onClose={close}
        />
      )}
    </div>
  )
}

const COLUMNS = ['Practice', 'Contact', 'Zip Code', 'Date', 'Status', 'Review', 'Emails']
const COMPACT = new Set(['Practice', 'Date', 'Status', 'Review'])

const LINK = 'block w-fit max-w-full truncate py-0.5 text-quiet hover:text-secondary hover:underline max-lg:py-3'
const CELL = 'lg:border-t lg:border-line lg:px-2 lg:py-1.5 lg:align-middle lg:first:pl-4 lg:last:pr-4'

type RowProps = {
  application: Application
  isCompact: boolean
  isOpen: boolean
  onToggle: () => void
}

function ApplicationRow({ application, isCompact, isOpen, onToggle }: RowProps) {
  const { id, practice_name, name, website, email, phone, zip_code, created_at, status, held_reason } = application
  const { label, tone } = EMAIL_STATUS[application.email_status]
  return (
    <tr
      onClick={(event) => isRowClick(event) && onToggle()}
      className={`flex flex-wrap items-center gap-x-3 gap-y-1 cursor-pointer border-t border-line px-4 py-2.5 text-sm first:border-0 lg:table-row lg:p-0 ${isOpen ? 'bg-lilac/60' : 'hover:bg-mist/70'}`}
    >
      <td className={`w-full lg:w-auto ${CELL}`}>
        <div className="wrap-anywhere lg:max-w-80 lg:min-w-40">
          <button
            type="button"
            data-opens-application={id}
            aria-expanded={isOpen}
            aria-controls={isOpen ? PANEL_ID : undefined}
            onClick={onToggle}
            className="py-0.5 text-left font-semibold text-ink hover:text-secondary hover:underline max-lg:min-h-11"
          >
            {practice_name}
          </button>
          <p className="flex flex-wrap items-center gap-x-2">
            {name}
            {website && (
              <a href={website} target="_blank" rel="noopener noreferrer" className={LINK}>
                {website.replace(/^https?:\/\/(www\.)?/, '')}
              </a>
            )}
          </p>
        </div>
      </td>
      {!isCompact && (
        <>
          <td className={`max-lg:contents ${CELL}`}>
            <EmailAddress email={email} className={LINK} />
            <PhoneNumber phone={phone} className={LINK} />
          </td>
          <td className={CELL}>{zip_code}</td>
        </>
      )}
      <td className={`whitespace-nowrap ${CELL}`}>{formatDay(created_at)}</td>
      <td className={CELL}>{STATUS_LABELS[status]}</td>
      <td className={CELL}>
        <ReviewClockBadge application={application} />
        {application.owner_name && <p className="text-quiet">{application.owner_name}</p>}
      </td>
      {!isCompact && (
        <td className={CELL}>
          <span className="flex flex-wrap gap-1">
            <Badge tone={tone}>{label}</Badge>
            {held_reason && <Badge tone="wait">Held</Badge>}
          </span>
        </td>
      )}
    </tr>
  )
}
