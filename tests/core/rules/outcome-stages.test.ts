import { expect, it } from 'vitest'
import { BOOKED, REACHED } from '../../../core/rules/outcome-stages.ts'

it('a booking implies that the person was reached, whatever became of the visit', () => {
  expect(BOOKED).toEqual(['booked', 'attended', 'no_show', 'treated'])
  expect(REACHED).toEqual(['reached', ...BOOKED])
})
