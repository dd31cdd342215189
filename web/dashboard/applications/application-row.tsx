import { useId, useState } from 'react'
import {
  type Application,
  ApplicationStatus,
  deleteApplication,
  releaseApplication,
  retryApplicationEmail,
  STATUS_LABELS,
  updateApplication,
} from '../../../core/contract/applications.ts'
import { HELD_REASONS } from '../../../core/contract/forms.ts'
import type { DeliveryStatus } from '../../../core/contract/jobs.ts'
import { act, call } from '../../lib/call.ts'
import { formatDay } from '../../lib/dates.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { DeleteButton } from '../../ui/confirm-button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { SavedSelect } from '../../ui/saved-select.tsx'
import { toast } from '../../ui/toast.ts'
import { useAccess } from '../access.tsx'
import { EmailAddress, PhoneNumber } from '../contact.tsx'
import { RETRYING, useRetry } from '../use-retry.ts'
import { PANEL_ID, useApplicationAction } from './applications.ts'
import { ReviewClockBadge } from './stages.tsx'

export const COLUMNS = ['Practice', 'Contact', 'Zip Code', 'Date', 'Status', 'Review', 'E-mails', 'Actions']
/** The columns beside an open application. */
export const COMPACT_COLUMNS = ['Practice', 'Date', 'Status', 'Review', 'Actions']

const LINK = 'block w-fit max-w-full truncate py-0.5 text-quiet hover:text-secondary hover:underline max-lg:py-3'
const CELL = 'lg:border-t lg:border-line lg:px-2 lg:py-1.5 lg:align-middle lg:first:pl-4 lg:last:pr-4'

type RowProps = {
  application: Application
  /** Whether an application is open beside the list. */
  isCompact: boolean
  isOpen: boolean
  onToggle: (id: number) => void
}

/** Shows an application as a row of the table, or as a card on a narrow screen. */
export function ApplicationRow({ application, isCompact, isOpen, onToggle }: RowProps) {
  const can = useAccess()
  const { id, zip_code, created_at, status } = application

  return (
    <tr
      className={`flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-4 py-2.5 text-sm first:border-0 lg:table-row lg:p-0 ${isOpen ? 'bg-mist' : ''}`}
    >
      <td className={`w-full lg:w-auto ${CELL}`}>
        <Practice application={application} />
      </td>
      {!isCompact && (
        <>
          <td className={`max-lg:contents ${CELL}`}>
            <EmailAddress email={application.email} className={LINK} />
            <PhoneNumber phone={application.phone} className={LINK} />
          </td>
          <td className={CELL}>{zip_code}</td>
        </>
      )}
      <td className={`whitespace-nowrap ${CELL}`}>{formatDay(created_at)}</td>
      <td className={`max-lg:order-1 max-lg:w-full ${CELL}`}>
        {can('application.manage') && !isCompact ? (
          <ApplicationStatusSelect application={application} />
        ) : (
          STATUS_LABELS[status]
        )}
      </td>
      <td className={CELL}>
        <Review application={application} />
      </td>
      {!isCompact && (
        <td className={`max-lg:order-1 ${CELL}`}>
          <ApplicationEmails application={application} />
        </td>
      )}
      <td className={`max-lg:order-1 max-lg:ml-auto ${CELL}`}>
        <div className="-mx-3 flex">
          <Button
            variant="ghost"
            size="small"
            data-opens-application={id}
            aria-expanded={isOpen}
            aria-controls={isOpen ? PANEL_ID : undefined}
            onClick={() => onToggle(id)}
          >
            Details
          </Button>
          {can('application.manage') && !isCompact && <DeleteApplicationButton application={application} />}
        </div>
      </td>
    </tr>
  )
}

/** Shows the clock of the promised review and the owner. */
function Review({ application }: { application: Application }) {
  return (
    <div className="grid justify-items-start gap-1">
      <ReviewClockBadge application={application} />
      {application.owner_name && <p className="text-quiet">{application.owner_name}</p>}
    </div>
  )
}

function Practice({ application: { practice_name, name, website } }: { application: Application }) {
  return (
    <div className="wrap-anywhere lg:max-w-80 lg:min-w-40">
      <p className="font-semibold text-ink">{practice_name}</p>
      <p className="flex flex-wrap items-center gap-x-2">
        {name}
        {website && (
          <a href={website} target="_blank" rel="noopener noreferrer" className={LINK}>
            {website.replace(/^https?:\/\/(www\.)?/, '')}
          </a>
        )}
      </p>
    </div>
  )
}

const OPTIONS = ApplicationStatus.options.map((value) => ({ value, label: STATUS_LABELS[value] }))

/** Shows and changes the status of an application. */
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

type DeleteProps = { application: Application; onDeleted?: () => void }

export function DeleteApplicationButton({ application: { id, practice_name }, onDeleted }: DeleteProps) {
  const deletion = useApplicationAction({
    act: () => act(deleteApplication, { params: { id } }),
    done: () => {
      toast({ title: 'Success', description: 'Application deleted successfully' })
      onDeleted?.()
    },
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
        The application of {practice_name}, its notes and everything that was or is to be sent for it will be removed.
        This cannot be undone. The record of consent is kept, without name, e-mail and phone.
      </p>
    </DeleteButton>
  )
}

const STATUS: Record<DeliveryStatus, { label: string; tone: Tone }> = {
  success: { label: 'Sent', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  pending: { label: 'Pending', tone: 'wait' },
}

/**
 * Shows the state of each e-mail and, for managers, a button to send them again. The button is disabled while the
 * application is held.
 */
export function ApplicationEmails({ application }: { application: Application }) {
  const can = useAccess()
  const { id, email_status, held_reason } = application
  const reasonId = useId()
  const lifts = held_reason === 'do_not_contact'
  const [isAsking, setAsking] = useState(false)
  const email = useRetry({ kind: 'email', of: 'applications', to: retryApplicationEmail })
  const release = useApplicationAction({
    act: () => act(releaseApplication, { params: { id } }),
    done: 'Application released',
    failed: 'Failed to release application',
  })
  const { label, tone } = email.isPending ? RETRYING : STATUS[email_status]

  return (
    <div className="grid justify-items-start gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone={tone}>{label}</Badge>
        {held_reason && <Badge tone="wait">Held</Badge>}
        {can('application.manage') && (
          <Button
            variant="outline"
            size="small"
            busy={email.isPending}
            disabled={held_reason !== null}
            aria-describedby={held_reason ? reasonId : undefined}
            onClick={() => email.mutate(id)}
          >
            Resend Email
          </Button>
        )}
      </div>
      {held_reason && (
        <>
          <p id={reasonId} className="max-w-72 text-sm text-quiet">
            {HELD_REASONS[held_reason]} The applicant hears nothing until you release it.
          </p>
          {can('application.manage') && (
            <Button
              size="small"
              busy={release.isPending}
              onClick={() => (lifts ? setAsking(true) : release.mutate(undefined))}
            >
              {lifts ? 'Release...' : 'Release'}
            </Button>
          )}
        </>
      )}
      {isAsking && (
        <ConfirmDialog
          title="Allow contact and release this application?"
          confirmLabel="Allow contact and release"
          busy={release.isPending}
          onConfirm={() => release.mutate(undefined, { onSettled: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        >
          <p>
            {application.name} asked not to be contacted, and has sent this form since, with a new consent. If you
            release it, this person is taken off the list and gets an e-mail.
          </p>
        </ConfirmDialog>
      )}
      {email_status === 'failed' && <p className="text-sm font-semibold text-bad">An e-mail could not be delivered.</p>}
    </div>
  )
}
