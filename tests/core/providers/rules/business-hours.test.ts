import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../../../core/contract/time.ts'
import { USUAL_HOURS, type WeekHours } from '../../../../core/providers/contract/provider-rules.ts'
import {
  addBusinessTime,
  averageDay,
  businessTimeBetween,
  type Calendar,
  calledPlace,
  type Pause,
  timeZoneOf,
} from '../../../../core/providers/rules/business-hours.ts'
import { Hours } from '../../../../core/settings/read-settings.ts'

const ZONES = ['America/New_York', 'America/Phoenix', 'America/Havana', 'Australia/Lord_Howe', 'Asia/Kolkata', 'UTC']
const usual = (timeZone: string, pauses: Pause[] = []): Calendar => ({ hours: USUAL_HOURS, timeZone, pauses })
const at = (text: string) => Date.parse(text)
const pause = (from: string, until: string): Pause => ({ from: at(from), until: at(until) })
const added = (start: string, ms: number, calendar: Calendar) => {
  const moment = addBusinessTime(at(start), ms, calendar)
  return moment === null ? null : new Date(moment).toISOString()
}

const quarter = fc.integer({ min: 0, max: 96 })
const clock = (quarters: number) =>
  `${String(Math.floor(quarters / 4)).padStart(2, '0')}:${String((quarters % 4) * 15).padStart(2, '0')}`
const span = fc
  .tuple(quarter, quarter)
  .filter(([from, until]) => from !== until)
  .map(([a, b]): [string, string] => [clock(Math.min(a, b)), clock(Math.max(a, b))])
const someHours: fc.Arbitrary<WeekHours> = fc
  .tuple(...Array.from({ length: 7 }, () => fc.array(span, { maxLength: 3 })))
  .map((days) => Object.fromEntries(days.map((spans, index) => [String(index + 1), spans])))
const moment = fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2028-01-01T00:00:00Z') })
const pauses = fc.array(
  fc
    .record({ from: moment, for: fc.integer({ min: 1, max: 20 * DAY }) })
    .map(({ from, for: ms }) => ({ from, until: from + ms })),
  { maxLength: 4 },
)
const calendar: fc.Arbitrary<Calendar> = fc.record({
  hours: someHours.filter((hours) => averageDay(hours) > 0),
  timeZone: fc.constantFrom(...ZONES),
  pauses,
})
const duration = fc.integer({ min: 1, max: 60 * HOUR })

