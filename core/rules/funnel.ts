import type { AttentionReason, FunnelStage } from '../contract/funnel.ts'
import type { OutcomeKind } from '../contract/outcomes.ts'

/**
 * The last stage that a current outcome proves. Nobody reads a request that was not delivered, books without being reached,
 * or attends without a booking, so an outcome counts for all stages before it as well. An answer that does not tell of a
 * talk with the visitor proves only that the clinic has opened the request.
 */
export const STAGE_OF_OUTCOME: Record<OutcomeKind, FunnelStage> = {
  opened: 'opened',
  no_answer: 'opened',
  declined: 'opened',
  opted_out: 'opened',
  reached: 'reached',
  booked: 'booked',
  no_show: 'booked',
  attended: 'attended',
  treated: 'attended',
}

/** What is known of a clinic in a period, and in the period before. */
export type ClinicFacts = {
  /** Requests without an answer, past their time. */
  late: number
  /** Requests whose e-mail was refused. */
  refused: number
  /** Whether its last `SILENT_REQUESTS` requests whose time has ended are all without an answer. */
  isSilent: boolean
  received: number
  booked: number
  receivedBefore: number
  bookedBefore: number
}

/** The number of unanswered requests in a row that makes a clinic silent. */
export const SILENT_REQUESTS = 5
/** The fewest requests of a period whose booked share says something. */
const MIN_REQUESTS = 10
/** A share has declined when it is at most this part of the one before. */
const DECLINED = 0.6

/** Returns why a clinic needs attention. Empty if it does not. */
export function attentionReasons(clinic: ClinicFacts): AttentionReason[] {
  const { late, refused, isSilent, received, booked, receivedBefore, bookedBefore } = clinic
  const reasons: AttentionReason[] = []
  if (refused > 0) reasons.push({ kind: 'refused', leads: refused })
  if (isSilent) reasons.push({ kind: 'silent', leads: SILENT_REQUESTS })
  if (late > 0) reasons.push({ kind: 'late', leads: late })
  if (received >= MIN_REQUESTS && receivedBefore >= MIN_REQUESTS) {
    const [share, before] = [booked / received, bookedBefore / receivedBefore]
    if (before > 0 && share <= DECLINED * before) reasons.push({ kind: 'declining', share, before })
  }
  return reasons
}
