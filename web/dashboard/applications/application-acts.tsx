import { useId, useState } from 'react'
import {
  type Application,
  ApplicationStatus,
  deleteApplication,
  releaseApplication,
  retryApplicationEmail,
  STATUS_LABELS,
  updateApplication,
} from '../../../core/applications/contract/applications.ts'
import { HELD_REASONS } from '../../../core/contract/forms.ts'
import type { DeliveryStatus } from '../../../core/deliveries/contract/jobs.ts'
import { act, call } from '../../lib/call.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmButton, ConfirmDialog } from '../../ui/confirm.tsx'
import { Badge, type Tone } from '../../ui/feedback.tsx'
import { SavedSelect } from '../../ui/saved-select.tsx'
import { toast } from '../../ui/toast.ts'
import { useAccess } from '../access.tsx'
import { RETRYING, useRetry } from '../job-labels.tsx'
import { useApplicationAction } from './applications.ts'

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

type DeleteProps = {
  application: Application
  /** Called when the deletion begins, and with false if it fails. */
  onGone: (isGone: boolean) => void
  onDeleted: () => void
}

export function DeleteApplicationButton({ application: { id, practice_name }, onGone, onDeleted }: DeleteProps) {
  const deletion = useApplicationAction({
    act: async () => {
      onGone(true)
      try {
        return await act(deleteApplication, { params: { id } })
      } catch (error) {
        onGone(false)
        throw error
      }
    },
    done: () => {
      toast({ title: 'Success', description: 'Application deleted successfully' })
      onDeleted()
    },
    failed: 'Failed to delete application',
  })
  return (
    <ConfirmButton
      label="Delete"
      danger
      title="Delete this application?"
      confirmLabel="Delete application"
      busy={deletion.isPending}
      onConfirm={(options) => deletion.mutate(undefined, options)}
    >
      <p>
        The application of {practice_name}, its notes and everything that was or is to be sent for it will be removed.
        This cannot be undone. The record of consent is kept, without name, e-mail and phone.
      </p>
    </ConfirmButton>
  )
}

export const EMAIL_STATUS: Record<DeliveryStatus, { label: string; tone: Tone }> = {
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
  const { label, tone } = email.isPending ? RETRYING : EMAIL_STATUS[email_status]

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
