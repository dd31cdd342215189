import { expect, it } from 'vitest'
import { BOOKED, REACHED, STAGE_OF_OUTCOME } from '../../../../core/leads/rules/outcomes.ts'

it.each(['opened', 'no_answer', 'wrong_number', 'declined', 'opted_out'] as const)(
  'the outcome %s proves only that the clinic has opened the request',
  (kind) => expect(STAGE_OF_OUTCOME[kind]).toBe('opened'),
)

it('a booking implies that the person was reached, whatever became of the visit', () => {
  expect(BOOKED).toEqual(['booked', 'attended', 'no_show', 'treated'])
  expect(REACHED).toEqual(['reached', ...BOOKED])
})
