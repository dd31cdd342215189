import type { JobAttempt, LedgerJob } from '../../../core/contract/jobs.ts'
import type { Lead } from '../../../core/contract/leads.ts'
import type { Tone } from '../../ui/badge.tsx'
import { attemptsOf, isOpen, jobLabel, jobNote, jobState } from '../../ui/job-labels.ts'
import { matchSentence } from './match-sentence.ts'

/** Something that happened to a lead, or is going to. */
export type Entry = {
  key: string
  title: string
  /** ISO 8601: when it ended, or when it began if it has not. */
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

/** All of it, from the form to what is still to come. `provider` is the name of who has the lead. */
export function timelineOf(lead: Lead, jobs: LedgerJob[], provider?: string): Entry[] {
  const ended = jobs.filter((job) => !isOpen(job)).map(entryOf)
  const toCome = jobs.filter(isOpen).map(entryOf)
  const past = [received(lead), ...matched(lead, provider), ...ended]
  // What came at the same moment stays in its order: received, matched, sent.
  return [...past.toSorted((a, b) => a.at.localeCompare(b.at)), ...toCome]
}

function received({ created_at, zip_code, held_reason }: Lead): Entry {
  const badges: Entry['badges'] = held_reason ? [{ label: 'Held', tone: 'wait' }] : []
  return { key: 'received', title: 'Received', at: created_at, badges, notes: [`From zip code ${zip_code}.`] }
}

function matched(lead: Lead, provider = `Provider #${lead.provider_id}`): Entry[] {
  if (lead.provider_id === null || lead.matched_at === null) return []
  const notes = [`${matchSentence(lead)}.`]
  return [{ key: 'matched', title: `Matched with ${provider}`, at: lead.matched_at, badges: [], notes }]
}

function entryOf(job: LedgerJob): Entry {
  const { id, state, generation, created_at, finished_at, next_attempt_at, last_error } = job
  const { list, count, error, detail } = attemptsOf(job)
  const note = jobNote(job)
  return {
    key: id,
    title: jobLabel(job),
    at: finished_at ?? created_at,
    badges: [jobState(job), ...(generation > 1 ? [{ label: `Run ${generation}`, tone: 'neutral' as const }] : [])],
    notes: [job.recipient && `To ${job.recipient}`, count, note].filter((line) => line != null),
    answer: error ?? (last_error === null ? answerOf(job) : undefined),
    detail,
    isError: last_error !== null && state !== 'cancelled',
    nextTry: state === 'waiting' ? next_attempt_at : undefined,
    attempts: list,
    advice: job.advice ?? undefined,
  }
}

/** What the other side said when it took it. */
function answerOf({ name, result }: LedgerJob): string | undefined {
  if (name === 'send-email' && typeof result?.response === 'string')
    return `The mail server answered: ${result.response}`
  if (name !== 'sync-crm' || typeof result?.status !== 'number') return undefined
  const known = typeof result.externalId === 'string' ? ` and calls the lead ${result.externalId}` : ''
  return `The CRM answered ${result.status}${known}.`
}
