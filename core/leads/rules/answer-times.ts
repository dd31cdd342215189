import { addBusinessTime, averageDay, type Calendar } from '../../providers/rules/business-hours.ts'
import { HOUR } from '../../time.ts'
import type { OutcomeKind } from '../contract/outcomes.ts'

/** When each step of a clock is due. `late` is the moment by which the clinic should have answered. */
export type AnswerTimes = { remind: number; late: number; offer: number }

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

/** Outcomes that leave open whether the clinic has called. */
const UNCLEAR: (OutcomeKind | null)[] = [null, 'opened', 'reached', 'no_answer']

/** Returns whether the visitor of a lead with this outcome is asked if the clinic called. */
export const isAsked = (outcome: OutcomeKind | null): boolean => UNCLEAR.includes(outcome)