describe('business time', () => {
  it.each([
    ['within a day', '2026-11-24T10:00:00-05:00', 3, '2026-11-24T18:00:00.000Z'],
    ['over night', '2026-11-24T16:00:00-05:00', 2, '2026-11-25T15:00:00.000Z'],
    ['over the weekend', '2026-11-27T16:00:00-05:00', 2, '2026-11-30T15:00:00.000Z'],
    ['from closed time', '2026-11-28T12:00:00-05:00', 8, '2026-11-30T22:00:00.000Z'],
    ['in no time, also in closed time', '2026-11-28T12:00:00-05:00', 0, '2026-11-28T17:00:00.000Z'],
  ])('passes %s', (_, start, hours, end) => {
    expect(added(start, hours * HOUR, usual('America/New_York'))).toBe(end)
  })

  it('does not pass during a pause, also when pauses overlap', () => {
    const thanksgiving = [
      pause('2026-11-26T00:00:00-05:00', '2026-11-27T12:00:00-05:00'),
      pause('2026-11-27T11:00:00-05:00', '2026-11-28T00:00:00-05:00'),
    ]
    const clinic = usual('America/New_York', thanksgiving.toReversed())
    expect(added('2026-11-25T16:00:00-05:00', 2 * HOUR, clinic)).toBe('2026-11-30T15:00:00.000Z')
    expect(businessTimeBetween(at('2026-11-25T16:00:00-05:00'), at('2026-11-30T10:00:00-05:00'), clinic)).toBe(2 * HOUR)
    const lunch = usual('America/New_York', [pause('2026-11-24T12:00:00-05:00', '2026-11-24T14:00:00-05:00')])
    expect(added('2026-11-24T10:00:00-05:00', 3 * HOUR, lunch)).toBe('2026-11-24T20:00:00.000Z')
  })

  it('passes in several spans a day, until midnight, and in spans that overlap', () => {
    const hours: WeekHours = {
      2: [
        ['22:00', '24:00'],
        ['09:00', '12:00'],
        ['11:00', '13:00'],
      ],
      3: [['00:00', '01:00']],
    }
    const clinic = { hours, timeZone: 'America/Chicago', pauses: [] }
    expect(added('2026-11-24T08:00:00-06:00', 4 * HOUR, clinic)).toBe('2026-11-24T19:00:00.000Z')
    expect(added('2026-11-24T12:30:00-06:00', 3 * HOUR, clinic)).toBe('2026-11-25T06:30:00.000Z')
  })

  // Clocks change on 2026-03-08 and 2026-11-01 in the USA, and by half an hour on 2026-04-05 and 2026-10-04 on Lord Howe.
  it.each([
    ['America/New_York', '2026-03-07T23:00:00-05:00', '2026-03-09T01:00:00-04:00', 25, 'spring'],
    ['America/New_York', '2026-10-31T23:00:00-04:00', '2026-11-02T01:00:00-05:00', 27, 'fall'],
    ['America/Los_Angeles', '2026-03-07T23:00:00-08:00', '2026-03-09T01:00:00-07:00', 25, 'spring'],
    ['America/Los_Angeles', '2026-10-31T23:00:00-07:00', '2026-11-02T01:00:00-08:00', 27, 'fall'],
    ['Australia/Lord_Howe', '2026-10-03T23:00:00+10:30', '2026-10-05T01:00:00+11:00', 25.5, 'spring'],
    ['Australia/Lord_Howe', '2026-04-04T23:00:00+11:00', '2026-04-06T01:00:00+10:30', 26.5, 'fall'],
  ])('in %s counts the real hours of a clinic that never closes, in %4$s', (timeZone, from, to, hours) => {
    const always = Object.fromEntries(['1', '2', '3', '4', '5', '6', '7'].map((day) => [day, [['00:00', '24:00']]]))
    expect(businessTimeBetween(at(from), at(to), { hours: always as WeekHours, timeZone, pauses: [] })).toBe(
      hours * HOUR,
    )
  })

  it.each([
    ['America/New_York', '2026-03-06T16:00:00-05:00', '2026-03-09T10:00:00-04:00'],
    ['America/Los_Angeles', '2026-10-30T16:00:00-07:00', '2026-11-02T10:00:00-08:00'],
    ['Australia/Lord_Howe', '2026-10-02T16:00:00+10:30', '2026-10-05T10:00:00+11:00'],
  ])('in %s keeps the local opening time after the clocks change', (timeZone, start, end) => {
    expect(added(start, 2 * HOUR, usual(timeZone))).toBe(new Date(end).toISOString())
  })

  it('skips hours that the spring change leaves out, and counts those twice that come twice', () => {
    const night: WeekHours = { 7: [['01:30', '02:30']] }
    const clinic = { hours: night, timeZone: 'America/New_York', pauses: [] }
    const sunday = (day: string) => businessTimeBetween(at(`${day}T00:00:00Z`), at(`${day}T23:00:00Z`), clinic)
    expect(sunday('2026-03-08')).toBe(30 * MINUTE)
    expect(sunday('2026-11-01')).toBe(2 * HOUR)
    expect(sunday('2026-11-08')).toBe(HOUR)
  })

  it('never comes where a clinic is closed all week, or paused for more than a year', () => {
    const closed = { hours: { 1: [] }, timeZone: 'America/New_York', pauses: [] }
    expect(added('2026-11-24T10:00:00-05:00', HOUR, closed)).toBeNull()
    expect(businessTimeBetween(at('2026-01-01T00:00:00Z'), at('2030-01-01T00:00:00Z'), closed)).toBe(0)
    const away = usual('UTC', [pause('2026-11-25T00:00:00Z', '2028-01-01T00:00:00Z')])
    expect(added('2026-11-24T10:00:00Z', 8 * HOUR, away)).toBeNull()
  })

  it('is additive', () => {
    fc.assert(
      fc.property(moment, duration, duration, calendar, (start, one, two, clinic) => {
        const first = addBusinessTime(start, one, clinic)
        fc.pre(first !== null)
        expect(addBusinessTime(first, two, clinic)).toBe(addBusinessTime(start, one + two, clinic))
      }),
    )
  })

  it('added is the business time between', () => {
    fc.assert(
      fc.property(moment, duration, calendar, (start, ms, clinic) => {
        const end = addBusinessTime(start, ms, clinic)
        fc.pre(end !== null)
        expect(businessTimeBetween(start, end, clinic)).toBe(ms)
        expect(businessTimeBetween(start, end - 1, clinic)).toBe(ms - 1)
      }),
    )
  })

  it('grows with the duration and with the start, and never ends in a pause', () => {
    fc.assert(
      fc.property(moment, fc.nat(DAY), duration, calendar, (start, later, ms, clinic) => {
        const end = addBusinessTime(start, ms, clinic)
        fc.pre(end !== null)
        expect(addBusinessTime(start + later, ms, clinic) ?? Infinity).toBeGreaterThanOrEqual(end)
        expect(addBusinessTime(start, ms + 1, clinic) ?? Infinity).toBeGreaterThan(end)
        for (const { from, until } of clinic.pauses) expect(end > from && end <= until).toBe(false)
      }),
    )
  })

  it('of a week without a clock change is the sum of its hours', () => {
    fc.assert(
      fc.property(calendar, fc.nat(DAY), ({ hours, timeZone }, shift) => {
        const week = { hours, timeZone, pauses: [] }
        const start = at('2026-06-01T00:00:00Z') + shift
        const openDays = Object.values(hours).filter((spans) => spans.length > 0).length
        expect(businessTimeBetween(start, start + 7 * DAY, week)).toBeCloseTo(averageDay(hours) * openDays)
      }),
    )
  })
})

