import { describe, expect, it } from 'vitest'
import { type CalledPlace, callingAt } from '../../../core/contract/hours.ts'

const RENO: CalledPlace = { name: 'Reno', state: 'NV', timeZone: 'America/Los_Angeles' }
const at = (place: CalledPlace, time: string) => {
  const { from, ...calling } = callingAt(place, Date.parse(time))
  return { ...calling, from: new Date(from).toISOString() }
}

describe('the hours in which a visitor may be called', () => {
  it('are those of the place of the visitor', () => {
    expect(at(RENO, '2026-11-27T07:10:00-08:00')).toEqual({
      isAllowed: false,
      from: '2026-11-27T16:00:00.000Z',
      fromInWords: '8 AM in Reno',
      words: 'It is 7:10 AM in Reno. Call between 8 AM and 8 PM there.',
    })
    expect(at(RENO, '2026-11-27T10:10:00-05:00').isAllowed).toBe(false)
  })

  it.each([
    ['07:59', false],
    ['08:00', true],
    ['19:59', true],
    ['20:00', false],
    ['23:30', false],
    ['00:00', false],
  ])('are from 8 AM to 8 PM: %s', (time, isAllowed) => {
    expect(at(RENO, `2026-11-27T${time}:00-08:00`).isAllowed).toBe(isAllowed)
  })

  it('begin on the next day after the evening, also when clocks change in between', () => {
    expect(at(RENO, '2026-11-27T21:00:00-08:00').from).toBe('2026-11-28T16:00:00.000Z')
    expect(at(RENO, '2026-10-31T22:00:00-07:00').from).toBe('2026-11-01T16:00:00.000Z')
    expect(at(RENO, '2026-11-27T09:00:00-08:00').from).toBe('2026-11-27T17:00:00.000Z')
  })

  it.each([
    ['KY', 'America/New_York', '2026-11-27T09:30:00-05:00', false, '10 AM'],
    ['CT', 'America/New_York', '2026-11-27T08:30:00-05:00', false, '9 AM'],
    ['MI', 'America/Detroit', '2026-11-27T09:00:00-05:00', true, '9 AM'],
    ['FL', 'America/New_York', '2026-11-27T20:30:00-05:00', false, '8 AM'],
    [null, 'America/Chicago', '2026-11-29T12:00:00-06:00', true, '8 AM'],
  ])('of %s at %s', (state, timeZone, time, isAllowed, from) => {
    expect(at({ name: '00000', state, timeZone }, time)).toMatchObject({ isAllowed, fromInWords: `${from} in 00000` })
  })

  it.each(['AL', 'LA', 'MS'])('leave out Sundays in %s', (state) => {
    const place = { name: 'Mobile', state, timeZone: 'America/Chicago' }
    const monday = { from: '2026-11-30T14:00:00.000Z', fromInWords: '8 AM on Monday in Mobile' }
    expect(at(place, '2026-11-28T21:00:00-06:00')).toMatchObject({ isAllowed: false, ...monday })
    expect(at(place, '2026-11-29T14:10:00-06:00')).toEqual({
      isAllowed: false,
      from: monday.from,
      fromInWords: '8 AM in Mobile',
      words: 'It is Sunday, 2:10 PM in Mobile. Call between 8 AM and 8 PM there, and not on Sundays.',
    })
    expect(at(place, '2026-11-29T06:00:00-06:00')).toMatchObject({ isAllowed: false, ...monday })
    expect(at(place, '2026-11-28T14:00:00-06:00').isAllowed).toBe(true)
  })
})
