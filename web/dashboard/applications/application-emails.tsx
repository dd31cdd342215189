import { useId, useState } from 'react'
import { type Application, releaseApplication, retryApplicationEmail } from '../../../core/contract/applications.ts'
import { HELD_REASONS } from '../../../core/contract/forms.ts'
import type { DeliveryStatus } from '../../../core/contract/jobs.ts'
import { act } from '../../lib/call.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { RETRYING, useRetry } from '../use-retry.ts'
import { useApplicationAction } from './use-application-action.ts'

const STATUS: Record<DeliveryStatus, { label: string; tone: Tone }> = {
  success: { label: 'Sent', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  pending: { label: 'Pending', tone: 'wait' },
}

/** Whether the e-mails have arrived, and for managers the means to send them again: after the release, while it is held. */
export function ApplicationEmails({ application, canAct }: { application: Application; canAct: boolean }) {
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
      <div className="flex flex-wrap gap-2">
        <Badge tone={tone}>{label}</Badge>
        {held_reason && <Badge tone="wait">Held</Badge>}
      </div>
      {held_reason && (
        <>
          <p id={reasonId} className="max-w-72 text-sm text-quiet">
            {HELD_REASONS[held_reason]} The applicant hears nothing until you release it.
          </p>
          {canAct && (
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
      {canAct && (
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
      {email_status === 'failed' && <p className="text-sm font-semibold text-bad">An e-mail could not be delivered.</p>}
    </div>
  )
}
