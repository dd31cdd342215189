import type { AttentionReason } from '../contract/funnel.ts'

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
