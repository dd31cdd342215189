import { useId, useState } from 'react'
import {
  type Application,
  type ApplicationDetails,
  certifyApplication,
  REVIEW_PROMISE,
  type ReviewClock,
  releaseApplication,
  retryApplicationEmail,
  reviewClock,
} from '../../../core/applications/contract/applications.ts'
import { HELD_REASONS } from '../../../core/contract/forms.ts'
import { MINUTE } from '../../../core/contract/time.ts'
import type { DeliveryStatus } from '../../../core/deliveries/contract/jobs.ts'
import { act } from '../../lib/call.ts'
import { useNow } from '../../lib/hooks.ts'
import { formatDuration } from '../../lib/numbers.ts'
import { ActionButton, ConfirmAction } from '../../ui/action-button.tsx'
import { SmallButton } from '../../ui/button.tsx'
import { CheckField } from '../../ui/check-field.tsx'
import { Badge, type Tone } from '../../ui/feedback.tsx'
import { useAccess } from '../access.tsx'
import { RETRYING, useRetry } from '../job-labels.tsx'
import { ProviderLink } from '../provider-link.tsx'

export const EMAIL_STATUS: Record<DeliveryStatus, { label: string; tone: Tone }> = {
  success: { label: 'Sent', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  pending: { label: 'Pending', tone: 'wait' },
}

export function ApplicationEmails({ application }: { application: Application }) {
  const can = useAccess()
  const { id, email_status, held_reason } = application
  const reasonId = useId()
  const email = useRetry({ kind: 'email', of: 'applications', to: retryApplicationEmail })
  const release = {
    act: () => act(releaseApplication, { params: { id } }),
    done: 'Application released',
    failed: 'Failed to release application',
    changes: 'applications',
  } as const
  const { label, tone } = email.isPending ? RETRYING : EMAIL_STATUS[email_status]

  return (
    <div className="grid justify-items-start gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone={tone}>{label}</Badge>
        {held_reason && <Badge tone="wait">Held</Badge>}
        {can('application.manage') && (
          <SmallButton
            busy={email.isPending}
            disabled={held_reason !== null}
            aria-describedby={held_reason ? reasonId : undefined}
            onClick={() => email.mutate(id)}
          >
            Resend Email
          </SmallButton>
        )}
      </div>
      {held_reason && (
        <>
          <p id={reasonId} className="max-w-72 text-sm text-quiet">
            {HELD_REASONS[held_reason]} Nothing is sent to the applicant until you release it.
          </p>
          {can('application.manage') &&
            (held_reason === 'do_not_contact' ? (
              <ConfirmAction
                label="Release..."
                button={{ variant: 'primary' }}
                title="Allow contact and release this application?"
                confirmLabel="Allow contact and release"
                {...release}
              >
                {application.name} asked not to be contacted, but later sent this form with a new consent. If you
                release it, this person is taken off the list and gets an email.
              </ConfirmAction>
            ) : (
              <ActionButton variant="primary" {...release}>
                Release
              </ActionButton>
            ))}
        </>
      )}
      {email_status === 'failed' && <p className="text-sm font-semibold text-bad">An email could not be delivered.</p>}
    </div>
  )
}

const TONES: Record<ReviewClock['state'], Tone> = {
  open: 'neutral',
  due: 'wait',
  late: 'bad',
  kept: 'good',
  kept_late: 'bad',
}

/** Returns, for example, `Overdue by 5 h`. */
function words({ state, ms }: ReviewClock): string {
  switch (state) {
    case 'open':
      return `Review in ${formatDuration(REVIEW_PROMISE.from - ms)}`
    case 'due':
      return `Review due, ${formatDuration(REVIEW_PROMISE.until - ms)} left`
    case 'late':
      return `Overdue by ${formatDuration(ms - REVIEW_PROMISE.until)}`
    case 'kept':
      return ms < MINUTE ? 'Reviewed within a minute' : `Reviewed after ${formatDuration(ms)}`
    case 'kept_late':
      return `Reviewed late, after ${formatDuration(ms)}`
  }
}

/** Shows the clock of the review within 24 to 48 hours that the applicant was promised. Nothing while the application is held. */
export function ReviewClockBadge({ application }: { application: Application }) {
  const clock = reviewClock(application, useNow())
  if (!clock) return null
  return <Badge tone={TONES[clock.state]}>{words(clock)}</Badge>
}

const CHOICES = ['Active: gets leads at once', 'Match waiting leads again']

export function Certify({ details }: { details: ApplicationDetails }) {
  const can = useAccess()
  const [isActive, setActive] = useState(true)
  const [matches, setMatches] = useState(true)
  const { id, practice_name, provider, held_reason } = details
  if (provider) {
    return (
      <p>
        It is <ProviderLink id={provider.id}>a provider</ProviderLink> now, which is {provider.status}.
      </p>
    )
  }
  if (!can('application.manage') || held_reason !== null) return <p className="text-quiet">It is not a provider yet.</p>
  const body = { active: isActive, match_waiting: isActive && matches }
  return (
    <div>
      <ConfirmAction
        label="Certify..."
        button={{ variant: 'primary' }}
        title={`Certify ${practice_name}?`}
        confirmLabel="Certify"
        variant="primary"
        act={() => act(certifyApplication, { params: { id }, body })}
        done={`${practice_name} is certified`}
        failed="Failed to certify the application"
        changes="applications"
      >
        <p>
          The provider is added to the network with the application’s data. WordPress syncs do not change or deactivate
          it. A later post in WordPress becomes a separate provider.
        </p>
        {CHOICES.slice(0, isActive ? 2 : 1).map((choice, index) => (
          <CheckField
            key={choice}
            label={choice}
            checked={index === 0 ? isActive : matches}
            onChange={({ target }) => (index === 0 ? setActive : setMatches)(target.checked)}
          />
        ))}
      </ConfirmAction>
    </div>
  )
}
