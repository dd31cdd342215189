import type { JobAttempt, Ledger, LedgerAct, LedgerJob } from '../../../core/contract/jobs.ts'
import type { Lead } from '../../../core/contract/leads.ts'
import { byActor } from '../../lib/actors.ts'
import { attemptsOf, jobLabel, jobNote, jobState, runLabel } from '../../shared/deliveries/job-labels.ts'
import type { Tone } from '../../ui/badge.tsx'
import { matchSentence } from './sentences.ts'

/** Something that happened to a lead, or is going to. */
export type Entry = {
  key: string
  title: string
  /** ISO 8601: when it ended, or what last happened to it if it has not. */
  at: string
  badges: { label: string; tone: Tone }[]
  notes: string[]
  /** What the other side answered to a success, or what went wrong. */
  answer?: string
  /** What the other side said about a failure. */
  detail?: string | null
  isError?: boolean
  nextTry?: string
  advice?: string
  attempts?: JobAttempt[]
}

/**
 * All of it in the order of time, what is still to come among it: at the end of its last attempt. `provider` is the name
 * of who has the lead.
 */
export function timelineOf(lead: Lead, { jobs, acts }: Ledger, provider?: string): Entry[] {
  const entries = [
    received(lead),
    ...acts.flatMap((act) => actEntry(act, lead)),
    ...matched(lead, acts, provider),
    ...jobs.map((job) => jobEntry(job, acts)),
  ]
  // What came at the same moment stays in its order: received, released, matched, sent.
  return entries.toSorted((a, b) => a.at.localeCompare(b.at))
}

function received({ created_at, zip_code, held_reason }: Lead): Entry {
  const badges: Entry['badges'] = held_reason ? [{ label: 'Held', tone: 'wait' }] : []
  return { key: 'received', title: 'Received', at: created_at, badges, notes: [`From zip code ${zip_code}.`] }
}

/** How the lead came to its clinic, unless staff did it: that is an act. */
function matched(lead: Lead, acts: LedgerAct[], provider = `Provider #${lead.provider_id}`): Entry[] {
  const { provider_id, matched_at } = lead
  if (provider_id === null || matched_at === null || acts.some((act) => isMatch(act, lead))) return []
  const notes = [`${matchSentence(lead)}.`]
  return [{ key: 'matched', title: `Matched with ${provider}`, at: matched_at, badges: [], notes }]
}

/** Whether the lead has its clinic by this act. */
function isMatch({ action, at }: LedgerAct, { matched_at }: Lead): boolean {
  return action === 'assign-provider' && at === matched_at
}

/** What staff did, except retries: those are shown by the jobs that they made. */
function actEntry(act: LedgerAct, lead: Lead): Entry[] {
  const what = actWords(act)
  if (!what) return []
  const notes = [
    ...(isMatch(act, lead) && lead.match_distance_miles !== null ? [`${matchSentence(lead)}.`] : []),
    ...(act.released && act.action !== 'release' ? ['The lead was held until then.'] : []),
  ]
  return [{ key: `${act.action} ${act.at}`, title: `${what} ${byActor(act)}`, at: act.at, badges: [], notes }]
}

function actWords({ action, provider, previous_provider }: LedgerAct): string | undefined {
  switch (action) {
    case 'assign-provider':
      return previous_provider ? `Moved from ${previous_provider} to ${provider}` : `Matched with ${provider}`
    case 'undo-match':
      return `Match with ${previous_provider} undone`
    case 'release':
      return 'Released'
    case 'delete':
      return 'Deleted'
    case 'restore':
      return 'Restored'
    case 'opt-out':
      return 'Contact stopped'
    case 'lift-opt-out':
      return 'Contact allowed again'
    case 'confirm-opt-out':
      return 'Stop of contact confirmed'
    default:
      return undefined
  }
}

function jobEntry(job: LedgerJob, acts: LedgerAct[]): Entry {
  const { id, state, finished_at, next_attempt_at, last_error } = job
  const { list, count, error, detail } = attemptsOf(job)
  const note = jobNote(job)
  const run = runLabel(job, acts)
  return {
    key: id,
    title: jobLabel(job),
    at: finished_at ?? lastEventOf(job),
    badges: [jobState(job), ...(run ? [{ label: run, tone: 'neutral' as const }] : [])],
    notes: [job.recipient && `To ${job.recipient}`, count, note].filter((line) => line != null),
    answer: error ?? (last_error === null ? answerOf(job) : undefined),
    detail,
    isError: last_error !== null && state !== 'cancelled',
    nextTry: state === 'waiting' ? next_attempt_at : undefined,
    attempts: list,
    advice: job.advice ?? undefined,
  }
}

/** When something last happened to a job that is not settled: an attempt ended or began, or the job was made. */
function lastEventOf({ created_at, attempt_log }: LedgerJob): string {
  const last = attempt_log.at(-1)
  if (!last) return created_at
  return new Date(Date.parse(last.started_at) + (last.duration_ms ?? 0)).toISOString()
}

/** What the other side said when it took it. */
function answerOf({ name, result }: LedgerJob): string | undefined {
  if (name === 'send-email' && typeof result?.response === 'string')
    return `The mail server answered: ${result.response}`
  if (name !== 'sync-crm' || typeof result?.status !== 'number') return undefined
  const known = typeof result.externalId === 'string' ? ` and calls the lead ${result.externalId}` : ''
  return `The CRM answered ${result.status}${known}.`
}
