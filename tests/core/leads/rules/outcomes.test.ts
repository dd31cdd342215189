import { describe, expect, it } from 'vitest'
import { HOUR } from '../../../../core/contract/time.ts'
import { OutcomeKind } from '../../../../core/leads/contract/outcomes.ts'
import {
  answerTimes,
  BOOKED,
  isAsked,
  isUnderWay,
  outcomeOf,
  questionTime,
  REACHED,
  STAGE_OF_OUTCOME,
  type TriedJob,
  visitQuestionTime,
} from '../../../../core/leads/rules/outcomes.ts'

const tried = (parts: Partial<TriedJob>): TriedJob => ({
  state: 'done',
  error: null,
  detail: null,
  nextAttemptAt: '2026-11-20T15:00:00.000Z',
  isDue: false,
  ...parts,
})

describe('the outcome of trying again', () => {
  it('is delivered when everything was', () => {
    expect(outcomeOf([tried({}), tried({})])).toEqual({ state: 'delivered' })
  })

  it('is refused when anything was, in our words and theirs', () => {
    const failed = tried({
      state: 'failed',
      error: 'The CRM refused the lead: it answered 400.',
      detail: 'contact_type is required',
    })
    expect(outcomeOf([tried({}), tried({ state: 'waiting' }), failed])).toEqual({
      state: 'refused',
      error: 'The CRM refused the lead: it answered 400. It said: “contact_type is required”',
    })
  })

  it('quotes no more than fits in a notice', () => {
    const outcome = outcomeOf([tried({ state: 'failed', error: 'Refused.', detail: 'x'.repeat(2000) })])
    expect(outcome).toEqual({ state: 'refused', error: `Refused. It said: “${'x'.repeat(300)}...”` })
    const short = outcomeOf([tried({ state: 'failed', error: 'Refused.', detail: 'x'.repeat(300) })])
    expect(short).toEqual({ state: 'refused', error: `Refused. It said: “${'x'.repeat(300)}”` })
    expect(outcomeOf([tried({ state: 'failed', detail: 'x' })])).toEqual({ state: 'refused', error: 'It failed.' })
  })

  it('waits until the earliest next attempt, with what went wrong', () => {
    const later = tried({ state: 'waiting', nextAttemptAt: '2026-11-20T16:00:00.000Z' })
    const sooner = tried({ state: 'waiting', nextAttemptAt: '2026-11-20T15:30:00.000Z', error: 'The server is busy.' })
    expect(outcomeOf([tried({}), later, sooner])).toEqual({
      state: 'waiting',
      error: 'The server is busy.',
      nextAttemptAt: '2026-11-20T15:30:00.000Z',
    })
    expect(outcomeOf([{ ...later, isPaused: true }])).toMatchObject({ state: 'waiting', isPaused: true })
  })

  it('names no time while no worker has come to it', () => {
    const waiting = { state: 'waiting', error: null, nextAttemptAt: null }
    expect(outcomeOf([tried({ state: 'enqueued' })])).toEqual(waiting)
    expect(outcomeOf([tried({ state: 'waiting', isDue: true }), tried({})])).toEqual(waiting)
  })

  it('does not count what is no longer needed, unless nothing else was sent', () => {
    const cancelled = tried({ state: 'cancelled', error: 'Replaced by a newer attempt.' })
    expect(outcomeOf([cancelled, tried({})])).toEqual({ state: 'delivered' })
    expect(outcomeOf([tried({ state: 'cancelled' }), cancelled])).toEqual({
      state: 'refused',
      error: 'Replaced by a newer attempt.',
    })
    expect(outcomeOf([])).toEqual({ state: 'refused', error: 'It was deleted before it could be sent.' })
  })
})

it('is under way from the moment it is due until its attempt ends', () => {
  expect(isUnderWay(tried({ state: 'waiting', isDue: true }))).toBe(true)
  expect(isUnderWay(tried({ state: 'enqueued' }))).toBe(true)
  expect(isUnderWay(tried({ state: 'waiting' }))).toBe(false)
  expect(isUnderWay(tried({ state: 'failed', isDue: true }))).toBe(false)
})

describe('the clock of an answer', () => {
  const weekday: [string, string][] = [['09:00', '17:00']]
  const calendar = { hours: { 1: weekday, 2: weekday, 3: weekday }, timeZone: 'UTC', pauses: [] }
  const monday = Date.parse('2026-11-23T09:00:00Z')

  it('reminds after half of the time to answer, and offers another clinic after one and a half', () => {
    const times = { remind: monday + 2 * HOUR, late: monday + 4 * HOUR, offer: monday + 6 * HOUR }
    expect(answerTimes(monday, 4, calendar)).toEqual(times)
  })

  it('asks the visitor after two business days', () => {
    expect(questionTime(monday, calendar)).toBe(Date.parse('2026-11-24T17:00:00Z'))
  })

  it('asks the clinic whether the person came in its first open moment of the day after, from 8 AM', () => {
    const friday = { hours: { 5: weekday, 1: weekday }, timeZone: 'America/Los_Angeles', pauses: [] }
    const moment = (time: string) => Date.parse(time) + 1
    expect(visitQuestionTime('2026-11-26', friday)).toBe(moment('2026-11-27T09:00:00-08:00'))
    expect(visitQuestionTime('2026-11-27', friday)).toBe(moment('2026-11-30T09:00:00-08:00'))
    const early = { ...friday, hours: { 5: [['06:00', '17:00']] as [string, string][] } }
    expect(visitQuestionTime('2026-11-26', early)).toBe(moment('2026-11-27T08:00:00-08:00'))
  })

  it('does not run where the calendar does not open for a year', () => {
    expect(answerTimes(monday, 4, { ...calendar, hours: {} })).toBeNull()
    const pauses = (hours: number) => [{ from: monday + hours * HOUR, until: monday + 400 * 24 * HOUR }]
    for (const open of [1, 3, 5]) expect(answerTimes(monday, 4, { ...calendar, pauses: pauses(open) })).toBeNull()
    expect(questionTime(monday, { ...calendar, pauses: pauses(1) })).toBeNull()
  })

  it('asks only where it is open whether the clinic has called', () => {
    const asked = ['opened', 'reached', 'no_answer']
    expect(OutcomeKind.options.filter(isAsked).toSorted()).toEqual(asked.toSorted())
    expect(isAsked(null)).toBe(true)
  })
})

it.each(['opened', 'no_answer', 'wrong_number', 'declined', 'opted_out'] as const)(
  'the outcome %s proves only that the clinic has opened the request',
  (kind) => expect(STAGE_OF_OUTCOME[kind]).toBe('opened'),
)

it('a booking implies that the person was reached, whatever became of the visit', () => {
  expect(BOOKED).toEqual(['booked', 'attended', 'no_show', 'treated'])
  expect(REACHED).toEqual(['reached', ...BOOKED])
})