describe('the time zone of a place', () => {
  it.each([
    ['Austin', 30.27, -97.74, 'America/Chicago'],
    ['Phoenix, without daylight saving', 33.45, -112.07, 'America/Phoenix'],
    ['Honolulu', 21.31, -157.86, 'Pacific/Honolulu'],
    ['Portland, Oregon', 45.52, -122.68, 'America/Los_Angeles'],
  ])('%s', (_, latitude, longitude, zone) => expect(timeZoneOf({ latitude, longitude })).toBe(zone))

  it('is unknown for coordinates that are not on Earth', () => {
    expect(timeZoneOf({ latitude: 91, longitude: 0 })).toBeNull()
    expect(timeZoneOf({ latitude: 0, longitude: Number.NaN })).toBeNull()
    for (const at of [1, -1]) expect(timeZoneOf({ latitude: 90 * at, longitude: 180 * at })).not.toBeNull()
  })
})

describe('the usual hours of clinics, as a setting', () => {
  it('has ranges of days, single days, and several spans of a day', () => {
    expect(Hours.parse('Mon-Tue 09:00-12:00, tue 13:00-17:00, Sat 10:00-24:00')).toEqual({
      1: [['09:00', '12:00']],
      2: [
        ['09:00', '12:00'],
        ['13:00', '17:00'],
      ],
      6: [['10:00', '24:00']],
    })
  })

  it.each([
    '',
    'Mon',
    'Mon-Fri',
    'Mon-Fri 9-17',
    'Mon 17:00-09:00',
    'Mon 09:00-25:00',
    'Fri-Mon 09:00-17:00',
    'Moon 09:00-17:00',
    'Mon 09:00-17:00,',
  ])('is refused where it is no such text: %s', (typed) =>
    expect(Hours.safeParse(typed).error?.issues[0]?.message).toContain('must be hours like Mon-Fri 09:00-17:00'),
  )
})

describe('the place where a visitor is called', () => {
  const austin = { zip: '78701', latitude: 30.27, longitude: -97.74, city: 'Austin', state: 'TX' }
  const place = { name: 'Austin', state: 'TX', timeZone: 'America/Chicago' }

  it.each([
    ['is that of the zip code', austin, place],
    [
      'has the zip code without a city',
      { ...austin, city: null, state: null },
      { ...place, name: 'zip 78701', state: null },
    ],
    ['is not known for military mail from the Americas', { ...austin, state: 'AA' }, null],
    ['is not known for military mail from Europe', { ...austin, state: 'AE' }, null],
    ['is not known for military mail from the Pacific', { ...austin, state: 'AP' }, null],
    ['is not known without a place on Earth', { ...austin, latitude: 91 }, null],
    ['is not known without a zip code', null, null],
  ])('%s', (_, zip, expected) => expect(calledPlace(zip)).toEqual(expected))
})
