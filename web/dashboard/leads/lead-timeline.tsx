import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ConfirmedConsent } from '../../../core/contract/forms.ts'
import {
  type JobAttempt,
  jobLabel,
  type Ledger,
  type LedgerAct,
  type LedgerEdit,
  type LedgerJob,
} from '../../../core/deliveries/contract/jobs.ts'
import { type Lead, listLeadJobs } from '../../../core/leads/contract/leads.ts'
import { type LeadOutcome, OUTCOME_WORDS, REASON_WORDS } from '../../../core/leads/contract/outcomes.ts'
import { byActor } from '../../lib/actors.ts'
import { call } from '../../lib/call.ts'
import { formatIsoDay, formatMoment } from '../../lib/dates.ts'
import { formatDollars, formatDuration } from '../../lib/numbers.ts'
import { Badge, type Tone } from '../../ui/feedback.tsx'
import { Loaded } from '../../ui/load-error.tsx'
import { useAccess } from '../access.tsx'
import { SMALL_LINK } from '../contact.tsx'
import { attemptsOf, jobNote, jobState, runLabel, useWaitWords } from '../job-labels.tsx'
import { OUTCOME_TONES } from './lead-cells.tsx'
import { type SentCopy, SentMessageDialog } from './sent-message-dialog.tsx'
import { matchSentence } from './use-lead-action.ts'

/** Shows the history of a lead. `provider` is the name of its clinic. */
export function LeadTimeline({ lead, provider }: { lead: Lead; provider?: string }) {
  const can = useAccess()
  const [shown, setShown] = useState<{ title: string; copy: SentCopy }>()
  const query = useQuery({
    queryKey: ['leads', 'jobs', lead.id],
    queryFn: () => call(listLeadJobs, { params: { id: lead.id } }),
    // The cached history is shown at once and read again whenever a lead is opened.
    staleTime: 0,
  })
  /** Returns the function that shows what an event has sent, if the viewer may see it. */
  const viewerOf = ({ title, copy }: Entry) =>
    copy && can(copy.kind === 'email' ? 'lead.work' : 'lead.manage') ? () => setShown({ title, copy }) : undefined
  return (
    <>
      <Loaded of={query} fallback="Failed to load the history" className="h-40 w-full">
        {(ledger) => <Timeline entries={timelineOf(lead, ledger, provider)} viewerOf={viewerOf} />}
      </Loaded>
      {shown && <SentMessageDialog leadId={lead.id} {...shown} onClose={() => setShown(undefined)} />}
    </>
  )
}

type TimelineProps = { entries: Entry[]; viewerOf?: (entry: Entry) => (() => void) | undefined }

/** Lists events, with what was sent and what failed. */
export function Timeline({ entries, viewerOf }: TimelineProps) {
  return (
    <ol className="grid">
      {entries.map((entry) => (
        <Moment key={entry.key} entry={entry} onView={viewerOf?.(entry)} />
      ))}
    </ol>
  )
}

function Moment({ entry, onView }: { entry: Entry; onView: (() => void) | undefined }) {
  const { title, at, badges, notes, folded = [], error, detail, isError, waiting, attempts = [], advice } = entry
  const waitWords = useWaitWords()
  const waits = waiting && waitWords(waiting)
  const nextTry = waiting?.next_attempt_at
  return (
    <li className="relative border-l border-line pb-4 pl-4 text-sm last:border-transparent last:pb-0">
      <span
        aria-hidden="true"
        className={`absolute top-1.5 -left-[0.3125rem] size-2.5 rounded-full border-2 bg-background ${isError ? 'border-bad' : 'border-secondary'}`}
      />
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-semibold text-ink">{title}</span>
        {badges.map(({ label, tone }) => (
          <Badge key={label} tone={tone}>
            {label}
          </Badge>
        ))}
        {onView && (
          <button type="button" onClick={onView} aria-label={`View: ${title}`} className={`${SMALL_LINK} -my-1`}>
            View
          </button>
        )}
      </p>
      <p className="text-quiet">
        <time dateTime={at}>{formatMoment(at)}</time>
        {waits && `, ${waits}`}
        {nextTry && !waits && (
          <>
            , next try <time dateTime={nextTry}>{formatMoment(nextTry)}</time>
          </>
        )}
      </p>
      {notes.map((note) => (
        <p key={note} className="whitespace-pre-line wrap-anywhere">
          {note}
        </p>
      ))}
      {folded.length > 0 && (
        <details>
          <summary className="min-h-6 w-fit cursor-pointer py-0.5 text-quiet hover:text-ink">Details</summary>
          <p className="wrap-anywhere text-quiet">{folded.join('. ')}</p>
        </details>
      )}
      {error && <p className={`wrap-anywhere ${isError ? 'text-bad' : 'text-quiet'}`}>{error}</p>}
      <FailureDetail detail={detail} />
      {attempts.length > 0 && (
        <ol aria-label={`Attempts: ${title}`} className="mt-1.5 grid gap-1.5 border-l-2 border-line pl-3">
          {attempts.map((attempt) => (
            <li key={attempt.started_at}>
              <Attempt attempt={attempt} isHeld={waits !== undefined && attempt === attempts.at(-1)} />
            </li>
          ))}
        </ol>
      )}
      {advice && <p className="mt-1 rounded-lg bg-mist px-3 py-2 text-ink">{advice}</p>}
    </li>
  )
}

