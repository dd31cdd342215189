import { describe, expect, it } from 'vitest'
import { isUnderWay, outcomeOf, type TriedJob } from '../../../../core/leads/rules/outcomes.ts'

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
  })

  it('waits until the earliest next attempt, with what went wrong', () => {
    const later = tried({ state: 'waiting', nextAttemptAt: '2026-11-20T16:00:00.000Z' })
    const sooner = tried({ state: 'waiting', nextAttemptAt: '2026-11-20T15:30:00.000Z', error: 'The server is busy.' })
    expect(outcomeOf([tried({}), later, sooner])).toEqual({
      state: 'waiting',
      error: 'The server is busy.',
      nextAttemptAt: '2026-11-20T15:30:00.000Z',
    })
  })

  it('names no time while no worker has come to it', () => {
    const waiting = { state: 'waiting', error: null, nextAttemptAt: null }
    expect(outcomeOf([tried({ state: 'enqueued' })])).toEqual(waiting)
    expect(outcomeOf([tried({ state: 'waiting', isDue: true }), tried({})])).toEqual(waiting)
  })

  it('does not count what is no longer needed, unless nothing else was sent', () => {
    const cancelled = tried({ state: 'cancelled', error: 'Replaced by a newer attempt.' })
    expect(outcomeOf([cancelled, tried({})])).toEqual({ state: 'delivered' })
    expect(outcomeOf([cancelled])).toEqual({ state: 'refused', error: 'Replaced by a newer attempt.' })
    expect(outcomeOf([])).toEqual({ state: 'refused', error: 'It was deleted before it could be sent.' })
  })
})

it('is under way from the moment it is due until its attempt ends', () => {
  expect(isUnderWay(tried({ state: 'waiting', isDue: true }))).toBe(true)
  expect(isUnderWay(tried({ state: 'enqueued' }))).toBe(true)
  expect(isUnderWay(tried({ state: 'waiting' }))).toBe(false)
  expect(isUnderWay(tried({ state: 'failed' }))).toBe(false)
})
