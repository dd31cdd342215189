import { useMutationState } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { z } from 'zod'
import type { retryApplicationEmail } from '../../core/applications/contract/applications.ts'
import type { SendingId, SendingPause } from '../../core/conditions/contract/integrations.ts'
import type { Call } from '../../core/contract/call.ts'
import { HeldReason } from '../../core/contract/forms.ts'
import { SECOND } from '../../core/contract/time.ts'
import {
  type JobAttempt,
  type LedgerAct,
  type LedgerJob,
  MAX_WAIT,
  type RetryAnswer,
} from '../../core/deliveries/contract/jobs.ts'
import type { retryLeadEmail, retryLeadSync } from '../../core/leads/contract/lead-changes.ts'
import type { BulkReport } from '../../core/staff/contract/bulk.ts'
import { byActor } from '../lib/actors.ts'
import { call } from '../lib/call.ts'
import { formatSoon } from '../lib/dates.ts'
import { formatCount, formatDuration } from '../lib/numbers.ts'
import { SmallButton } from '../ui/button.tsx'
import type { Tone } from '../ui/feedback.tsx'
import { toast } from '../ui/toast.ts'
import { useAction } from '../ui/use-action.ts'
import { useAttention } from './attention/attention.ts'

const STATES: Record<LedgerJob['state'], { label: string; tone: Tone }> = {
  done: { label: 'Done', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
  enqueued: { label: 'In progress', tone: 'wait' },
  waiting: { label: 'Waiting', tone: 'wait' },
}

export const jobState = ({ state, attempts }: LedgerJob): { label: string; tone: Tone } =>
  state === 'waiting' && attempts > 0 ? { label: 'Trying again', tone: 'wait' } : STATES[state]

const AGAIN: Partial<Record<string, string>> = {
  'retry-sync': 'Retried',
  'retry-match': 'Retried',
  'retry-job': 'Retried',
  'retry-email': 'Resent',
}

/** Returns, for example, `Resent by Ana Flores` or `Run 2`; undefined for a first run, or one that its act names. */
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

/** Returns a note on the result of a job, if one is needed: a matching may succeed without a provider. */
export function jobNote({ name, state, result }: LedgerJob, noun = 'lead'): string | undefined {
  if (state !== 'done') return undefined
  if (name === 'send-email') {
    const isHeld = AboutHeld.safeParse(result).success
    const left = LeftToSummary.safeParse(result).data
    if (left) return `No email of its own: left to the ${left.summary} summary to the team, which names this ${noun}.`
    return isHeld ? `Asked to review the held ${noun}.` : undefined
  }
  if (name !== 'match-lead') return undefined
  const noMatch = NoMatch.safeParse(result)
  if (!noMatch.success) return undefined

  const { nearestMiles, skipped } = noMatch.data
  if (skipped) return 'No provider within reach could take it.'
  if (nearestMiles === null) return 'No provider within reach.'
  return `No provider within reach: the nearest one is ${nearestMiles.toFixed(1)} miles away.`
}

/** Returns the attempts to list, and the last error if they lack it. A settled job's only attempt is not listed. */
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

type ReportProps = {
  report: BulkReport
  title: string
  ownerOf: (failure: BulkReport['failures'][number]) => ReactNode
  onClose?: () => void
}

export function BulkOutcome({ report: { waiting, failed, failures }, title, ownerOf, onClose }: ReportProps) {
  const unnamed = failed - failures.length
  const [role, label, look] = failed ? ['alert', 'What failed', 'text-bad'] : ['status', 'Outcome', 'text-ink']
  return (
    <section role={role} aria-label={label}>
      <div className="flex items-start justify-between gap-3">
        <p className={`font-semibold ${look}`}>{title}</p>
        {onClose && (
          <SmallButton variant="ghost" onClick={onClose} className="-mt-1">
            Close report
          </SmallButton>
        )}
      </div>
      <div className="mt-1 grid gap-2 text-sm empty:hidden">
        {waiting > 0 && <p className="text-quiet">What is waiting is retried automatically.</p>}
        {failures.length > 0 && (
          <ul className="grid max-h-60 gap-1 overflow-y-auto">
            {failures.map((failure) => (
              <li key={failure.position} className="wrap-anywhere">
                {ownerOf(failure)} {failure.error}
              </li>
            ))}
          </ul>
        )}
        {unnamed > 0 && <p className="text-quiet">And {formatCount(unnamed)} more, which are not listed here.</p>}
      </div>
    </section>
  )
}

export const useSendingPauses = (): SendingPause[] => useAttention().data?.pauses ?? []

const SENT_TO: Partial<Record<LedgerJob['name'], SendingId>> = { 'sync-crm': 'crm', 'send-email': 'mail' }

/** Says until when a pause of sending holds a job; undefined if none does, or the next attempt is later anyway. */
export function useWaitWords(): (job: Pick<LedgerJob, 'name' | 'state' | 'next_attempt_at'>) => string | undefined {
  const pauses = useSendingPauses()
  return ({ name, state, next_attempt_at }) => {
    const pause = state === 'waiting' ? pauses.find(({ integration }) => integration === SENT_TO[name]) : undefined
    if (!pause || next_attempt_at > pause.until) return undefined
    return `waits: sending is ${pausedWords(pause).replace('P', 'p')}`
  }
}

/** Says until when deliveries to an integration wait, if they do: `Paused until 5:00 PM ET`. */
export type PausedWords = (integration: SendingId) => string | undefined

export function usePausedWords(): PausedWords {
  const pauses = useSendingPauses()
  return (of) => pauses.filter(({ integration }) => integration === of).map(pausedWords)[0]
}

/** A breaker whose time has come waits for the answer to its probe. */
function pausedWords({ until }: SendingPause): string {
  return Date.parse(until) > Date.now() ? `Paused until ${formatSoon(until)}` : 'Paused until a test succeeds'
}

type Waiting = NonNullable<RetryAnswer['waiting']>

/** Waits a little longer than the server does. Returns what is not sent yet. @throws Error with the reason of a failure */
export async function callAndWait(to: WaitingCall, params: Record<string, number>) {
  const input = { params, query: { wait: MAX_WAIT }, timeout: (MAX_WAIT + 10) * SECOND }
  const { success, error, waiting } = await call<WaitingCall, typeof RetryAnswer>(to, input as never)
  if (!success) throw new Error(error)
  return waiting
}
type WaitingCall = Call & { output: typeof RetryAnswer }

/** Returns what is said when `callAndWait` has ended: that it is done, or why it is still waiting. */
export const doneOr = (done: string) => (waiting: Waiting | undefined) => (waiting ? toast(noticeOf(waiting)) : done)

export const RETRYING = { label: 'Retrying...', tone: 'wait' } as const

/** The texts of the specification. */
const WORDS = {
  email: { done: 'Successfully retried email', failed: 'Failed to retry email' },
  crm: { done: 'Successfully retried CRM sync', failed: 'Failed to retry CRM sync' },
}

type Retry = {
  kind: keyof typeof WORDS
  of: 'leads' | 'applications'
  to: typeof retryLeadEmail | typeof retryLeadSync | typeof retryApplicationEmail
}

export function useRetry({ kind, of, to }: Retry) {
  return useAction({
    key: [of, 'retry', kind],
    changes: of,
    act: (id: number) => callAndWait(to, { id }),
    done: doneOr(WORDS[kind].done),
    failed: WORDS[kind].failed,
  })
}

export function useRetrying({ kind, of }: Pick<Retry, 'kind' | 'of'>): Set<number> {
  const ids = useMutationState({
    filters: { mutationKey: [of, 'retry', kind], status: 'pending' },
    select: ({ state }) => Number(state.variables),
  })
  return new Set(ids)
}

function noticeOf({ error, next_attempt_at, is_paused }: Waiting) {
  if (next_attempt_at === null) {
    return { title: 'Still waiting', description: 'Waiting for a worker. It will be sent automatically.' }
  }
  return is_paused
    ? { title: 'Waiting', description: `Sending is paused until ${formatSoon(next_attempt_at)}.` }
    : { title: `Trying again at ${formatSoon(next_attempt_at)}`, description: error ?? undefined }
}
