import { DAY, HOUR } from '../../contract/time.ts'
import type { JobState } from '../../deliveries/contract/jobs.ts'
import type { FunnelStage } from '../../insight/contract/overview.ts'
import { addBusinessTime, averageDay, type Calendar, toMoment } from '../../providers/rules/business-hours.ts'
import { OutcomeKind, type RequestAnswer } from '../contract/outcomes.ts'

/** A job of a retry, in its current state. */
export type TriedJob = {
  state: JobState
  /** Our summary of the last attempt, or the reason of the cancellation. */
  error: string | null
  /** The other side's text about it. */
  detail: string | null
  /** ISO 8601. */
  nextAttemptAt: string
  /** Whether the next attempt may begin. */
  isDue: boolean
  /** Whether it waits for the end of a pause of sending, which is `nextAttemptAt`. */
  isPaused?: boolean
}

/** The outcome of a retry. `waiting` lasts until `nextAttemptAt`, or, where that is null, until a worker takes the job. */
export type Outcome =
  | { state: 'delivered' }
  | { state: 'refused'; error: string }
  | { state: 'waiting'; error: string | null; nextAttemptAt: string | null; isPaused?: boolean }

/** The longest foreign text that a notice shows, in characters. The ledger has all of it. */
const MAX_DETAIL = 300

/** Returns whether an attempt at the job is due or running. */
export function isUnderWay({ state, isDue }: TriedJob): boolean {
  return state === 'enqueued' || (state === 'waiting' && isDue)
}

/**
 * Returns the common outcome of jobs of one retry: failed first, then waiting. A cancelled job counts only where
 * nothing else was sent, because an email that is no longer needed is no failure.
 */
export function outcomeOf(jobs: TriedJob[]): Outcome {
  const failed = jobs.find(({ state }) => state === 'failed')
  if (failed) return { state: 'refused', error: sentence(failed) ?? 'It failed.' }

  const open = jobs.filter(({ state }) => state === 'waiting' || state === 'enqueued')
  const [first] = open.filter((job) => !isUnderWay(job)).toSorted(byTime)
  if (first) {
    const { nextAttemptAt, isPaused } = first
    return { state: 'waiting', error: sentence(first), nextAttemptAt, ...(isPaused && { isPaused }) }
  }
  if (open.length > 0) return { state: 'waiting', error: null, nextAttemptAt: null }

  if (jobs.some(({ state }) => state === 'done')) return { state: 'delivered' }
  const reason = jobs.find(({ error }) => error !== null)?.error
  return { state: 'refused', error: reason ?? 'It was deleted before it could be sent.' }
}

const byTime = (a: TriedJob, b: TriedJob) => a.nextAttemptAt.localeCompare(b.nextAttemptAt)

function sentence({ error, detail }: TriedJob): string | null {
  if (error === null || detail === null) return error
  const quote = detail.length > MAX_DETAIL ? `${detail.slice(0, MAX_DETAIL)}...` : detail
  return `${error} It said: “${quote}”`
}

/** When each step of a clock is due. `late` is the moment by which the clinic should have answered. */
type AnswerTimes = { remind: number; late: number; offer: number }

/** The parts of the answer time after which a step is due. */
const PARTS = { remind: 0.5, late: 1, offer: 1.5 } as const

/** The business days of the network between a match and the question to the visitor. */
const DAYS_TO_QUESTION = 2

/**
 * Returns the times of the steps for a clinic that has a lead since `startedAt`. Returns null for a calendar that does not
 * open for a year.
 */
export function answerTimes(startedAt: number, answerHours: number, clinic: Calendar): AnswerTimes | null {
  const after = (part: number) => addBusinessTime(startedAt, part * answerHours * HOUR, clinic)
  const [remind, late, offer] = [after(PARTS.remind), after(PARTS.late), after(PARTS.offer)]
  return remind === null || late === null || offer === null ? null : { remind, late, offer }
}

/** Returns when the visitor is asked whether the clinic called; null for a network that does not open for a year. */
export function questionTime(startedAt: number, network: Calendar): number | null {
  return addBusinessTime(startedAt, DAYS_TO_QUESTION * averageDay(network.hours), network)
}

