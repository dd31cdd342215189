import { z } from 'zod'
import { HeldReason } from '../../../core/contract/forms.ts'
import { JOB_LABELS, type JobAttempt, type LedgerAct, type LedgerJob } from '../../../core/contract/jobs.ts'
import { byActor } from '../../lib/actors.ts'
import { formatDuration } from '../../lib/numbers.ts'
import type { Tone } from '../../ui/badge.tsx'

const LABELS: Record<string, string> = {
  'match-lead/nearest': 'Matching',
  'send-email/provider': 'E-mail to the clinic',
  'send-email/visitor': 'E-mail to the visitor',
  'send-email/team': 'E-mail to the team',
  'send-email/passed_on': 'E-mail to the previous clinic',
  'send-email/erased': 'E-mail to the clinic: please delete',
  'send-email/new_clinic': 'E-mail to the visitor: new clinic',
  'send-email/opted_out': 'E-mail to the clinic: no more contact',
  'send-email/reminder': 'Reminder to the clinic',
  'send-email/late_clinic': 'E-mail to the clinic’s second address: answer late',
  'send-email/late_team': 'E-mail to the team: answer late',
  'send-email/no_other_clinic': 'E-mail to the team: no other clinic',
  'send-email/visitor_question': 'Question to the visitor: did the clinic call?',
  'send-email/wrong_number': 'E-mail to the visitor: right phone number?',
  'send-email/not_called': 'E-mail to the team: visitor not called',
  'send-email/withdrawn': 'E-mail to the clinic: request withdrawn',
  'send-email/applicant': 'E-mail to the applicant',
  'send-email/invitation': 'Invitation to an account',
  'send-email/reset': 'Link to reset a password',
  'send-email/password_changed': 'Notice: password changed',
  'send-email/new_browser': 'Notice: sign-in from a new browser',
  'send-email/new_factor': 'Notice: two-step sign-in added',
  'send-email/factor_removed': 'Notice: two-step sign-in removed',
  'send-email/clinic_link': 'Link to the clinic’s pages',
  'send-email/address_changed': 'Notice to the clinic: person or address changed',
  'send-email/test': 'Test e-mail to the clinic',
  'send-email/weekly_report': 'Weekly report to the team',
  'send-email/provider_changed': 'E-mail to the clinic: what a sync changed',
  'send-alert/alert': 'Alert',
  'send-alert/digest': 'Summary of alerts',
  'send-alert/test': 'Test of a channel',
  'sync-crm/created': 'CRM: lead created',
  'sync-crm/matched': 'CRM: clinic assigned',
  'sync-crm/outcome': 'CRM: outcome',
  'sync-crm/opted_out': 'CRM: no more contact',
  'sync-crm/deleted': 'CRM: lead deleted',
  'sync-crm/test': 'CRM: test of the connection',
}

/** Returns the label of a job. */
export function jobLabel({ name, purpose }: Pick<LedgerJob, 'name' | 'purpose'>): string {
  return LABELS[`${name}/${purpose}`] ?? `${JOB_LABELS[name]} (${purpose})`
}

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
  const isTold = attempt_log.length === 1 && only?.duration_ms != null
  const took = isTold ? `, took ${formatDuration(Number(only.duration_ms))}` : ''
  const list = isTold ? [] : attempt_log
  const isListed = list.at(-1)?.error === last_error
  return {
    list,
    count: attempts > 0 ? `${attempts === 1 ? '1 attempt' : `${attempts} attempts`}${took}` : undefined,
    error: isListed ? null : last_error,
    detail: isListed ? null : last_detail,
  }
}
