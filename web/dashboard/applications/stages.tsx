import { useState } from 'react'
import {
  type Application,
  type ApplicationDetails,
  type ApplicationStage,
  ApplicationStatus,
  type Certification,
  certifyApplication,
  REVIEW_PROMISE,
  type ReviewClock,
  reviewClock,
  STATUS_LABELS,
} from '../../../core/applications/contract/applications.ts'
import { byActor } from '../../lib/actors.ts'
import { act } from '../../lib/call.ts'
import { formatMinute } from '../../lib/dates.ts'
import { useNow } from '../../lib/hooks.ts'
import { formatDuration } from '../../lib/text.ts'
import { MINUTE } from '../../lib/time.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm.tsx'
import { Badge, type Tone } from '../../ui/feedback.tsx'
import { toast } from '../../ui/toast.ts'
import { useAccess } from '../access.tsx'
import { ProviderLink } from '../provider-link.tsx'
import { useApplicationAction } from './applications.ts'

/** Shows the stages that the application went through, with date and person, and those that come next. */
export function Stages({ stages, status }: { stages: ApplicationStage[]; status: ApplicationStatus }) {
  const next = status === 'declined' ? [] : ApplicationStatus.options.filter(isAfter(status))
  return (
    <ol className="grid gap-1.5">
      {stages.map((stage, position) => (
        <li key={stage.at + stage.status} className="flex gap-2.5">
          <Dot isDone isCurrent={position === stages.length - 1} />
          <p>
            <span className="font-semibold text-ink">{STATUS_LABELS[stage.status]}</span>{' '}
            <span className="text-quiet">
              {formatMinute(stage.at)}
              {stage.actor !== null && ` ${byActor({ actor: stage.actor, actor_name: stage.actor_name })}`}
            </span>
          </p>
        </li>
      ))}
      {next.map((stage) => (
        <li key={stage} className="flex gap-2.5 text-quiet">
          <Dot />
          <p>
            {STATUS_LABELS[stage]}
            <span className="sr-only"> (not yet)</span>
          </p>
        </li>
      ))}
    </ol>
  )
}

const isAfter = (status: ApplicationStatus) => (stage: ApplicationStatus) =>
  stage !== 'declined' && ApplicationStatus.options.indexOf(stage) > ApplicationStatus.options.indexOf(status)

function Dot({ isDone = false, isCurrent = false }: { isDone?: boolean; isCurrent?: boolean }) {
  const look = isCurrent ? 'border-secondary bg-secondary' : isDone ? 'border-good bg-good' : 'border-edge'
  return <span aria-hidden="true" className={`mt-1.5 size-2 shrink-0 rounded-full border ${look}`} />
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

/** Shows the clinic that an approved application became, or makes it. */
export function Certify({ details }: { details: ApplicationDetails }) {
  const can = useAccess()
  const [isAsking, setAsking] = useState(false)
  const { provider, held_reason } = details
  if (provider) {
    return (
      <p>
        It is <ProviderLink id={provider.id}>a clinic</ProviderLink> now, which is {provider.status}.
      </p>
    )
  }
  if (!can('application.manage') || held_reason !== null) return <p className="text-quiet">It is not a clinic yet.</p>
  return (
    <>
      <Button size="small" className="justify-self-start rounded-lg! max-lg:min-h-11" onClick={() => setAsking(true)}>
        Certify...
      </Button>
      {isAsking && <CertifyDialog details={details} onClose={() => setAsking(false)} />}
    </>
  )
}

function CertifyDialog({ details, onClose }: { details: ApplicationDetails; onClose: () => void }) {
  const { id, practice_name } = details
  const [isActive, setActive] = useState(true)
  const [matches, setMatches] = useState(true)
  const certification = useApplicationAction({
    act: (body: Certification) => act(certifyApplication, { params: { id }, body }),
    done: () => {
      toast({ title: 'Success', description: `${practice_name} is certified` })
      onClose()
    },
    failed: 'Failed to certify the application',
  })

  return (
    <ConfirmDialog
      title={`Certify ${practice_name}?`}
      confirmLabel="Certify"
      variant="primary"
      busy={certification.isPending}
      onConfirm={() => certification.mutate({ active: isActive, match_waiting: isActive && matches })}
      onClose={onClose}
    >
      <div className="grid gap-3 text-sm">
        <p>
          The clinic is made in Leadwell with the data of the application. No sync with WordPress changes or deactivates
          it. If it gets a post in WordPress later, that becomes another clinic.
        </p>
        <Choice label="Active: it gets leads at once" isChecked={isActive} onChange={setActive} />
        {isActive && <Choice label="Match waiting leads again" isChecked={matches} onChange={setMatches} />}
      </div>
    </ConfirmDialog>
  )
}

type ChoiceProps = { label: string; isChecked: boolean; onChange: (isChecked: boolean) => void }

function Choice({ label, isChecked, onChange }: ChoiceProps) {
  return (
    <label className="flex min-h-9 items-center gap-2.5 text-ink max-lg:min-h-11">
      <input
        type="checkbox"
        checked={isChecked}
        onChange={({ target }) => onChange(target.checked)}
        className="size-4 shrink-0 accent-secondary"
      />
      {label}
    </label>
  )
}
