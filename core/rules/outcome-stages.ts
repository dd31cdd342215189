import type { OutcomeKind } from '../contract/outcomes.ts'

/** The outcomes that imply a booking: a visit was booked, whatever became of it. */
export const BOOKED: readonly OutcomeKind[] = ['booked', 'attended', 'no_show', 'treated']
/** The outcomes that imply that the clinic has spoken with the person. */
export const REACHED: readonly OutcomeKind[] = ['reached', ...BOOKED]

/** Returns whether a lead with this current outcome was opened: any outcome implies it. */
export const isOpened = (outcome: OutcomeKind | null): boolean => outcome !== null
export const isReached = (outcome: OutcomeKind | null): boolean => outcome !== null && REACHED.includes(outcome)
export const isBooked = (outcome: OutcomeKind | null): boolean => outcome !== null && BOOKED.includes(outcome)
