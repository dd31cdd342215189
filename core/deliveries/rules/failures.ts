import type { SendingId } from '../../conditions/contract/integrations.ts'
import { MINUTE } from '../../contract/time.ts'
import { FailureCause, type JobName, type JobState } from '../contract/jobs.ts'
import { type EmailFacts, recipientOf } from '../emails.ts'
import { JOBS, type RetryPolicy } from '../jobs.ts'

/** The facts about a job that decide the advice. */
export type JudgedJob = { name: JobName; purpose: string; state: JobState; last_cause: FailureCause | null }

/** Returns the advice to staff about a failed job. Returns null if it did not fail. */
export function adviceFor({ name, purpose, state, last_cause: cause }: JudgedJob): string | null {
  if (!cause || state === 'cancelled' || state === 'done') return null
  if (state !== 'failed') return 'No action needed yet. It is retried automatically.'
  return ADVICE[name]?.(cause, purpose) ?? JOBS[name].advice
}

/** What helps depends on the cause where something outside has failed. The other kinds have one advice. */
const ADVICE: Partial<Record<JobName, (cause: FailureCause, purpose: string) => string | undefined>> = {
  'send-email': mailAdvice,
  'sync-crm': crmAdvice,
  'send-alert': alertAdvice,
}

function alertAdvice(cause: FailureCause): string | undefined {
  if (cause === 'credentials' || cause === 'wrong_address' || cause === 'refused') {
    return 'The receiver rejects it. Check the channel under Alerts, send a test, then retry.'
  }
}

const RESEND = 'press “Resend Email”'
const CLINIC = `Correct the provider’s email address in WordPress, sync the providers, then ${RESEND}.`
const WRONG_ADDRESS: Record<EmailFacts['to'], string> = {
  ...{ clinic: CLINIC, second: CLINIC, previous_clinic: CLINIC, stated: CLINIC },
  visitor: 'The visitor probably mistyped it. Call them instead.',
  applicant: 'The applicant probably mistyped it. Call them instead.',
  team: `Correct the team’s address in the settings, then ${RESEND}.`,
  account: 'Check the address of the account.',
}
const CREDENTIALS = 'Our credentials were rejected. Check them in the settings, then try again here.'

function mailAdvice(cause: FailureCause, purpose: string): string | undefined {
  switch (cause) {
    case 'unknown_mailbox':
    case 'bad_address':
      return `The address does not work. ${WRONG_ADDRESS[recipientOf(purpose)]}`
    case 'mailbox_full':
      return `The mailbox is full. Call the recipient, then ${RESEND}.`
    case 'blocked':
      return `The mail server treats our emails as spam. Check SPF, DKIM and DMARC of our domain, then ${RESEND}.`
    case 'no_provider':
      return 'Match the lead with a provider. The provider is then emailed.'
    case 'credentials':
      return CREDENTIALS
    case 'refused':
      return `The mail server does not accept this email. Its answer above says why. Then ${RESEND}.`
    case 'our_side':
      return `Something went wrong on our side. Report it to the developers, then ${RESEND}.`
  }
}

function crmAdvice(cause: FailureCause): string | undefined {
  switch (cause) {
    case 'credentials':
      return CREDENTIALS
    case 'wrong_address':
      return 'The CRM’s URL does not accept leads. Check it in the settings, then press “Retry CRM Sync”.'
    case 'unknown_property':
      return 'The CRM does not have a field that we send. Create it there or remove it from the settings, then press “Retry CRM Sync”.'
    case 'refused':
      return 'The CRM does not accept this lead. Its answer above says why. Then press “Retry CRM Sync”.'
  }
}

/**
 * Returns the delay after a failed attempt: exponential, capped, with "equal jitter" (half fixed, half random), so that
 * jobs that failed together do not retry together. A longer Retry-After wins: never earlier, and spread over the first
 * delay, because many jobs get the same one. Source: AWS Architecture Blog, "Exponential Backoff And Jitter".
 *
 * @param failedAttempts failed attempts so far, from 1
 * @param random a number from 0 to 1
 * @returns milliseconds, or null when no attempts are left
 */
export function retryDelay(
  { attempts, firstDelay, maxDelay }: RetryPolicy,
  failedAttempts: number,
  { retryAfter = 0, random = Math.random() }: { retryAfter?: number; random?: number } = {},
): number | null {
  if (failedAttempts >= attempts) return null

  const ceiling = Math.min(maxDelay, firstDelay * 2 ** (failedAttempts - 1))
  return Math.max(retryAfter && Math.round(retryAfter + random * firstDelay), Math.round(ceiling * (0.5 + random / 2)))
}

/*
 * The breaker pauses sending when an integration refuses everything, so that deliveries do not use up their attempts. After
 * each pause one delivery is let through as a probe: its answer closes the breaker, or opens it for longer.
 */

/** Causes that are faults of the integration itself: every delivery would fail for them. */
const FAULTS: Record<SendingId, FailureCause[]> = {
  crm: ['credentials', 'unreachable', 'server_error', 'wrong_address', 'unknown_property'],
  // `blocked` is the fault of one recipient's server as well. Then others accept, which ends the streak.
  mail: ['credentials', 'unreachable', 'server_error', 'blocked'],
}
/** Causes that say nothing about the integration. */
const NEUTRAL: FailureCause[] = ['busy', 'our_side', 'no_provider', 'bad_address']

/** What an attempt says about its integration. `alive`: it was accepted, or refused for reasons of its own. */
export type Sign = 'alive' | 'fault' | 'none'

/** @param cause null for a success */
export function signOf(integration: SendingId, cause: FailureCause | null): Sign {
  if (cause === null) return 'alive'
  if (FAULTS[integration].includes(cause)) return 'fault'
  return NEUTRAL.includes(cause) ? 'none' : 'alive'
}

/** Returns the causes that say the same about an integration. */
export function causesOf(integration: SendingId, sign: Sign): FailureCause[] {
  return FailureCause.options.filter((cause) => signOf(integration, cause) === sign)
}

/** Faults since the last sign of life: their number, and milliseconds since the first one. */
export type Streak = { faults: number; lasts: number }

/** Faults in a row that open the breaker, if they have lasted for `MIN_STREAK` milliseconds. */
export const MIN_FAULTS = 10
export const MIN_STREAK = 5 * MINUTE

export function shouldOpen({ faults, lasts }: Streak): boolean {
  return faults >= MIN_FAULTS && lasts >= MIN_STREAK
}

const PAUSES = [1, 2, 5, 10, 15].map((minutes) => minutes * MINUTE)

/** Returns how long the breaker stays open, in milliseconds. @param trips how often it has opened in a row, from 1 */
export function pauseAfter(trips: number): number {
  return PAUSES[Math.min(trips, PAUSES.length) - 1] ?? MINUTE
}
