import { expect, it } from 'vitest'
import { BOOKED, REACHED, STAGE_OF_OUTCOME } from '../../../../core/leads/rules/outcomes.ts'

it('a wrong number proves only that the clinic has opened the request', () => {
  expect(STAGE_OF_OUTCOME.wrong_number).toBe('opened')
})

it('a booking implies that the person was reached, whatever became of the visit', () => {
  expect(BOOKED).toEqual(['booked', 'attended', 'no_show', 'treated'])
  expect(REACHED).toEqual(['reached', ...BOOKED])
})
