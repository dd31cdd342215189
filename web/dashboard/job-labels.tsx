import type { ReactNode } from 'react'
import { z } from 'zod'
import { HeldReason } from '../../core/contract/forms.ts'
import type { JobAttempt, LedgerAct, LedgerJob } from '../../core/deliveries/contract/jobs.ts'
import { byActor } from '../lib/actors.ts'
import { formatCount, formatDuration } from '../lib/text.ts'
import type { Tone } from '../ui/feedback.tsx'

/** Returns the label and the tone of a job's state. */
export function jobState({ state, attempts }: LedgerJob): { label: string; tone: Tone } {
  switch (state) {
    case 'done':
      return { label: 'Done', tone: 'good' }
    case 'failed':
      return { label: 'Failed', tone: 'bad' }
    case 'cancelled':
      return { label: 'Cancelled', tone: 'neutral' }
    case 'enqueued':
      return { label: 'In progress', tone: 'wait' }
    case 'waiting':
      return { label: attempts > 0 ? 'Trying again' : 'Waiting', tone: 'wait' }
  }
}

const AGAIN: Partial<Record<string, string>> = {
  'retry-sync': 'Retried',
  'retry-match': 'Retried',
  'retry-job': 'Retried',
  'retry-email': 'Resent',
}

/**
 * Returns the label of a repeated run: `Resent by Ana Flores`, or `Run 2` without an act that names the person.
 * Undefined for the first run, and for a job that another act made and names: a match, a release.
 */
export function runLabel({ generation, created_at }: LedgerJob, acts: LedgerAct[] = []): string | undefined {
  const act = acts.find(({ at }) => at === created_at)
  const verb = act && AGAIN[act.action]
  if (act && verb) return `${verb} ${byActor(act)}`
  return act || generation === 1 ? undefined : `Run ${generation}`
}

const AboutHeld = z.object({ heldReason: HeldReason })
const LeftToSummary = z.object({ summary: z.enum(['hourly', 'daily']) })
const NoMatch = z.object({
  providerId: z.null(),
  nearestMiles: z.number().nullable(),
  skipped: z.array(z.unknown()).optional(),
})

/**
 * Returns a note on the result of a job for a lead or an `application`, if one is needed: a matching may succeed
 * without a provider.
 */
export function jobNote({ name, state, result }: LedgerJob, noun = 'lead'): string | undefined {
  if (state !== 'done') return undefined
  if (name === 'send-email') {
    const isHeld = AboutHeld.safeParse(result).success
    const left = LeftToSummary.safeParse(result).data
    if (left) return `No e-mail of its own: left to the ${left.summary} summary to the team, which names this ${noun}.`
    return isHeld ? `Asked to review the held ${noun}.` : undefined
  }
  if (name !== 'match-lead') return undefined
  const noMatch = NoMatch.safeParse(result)
  if (!noMatch.success) return undefined

  const { nearestMiles, skipped } = noMatch.data
  if (skipped) return 'No clinic within reach could take it.'
  if (nearestMiles === null) return 'No clinic within reach.'
  return `No clinic within reach: the nearest one is ${nearestMiles.toFixed(1)} miles away.`
}

/**
 * Returns the attempts to list, their number, and the last error with the other side's response if the list does not
 * contain it. The only attempt at a settled job is not listed.
 */
export function attemptsOf({ attempts, attempt_log, last_error, last_detail }: LedgerJob): {
  list: JobAttempt[]
  count?: string
  error: string | null
  detail: string | null
} {
  const [only] = attempt_log
  const isSingle = attempt_log.length === 1 && only?.duration_ms != null
  const took = isSingle ? `, took ${formatDuration(Number(only.duration_ms))}` : ''
  const list = isSingle ? [] : attempt_log
  const isListed = list.at(-1)?.error === last_error
  return {
    list,
    count: attempts > 0 ? `${attempts === 1 ? '1 attempt' : `${attempts} attempts`}${took}` : undefined,
    error: isListed ? null : last_error,
    detail: isListed ? null : last_detail,
  }
}

type Props = {
  waiting: number
  failed: number
  /** The first failures, with their owners. */
  failures: { id: number | string; owner: ReactNode; error: string }[]
}

/** Shows the result of a bulk action: the failures with their errors, and the number of jobs that will be retried. */
export function OutcomeDetails({ waiting, failed, failures }: Props) {
  const unnamed = failed - failures.length
  return (
    <div className="mt-1 grid gap-2 text-sm empty:hidden">
      {waiting > 0 && <p className="text-quiet">What is waiting is retried automatically.</p>}
      {failures.length > 0 && (
        <ul className="grid max-h-60 gap-1 overflow-y-auto">
          {failures.map(({ id, owner, error }) => (
            <li key={id} className="wrap-anywhere">
              {owner} {error}
            </li>
          ))}
        </ul>
      )}
      {unnamed > 0 && <p className="text-quiet">And {formatCount(unnamed)} more, which are not listed here.</p>}
    </div>
  )
}