/**
 * Returns when a clinic is asked whether a person came: in its first open moment from 8 AM of the day after the appointment
 * (an ISO date). Null for a clinic that does not open for a year.
 */
export function visitQuestionTime(day: string, clinic: Calendar): number | null {
  return addBusinessTime(toMoment(Date.parse(day) + DAY + 8 * HOUR, clinic.timeZone), 1, clinic)
}

/** Outcomes that leave open whether the clinic has called. */
const UNCLEAR: (OutcomeKind | null)[] = [null, 'opened', 'reached', 'no_answer']

/** Returns whether the visitor of a lead with this outcome is asked if the clinic called. */
export const isAsked = (outcome: OutcomeKind | null): boolean => UNCLEAR.includes(outcome)

/**
 * The last stage that a current outcome proves. Nobody reads a request that was not delivered, books without being reached,
 * or attends without a booking, so an outcome counts for all stages before it as well. An answer that does not tell of a
 * talk with the visitor proves only that the clinic has opened the request.
 */
export const STAGE_OF_OUTCOME: Record<OutcomeKind, FunnelStage> = {
  opened: 'opened',
  no_answer: 'opened',
  wrong_number: 'opened',
  declined: 'opened',
  opted_out: 'opened',
  reached: 'reached',
  booked: 'booked',
  no_show: 'booked',
  attended: 'attended',
  treated: 'attended',
}

const withStages = (stages: FunnelStage[]) =>
  OutcomeKind.options.filter((kind) => stages.includes(STAGE_OF_OUTCOME[kind]))

/** The outcomes of a person who came. */
export const ATTENDED: readonly OutcomeKind[] = withStages(['attended'])
/** The outcomes that imply a booking: a visit was booked, whatever became of it. */
export const BOOKED: readonly OutcomeKind[] = withStages(['booked', 'attended'])
/** The outcomes that imply that the clinic has spoken with the person. */
export const REACHED: readonly OutcomeKind[] = withStages(['reached', 'booked', 'attended'])

/** What a clinic says by its first line. Only whole lines count: "reached voicemail" is no "reached". */
const LINES: Partial<Record<RequestAnswer, string[]>> = {
  reached: ['reached', 'i reached them', 'we reached them', 'spoke to them'],
  booked: ['booked', 'appointment booked', 'scheduled'],
  no_answer: ['no answer', 'no answer yet', 'not reached', 'left a message', 'left voicemail', 'voicemail'],
  wrong_number: ['wrong number', 'number is wrong', 'bad number'],
  declined: ['cannot help', "can't help", 'we cannot help', "we can't help", 'declined'],
  attended: ['came', 'attended', 'they came'],
  no_show: ['no show', 'no-show', 'did not come', "didn't come", 'they did not come'],
  treated: ['treated'],
  stop: ['stop', 'asked to stop', 'do not contact', 'opt out', 'unsubscribe'],
}

/** Returns the answer of a clinic in the first line of its reply, or undefined where a person has to read it. */
export function answerIn(text: string): RequestAnswer | undefined {
  const words = firstLine(text)
    .replace(/\b(please|thanks|thank you)\b/g, '')
    .trim()
  const found = Object.entries(LINES).find(([, lines]) => lines.includes(words))
  return found?.[0] as RequestAnswer | undefined
}

/** The words by which a person revokes consent. Source: 47 CFR 64.1200(a)(10). */
const STOP = /(^| )(stop|unsubscribe|cancel|end|quit|revoke|opt[ -]?out)( |$)/
/** A longer line is a sentence in which the word may mean something else. */
const MAX_WORDS = 6

/** Returns whether a visitor asks for no more contact in the first line of a reply. */
export function asksToStop(text: string): boolean {
  const line = firstLine(text)
  return STOP.test(line) && line.split(' ').length <= MAX_WORDS
}

/** Returns the first line that the sender wrote, in small letters and without marks at its ends. */
function firstLine(text: string): string {
  const line = text.split(/\r?\n/).find((each) => each.trim() !== '') ?? ''
  if (/^\s*(>|-{3,}|_{3,}|on .+ wrote:)/i.test(line)) return ''
  return line
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/\s+/g, ' ')
    .replace(/[.,;:!*_"“”]/g, '')
    .trim()
}
