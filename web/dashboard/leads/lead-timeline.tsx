import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { milesInWords } from '../../../core/contract/texts.ts'
import { MINUTE } from '../../../core/contract/time.ts'
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
import { SentMessageDialog } from './sent-message-dialog.tsx'
import { matchSentence } from './use-lead-action.ts'

export function LeadTimeline({ lead, provider }: { lead: Lead; provider?: string }) {
  const can = useAccess()
  const [shown, setShown] = useState<LedgerJob>()
  const query = useQuery({
    queryKey: ['leads', 'jobs', lead.id],
    queryFn: () => call(listLeadJobs, { params: { id: lead.id } }),
    // The cached history is shown at once and read again whenever a lead is opened.
    staleTime: 0,
  })
  const mayView = ({ name, has_copy }: LedgerJob) =>
    has_copy && can(name === 'send-email' ? 'lead.work' : 'lead.manage')
  return (
    <>
      <Loaded of={query} fallback="Failed to load the history" className="h-40 w-full">
        {(ledger) => (
          <Timeline
            entries={timelineOf(lead, ledger, provider)}
            viewerOf={(job) => (mayView(job) ? () => setShown(job) : undefined)}
          />
        )}
      </Loaded>
      {shown && <SentMessageDialog leadId={lead.id} job={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}

type Entry = {
  key: string
  title: string
  /** The time of its end, or of its latest event if it has not ended, in ISO 8601. */
  at: string
  badges?: { label: string; tone: Tone }[]
  notes: string[]
  job?: LedgerJob
}

/** Returns the function that shows what a job has sent, if there is a copy that the viewer may see. */
type ViewerOf = (job: LedgerJob) => (() => void) | undefined

export function Timeline({ entries, viewerOf }: { entries: Entry[]; viewerOf?: ViewerOf }) {
  return (
    <ol className="grid">
      {foldSuccesses(entries).map((group) => {
        const [first] = group
        if (!isPlainSuccess(first)) return <Moment key={first.key} entry={first} viewerOf={viewerOf} />
        return (
          <li key={first.key} className={LINE}>
            <Dot />
            <details>
              <summary className="min-h-6 w-fit cursor-pointer font-semibold text-ink">{deliveredWords(group)}</summary>
              <ol className="mt-2 grid">
                {group.map((entry) => (
                  <Moment key={entry.key} entry={entry} viewerOf={viewerOf} />
                ))}
              </ol>
            </details>
          </li>
        )
      })}
    </ol>
  )
}

type Group = [Entry, ...Entry[]]

/** Groups deliveries that succeeded at once, within a minute of each other. All other events stay alone. */
function foldSuccesses(entries: Entry[]): Group[] {
  const groups: Group[] = []
  for (const entry of entries) {
    const [first] = groups.at(-1) ?? []
    const isNear = first && isPlainSuccess(first) && Date.parse(entry.at) - Date.parse(first.at) < MINUTE
    if (isNear && isPlainSuccess(entry)) groups.at(-1)?.push(entry)
    else groups.push([entry])
  }
  return groups
}

function isPlainSuccess({ job }: Entry): boolean {
  if (job?.state !== 'done' || job.last_error !== null || jobNote(job)) return false
  return recipientOf(job) !== undefined && attemptsOf(job).list.length === 0
}

const recipientOf = (job: LedgerJob) => (job.name === 'sync-crm' ? 'CRM' : / to the ([^:]+)/.exec(jobLabel(job))?.[1])

/** Returns, for example, `Delivered to provider, visitor and CRM in 3 s`. */
function deliveredWords(group: Group): string {
  const jobs = group.flatMap(({ job }) => job ?? [])
  const took = Date.parse(group.at(-1)?.at ?? '') - Math.min(...jobs.map((job) => Date.parse(job.created_at)))
  const recipients = new Set(jobs.flatMap((job) => recipientOf(job) ?? []))
  return `Delivered to ${new Intl.ListFormat('en-GB').format(recipients)} in ${formatDuration(took)}`
}

const LINE = 'relative border-l border-line pb-4 pl-4 text-sm last:border-transparent last:pb-0'

function Dot({ isError = false }: { isError?: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={`absolute top-1.5 -left-[0.3125rem] size-2.5 rounded-full border-2 bg-background ${isError ? 'border-bad' : 'border-secondary'}`}
    />
  )
}

function Moment({ entry: { title, at, badges = [], notes, job }, viewerOf }: { entry: Entry; viewerOf?: ViewerOf }) {
  const waitWords = useWaitWords()
  const waits = job && waitWords(job)
  const nextTry = job?.state === 'waiting' && !waits && job.next_attempt_at
  const onView = job && viewerOf?.(job)
  return (
    <li className={LINE}>
      <Dot isError={job && hasFailed(job)} />
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
        <Time at={at} />
        {waits && `, ${waits}`}
        {nextTry && (
          <>
            , next try <Time at={nextTry} />
          </>
        )}
      </p>
      {notes.map((note) => (
        <p key={note} className="whitespace-pre-line wrap-anywhere">
          {note}
        </p>
      ))}
      {job && <JobDetails job={job} isHeld={waits !== undefined} />}
    </li>
  )
}

const Time = ({ at }: { at: string }) => <time dateTime={at}>{formatMoment(at)}</time>

const hasFailed = ({ last_error, state }: LedgerJob) => last_error !== null && state !== 'cancelled'

function JobDetails({ job, isHeld }: { job: LedgerJob; isHeld: boolean }) {
  const { list, count, error, detail } = attemptsOf(job)
  return (
    <>
      <p className="wrap-anywhere text-quiet">{[count, answerOf(job)].filter(Boolean).join('. ')}</p>
      {error && <p className={`wrap-anywhere ${hasFailed(job) ? 'text-bad' : 'text-quiet'}`}>{error}</p>}
      {detail && <p className="wrap-anywhere text-quiet">Details: {detail}</p>}
      {list.length > 0 && (
        <ol aria-label={`Attempts: ${jobLabel(job)}`} className="mt-1.5 grid gap-1.5 border-l-2 border-line pl-3">
          {list.map((attempt) => (
            <li key={attempt.started_at}>
              <Attempt attempt={attempt} isHeld={isHeld && attempt === list.at(-1)} />
            </li>
          ))}
        </ol>
      )}
      {job.advice && <p className="mt-1 rounded-lg bg-mist px-3 py-2 text-ink">{job.advice}</p>}
    </>
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
        <Time at={started_at} />
        {duration_ms !== null && `, took ${formatDuration(duration_ms)}`}
      </p>
      <p className={`wrap-anywhere ${outcome === 'failed' ? 'text-bad' : ''}`}>
        {OUTCOMES[outcome]}
        {status !== null && ` (${status})`}
        {error && `: ${error}`}
      </p>
      {detail && <p className="wrap-anywhere text-quiet">Details: {detail}</p>}
      {next_attempt_at && !isHeld && (
        <p className="text-quiet">
          Next try <Time at={next_attempt_at} />
        </p>
      )}
    </>
  )
}

/** Returns all events in the order of time; an open delivery stands at the end of its latest attempt. */
export function timelineOf(lead: Lead, { jobs, acts, outcomes, edits }: Ledger, provider?: string): Entry[] {
  const { created_at, zip_code, held_reason, provider_id, matched_at, match_distance_miles: miles } = lead
  const isMatch = ({ action, at }: LedgerAct) =>
    (action === 'assign-provider' || action === 'pass-on') && at === matched_at
  const matched = `${matchSentence(lead)}${miles === null ? '' : `, ${milesInWords(miles)} away`}.`
  const entries: Entry[] = [
    {
      ...{ key: 'received', title: 'Received', at: created_at, notes: [`From zip code ${zip_code}.`] },
      badges: held_reason ? [{ label: 'Held', tone: 'wait' }] : [],
    },
    ...acts.flatMap((act) => actEntry(act, edits, isMatch(act) && miles !== null ? [matched] : [])),
  ]
  const title = `Matched with ${provider ?? `Provider #${provider_id}`}`
  // A match by staff is an act.
  if (provider_id !== null && matched_at !== null && !acts.some(isMatch))
    entries.push({ key: 'matched', title, at: matched_at, notes: [matched] })
  entries.push(...outcomes.map(outcomeEntry), ...jobs.map((job) => jobEntry(job, acts)))
  // Events of the same moment keep this order: received, released, matched, sent.
  return entries.toSorted((a, b) => a.at.localeCompare(b.at))
}

/** Returns the event of an act by staff. Retries have none, because their jobs show them, nor have notes, which stand above. */
function actEntry(act: LedgerAct, edits: LedgerEdit[], matched: string[]): Entry[] {
  const { action, at } = act
  const what = actWords(act)
  if (!what) return []
  const notes = [
    ...matched,
    ...(action === 'edit' ? edits.filter((edit) => edit.at === at).map(editWords) : []),
    ...(act.released && action !== 'release' ? ['The lead was held until then.'] : []),
    ...(act.consent ? [CONSENT_NOTES[act.consent]] : []),
  ]
  return [{ key: `${action} ${at}`, title: `${what} ${byActor(act)}`, at, notes }]
}

const CONSENT_NOTES = {
  read_aloud: 'Consent: read aloud on the phone, and the person agreed.',
  in_writing: 'Consent: given in writing.',
}

const ACTS: Record<string, string> = {
  release: 'Released',
  delete: 'Deleted',
  restore: 'Restored',
  'opt-out': 'Contact stopped',
  'lift-opt-out': 'Contact allowed again',
  'confirm-opt-out': 'Stop of contact confirmed',
  enter: 'Entered after a phone call',
  edit: 'Corrected',
  'delete-note': 'Note deleted',
}

function actWords({ action, provider, previous_provider, fields, owner }: LedgerAct): string | undefined {
  if (action === 'assign-provider')
    return previous_provider ? `Moved from ${previous_provider} to ${provider}` : `Matched with ${provider}`
  if (action === 'pass-on') return `Passed on from ${previous_provider} to ${provider}`
  if (action === 'undo-match') return `Match with ${previous_provider} undone`
  return action === 'change-work' ? workWords(fields, owner) : ACTS[action]
}

const editWords = ({ field, was, became }: LedgerEdit) =>
  `${field.charAt(0).toUpperCase()}${field.slice(1).replace('_', ' ')}: ${became}, was ${was}.`

/** Returns, for example, `Assigned to Ana Flores; tags changed`. */
function workWords(fields: string[], owner: string | null): string {
  const words = [
    fields.includes('owner_id') && (owner ? `Assigned to ${owner}` : 'Owner removed'),
    fields.some((field) => field.startsWith('next_action')) && 'Next action changed',
    fields.includes('tags') && 'Tags changed',
  ].filter((part) => typeof part === 'string')
  return [...words.slice(0, 1), ...words.slice(1).map(lowerFirst)].join('; ')
}

function outcomeEntry({ id, kind, reason, booked_for, value_cents, note, at, happened_at, ...by }: LeadOutcome): Entry {
  const said = byActor({ actor: by.actor, actor_name: by.source === 'clinic' ? by.clinic : by.actor_name })
  const notes = [
    `${said.replace('by', 'By')}.`,
    reason && `Reason: ${lowerFirst(REASON_WORDS[reason])}.`,
    booked_for && `Appointment on ${formatIsoDay(booked_for)}.`,
    value_cents !== null && `Value: ${formatDollars(value_cents)}.`,
    note && `“${note}”`,
    happened_at !== at && `Recorded later, on ${formatMoment(at)}.`,
  ].filter((line) => typeof line === 'string')
  const badges = [{ label: OUTCOME_WORDS[kind], tone: OUTCOME_TONES[kind] }]
  return { key: `outcome ${id}`, title: 'Outcome', at: happened_at, badges, notes }
}

const lowerFirst = (words: string) => words.charAt(0).toLowerCase() + words.slice(1)

export function jobEntry(job: LedgerJob, acts: LedgerAct[], noun?: string): Entry {
  const run = runLabel(job, acts)
  return {
    ...{ key: job.id, title: jobLabel(job), at: job.finished_at ?? lastEventOf(job), job },
    badges: [jobState(job), ...(run ? [{ label: run, tone: 'neutral' as const }] : [])],
    notes: [job.recipient && `To ${job.recipient}`, jobNote(job, noun)].filter((line) => typeof line === 'string'),
  }
}

/** Returns the time of the latest event of an open job: the end or start of an attempt, or the job's creation. */
function lastEventOf({ created_at, attempt_log }: LedgerJob): string {
  const last = attempt_log.at(-1)
  return last ? new Date(Date.parse(last.started_at) + (last.duration_ms ?? 0)).toISOString() : created_at
}

function answerOf({ name, result }: LedgerJob): string | undefined {
  if (name === 'send-email' && typeof result?.response === 'string')
    return `The mail server answered: ${result.response}`
  if (name !== 'sync-crm' || typeof result?.status !== 'number') return undefined
  const known = typeof result.externalId === 'string' ? ` and calls the lead ${result.externalId}` : ''
  return `The CRM answered ${result.status}${known}`
}
