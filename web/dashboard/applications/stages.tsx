import type { ApplicationStage } from '../../../core/contract/application-details.ts'
import { ApplicationStatus, STATUS_LABELS } from '../../../core/contract/applications.ts'
import { byActor } from '../../lib/actors.ts'
import { formatMinute } from '../../lib/dates.ts'

type Props = { stages: ApplicationStage[]; status: ApplicationStatus }

/** Shows the stages that the application went through, with date and person, and those that come next. */
export function Stages({ stages, status }: Props) {
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