const OUTCOMES: Record<JobAttempt['outcome'], string> = {
  running: 'In progress',
  interrupted: 'Interrupted: the worker stopped during the attempt. It is retried automatically.',
  done: 'Delivered',
  failed: 'Failed',
  cancelled: 'Not needed',
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
function FailureDetail({ detail }: { detail: string | null | undefined }) {
  if (!detail) return null
  return <p className="wrap-anywhere text-quiet">Details: {detail}</p>
}

/** An event of a lead, past or planned. */
export type Entry = {
  key: string
  title: string
  /** The time of its end, or of its latest event if it has not ended, in ISO 8601. */
  at: string
  badges: { label: string; tone: Tone }[]
  notes: string[]
  /** What a success needs nobody to know: the attempt, and the receiver's answer. */
  folded?: string[]
  error?: string
  /** The receiver's words about a failure. */
  detail?: string | null
  isError?: boolean
  /** The job of a delivery that waits for its next attempt. */
  waiting?: LedgerJob
  advice?: string
  attempts?: JobAttempt[]
  copy?: SentCopy
}

/**
 * Returns all events in the order of time; an open delivery stands at the end of its latest attempt. `provider` is the
 * name of the lead's clinic.
 */
export function timelineOf(lead: Lead, { jobs, acts, outcomes, edits, notes }: Ledger, provider?: string): Entry[] {
  const entries = [
    received(lead),
    ...acts.flatMap((act) => actEntry(act, lead, { edits, notes })),
    ...matched(lead, acts, provider),
    ...outcomes.map(outcomeEntry),
    ...jobs.map((job) => jobEntry(job, acts)),
  ]
  // Events of the same moment keep this order: received, released, matched, sent.
  return entries.toSorted((a, b) => a.at.localeCompare(b.at))
}

function received({ created_at, zip_code, held_reason }: Lead): Entry {
  const badges: Entry['badges'] = held_reason ? [{ label: 'Held', tone: 'wait' }] : []
  return { key: 'received', title: 'Received', at: created_at, badges, notes: [`From zip code ${zip_code}.`] }
}

/** Returns the automatic match, if there was one. A match by staff is an act. */
function matched(lead: Lead, acts: LedgerAct[], provider = `Provider #${lead.provider_id}`): Entry[] {
  const { provider_id, matched_at } = lead
  if (provider_id === null || matched_at === null || acts.some((act) => isMatch(act, lead))) return []
  const notes = [`${matchSentence(lead)}.`]
  return [{ key: 'matched', title: `Matched with ${provider}`, at: matched_at, badges: [], notes }]
}

/** Tells whether this act matched the lead with its current clinic. */
function isMatch({ action, at }: LedgerAct, { matched_at }: Lead): boolean {
  return (action === 'assign-provider' || action === 'pass-on') && at === matched_at
}

/** Returns the event of an act by staff. Retries have none: the jobs that they made show them. */
function actEntry(act: LedgerAct, lead: Lead, { edits, notes: written }: Pick<Ledger, 'edits' | 'notes'>): Entry[] {
  const what = actWords(act)
  if (!what) return []
  const notes = [
    ...(isMatch(act, lead) && lead.match_distance_miles !== null ? [`${matchSentence(lead)}.`] : []),
    ...(act.action === 'edit' ? edits.filter(({ at }) => at === act.at).map(editWords) : []),
    ...(act.action === 'add-note' ? written.filter(({ at }) => at === act.at).map(({ body }) => `“${body}”`) : []),
    ...(act.released && act.action !== 'release' ? ['The lead was held until then.'] : []),
    ...(act.consent ? [CONSENT_NOTES[act.consent]] : []),
  ]
  return [{ key: `${act.action} ${act.at}`, title: `${what} ${byActor(act)}`, at: act.at, badges: [], notes }]
}

/** How the consent of a released lead was given. */
const CONSENT_NOTES: Record<ConfirmedConsent, string> = {
  read_aloud: 'Consent: read aloud on the phone, and the person agreed.',
  in_writing: 'Consent: given in writing.',
}

/** What staff did, where it is more than a name. Retries have no words: the jobs that they made show them. */
const ACTS: Record<string, string> = {
  release: 'Released',
  delete: 'Deleted',
  restore: 'Restored',
  'opt-out': 'Contact stopped',
  'lift-opt-out': 'Contact allowed again',
  'confirm-opt-out': 'Stop of contact confirmed',
  enter: 'Entered after a phone call',
  edit: 'Corrected',
  'add-note': 'Note added',
  'delete-note': 'Note deleted',
}

function actWords({ action, provider, previous_provider, fields, owner }: LedgerAct): string | undefined {
  if (action === 'assign-provider')
    return previous_provider ? `Moved from ${previous_provider} to ${provider}` : `Matched with ${provider}`
  if (action === 'pass-on') return `Passed on from ${previous_provider} to ${provider}`
  if (action === 'undo-match') return `Match with ${previous_provider} undone`
  return action === 'change-work' ? workWords(fields, owner) : ACTS[action]
}

const FIELD_WORDS: Record<LedgerEdit['field'], string> = {
  first_name: 'First name',
  last_name: 'Last name',
  email: 'Email',
  phone: 'Phone',
  zip_code: 'Zip code',
}

/** Returns, for example, `Email: ada@a.example, was ada@b.example.` */
const editWords = ({ field, was, became }: LedgerEdit) => `${FIELD_WORDS[field]}: ${became}, was ${was}.`

/** Returns, for example, `Assigned to Ana Flores; tags changed`. */
function workWords(fields: string[], owner: string | null): string {
  const words = [
    fields.includes('owner_id') && (owner ? `Assigned to ${owner}` : 'Owner removed'),
    (fields.includes('next_action') || fields.includes('next_action_on')) && 'Next action changed',
    fields.includes('tags') && 'Tags changed',
  ].filter((part) => typeof part === 'string')
  return words.map((part, position) => (position === 0 ? part : lowerFirst(part))).join('; ')
}

function outcomeEntry(outcome: LeadOutcome): Entry {
  const { id, kind, reason, booked_for, value_cents, note, at, happened_at } = outcome
  const notes = [
    `${saidBy(outcome)}.`,
    reason && `Reason: ${lowerFirst(REASON_WORDS[reason])}.`,
    booked_for && `Appointment on ${formatIsoDay(booked_for)}.`,
    value_cents !== null && `Value: ${formatDollars(value_cents)}.`,
    note && `“${note}”`,
    happened_at !== at && `Recorded later, on ${formatMoment(at)}.`,
  ].filter((line) => typeof line === 'string')
  return {
    key: `outcome ${id}`,
    title: 'Outcome',
    at: happened_at,
    badges: [{ label: OUTCOME_WORDS[kind], tone: OUTCOME_TONES[kind] }],
    notes,
  }
}

/** Names the one who stated an outcome: `By Sterling Wellness`, `By Ana Flores`, `By the CRM`. */
function saidBy({ source, clinic, actor, actor_name }: LeadOutcome): string {
  const by = byActor({ actor, actor_name: source === 'clinic' ? clinic : actor_name })
  return by.replace('by', 'By')
}

const lowerFirst = (words: string) => words.charAt(0).toLowerCase() + words.slice(1)

/** Returns the event of a job of a lead or an application. */
export function jobEntry(job: LedgerJob, acts: LedgerAct[], noun?: string): Entry {
  const { id, state, finished_at, last_error } = job
  const { list, count, error, detail } = attemptsOf(job)
  const note = jobNote(job, noun)
  const run = runLabel(job, acts)
  const isDone = state === 'done' && last_error === null
  const folded = isDone ? [count, answerOf(job)] : []
  return {
    key: id,
    title: jobLabel(job),
    at: finished_at ?? lastEventOf(job),
    badges: [jobState(job), ...(run ? [{ label: run, tone: 'neutral' as const }] : [])],
    notes: [job.recipient && `To ${job.recipient}`, isDone ? undefined : count, note].filter((line) => line != null),
    folded: folded.filter((line) => line !== undefined),
    error: error ?? undefined,
    detail,
    isError: last_error !== null && state !== 'cancelled',
    waiting: state === 'waiting' ? job : undefined,
    attempts: list,
    advice: job.advice ?? undefined,
    copy: job.has_copy ? { kind: job.name === 'send-email' ? 'email' : 'payload', jobId: id } : undefined,
  }
}

/** Returns the time of the latest event of an open job: the end or start of an attempt, or the job's creation. */
function lastEventOf({ created_at, attempt_log }: LedgerJob): string {
  const last = attempt_log.at(-1)
  if (!last) return created_at
  return new Date(Date.parse(last.started_at) + (last.duration_ms ?? 0)).toISOString()
}

/** Returns the receiver's answer to a delivery. */
function answerOf({ name, result }: LedgerJob): string | undefined {
  if (name === 'send-email' && typeof result?.response === 'string')
    return `The mail server answered: ${result.response}`
  if (name !== 'sync-crm' || typeof result?.status !== 'number') return undefined
  const known = typeof result.externalId === 'string' ? ` and calls the lead ${result.externalId}` : ''
  return `The CRM answered ${result.status}${known}`
}
