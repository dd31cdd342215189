import { describe, expect, it } from 'vitest'
import { calledPlace, timeZoneOf } from '../../../../core/providers/rules/business-hours.ts'
import { Hours } from '../../../../core/settings/types.ts'

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
