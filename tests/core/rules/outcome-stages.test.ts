import { expect, it } from 'vitest'
import { OutcomeKind } from '../../../core/contract/outcomes.ts'
import { isBooked, isOpened, isReached } from '../../../core/rules/outcome-stages.ts'

it('a booking implies a talk, and any outcome implies that the request was opened', () => {
  const kinds = [null, ...OutcomeKind.options]
  expect(kinds.filter(isBooked)).toEqual(['booked', 'attended', 'no_show', 'treated'])
  expect(kinds.filter(isReached)).toEqual(['reached', 'booked', 'attended', 'no_show', 'treated'])
  expect(kinds.filter(isOpened)).toEqual(OutcomeKind.options)
})
