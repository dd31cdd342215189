import type { SendingId } from '../../conditions/contract/integrations.ts'
import { MINUTE } from '../../time.ts'
import { FailureCause } from '../contract/jobs.ts'

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
