import type { FunnelStage } from '../../insight/contract/funnel.ts'
import { OutcomeKind } from '../contract/outcomes.ts'

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

/** The outcomes that imply a booking: a visit was booked, whatever became of it. */
export const BOOKED: readonly OutcomeKind[] = withStages(['booked', 'attended'])
/** The outcomes that imply that the clinic has spoken with the person. */
export const REACHED: readonly OutcomeKind[] = withStages(['reached', 'booked', 'attended'])
