import type { JobAttempt } from '../../../core/contract/jobs.ts'
import { formatMoment } from '../../lib/dates.ts'
import { formatDuration } from '../../lib/numbers.ts'

const OUTCOMES: Record<JobAttempt['outcome'], string> = {
  running: 'In progress',
  interrupted: 'Interrupted: the worker stopped during the attempt. It is retried automatically.',
  done: 'Delivered',
  failed: 'Failed',
  cancelled: 'Not needed',
}

type Props = {
  attempts: JobAttempt[]
  label: string
  /** What the next attempt waits for, if not for its own time. */
  waits?: string
}

/** Shows every attempt at a job: its time, duration and result, and the time of the next one. */
export function AttemptList({ attempts, label, waits }: Props) {
  if (attempts.length === 0) return null
  return (
    <ol aria-label={`Attempts: ${label}`} className="mt-1.5 grid gap-1.5 border-l-2 border-line pl-3">
      {attempts.map((attempt) => (
        <li key={attempt.started_at}>
          <Attempt attempt={attempt} isHeld={waits !== undefined && attempt === attempts.at(-1)} />
        </li>
      ))}
    </ol>
  )
}

/** The time of the next attempt is not shown while something else holds it. */
function Attempt({ attempt, isHeld }: { attempt: JobAttempt; isHeld: boolean }) {
  const { started_at, duration_ms, outcome, status, error, detail, next_attempt_at } = attempt
  return (
    <>
      <p className="text-quiet">
        <time dateTime={started_at}>{formatMoment(started_at)}</time>
        {duration_ms !== null && `, took ${formatDuration(duration_ms)}`}
      </p>
      <p className={`wrap-anywhere ${outcome === 'failed' ? 'text-bad' : ''}`}>
        {OUTCOMES[outcome]}
        {status !== null && ` (${status})`}
        {error && `: ${error}`}
      </p>
      <FailureDetail detail={detail} />
      {next_attempt_at && !isHeld && (
        <p className="text-quiet">
          Next try <time dateTime={next_attempt_at}>{formatMoment(next_attempt_at)}</time>
        </p>
      )}
    </>
  )
}

/** Shows the error text of the mail server, the CRM or the network. */
export function FailureDetail({ detail }: { detail: string | null | undefined }) {
  if (!detail) return null
  return <p className="wrap-anywhere text-quiet">Details: {detail}</p>
}
