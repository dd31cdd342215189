import { expect, it } from 'vitest'
import { federalHolidays, holidayPauses } from '../../../../core/providers/rules/business-hours.ts'

// Checked by hand against the list of the Office of Personnel Management.
it('lists the eleven federal holidays of the next year, observed on Friday or Monday where they are on a weekend', () => {
  expect(federalHolidays('2026-11-27')).toEqual([
    { name: 'Christmas', day: '2026-12-25' },
    { name: 'New Year’s Day', day: '2027-01-01' },
    { name: 'Martin Luther King Jr. Day', day: '2027-01-18' },
    { name: 'Presidents’ Day', day: '2027-02-15' },
    { name: 'Memorial Day', day: '2027-05-31' },
    // A Saturday, a Sunday.
    { name: 'Juneteenth', day: '2027-06-18' },
    { name: 'Independence Day', day: '2027-07-05' },
    { name: 'Labor Day', day: '2027-09-06' },
    { name: 'Columbus Day', day: '2027-10-11' },
    { name: 'Veterans Day', day: '2027-11-11' },
    { name: 'Thanksgiving', day: '2027-11-25' },
  ])
})

it('lists a New Year’s Day that is observed in the year before', () => {
  const days = federalHolidays('2027-12-01').filter(({ name }) => name === 'New Year’s Day')
  expect(days).toEqual([{ name: 'New Year’s Day', day: '2027-12-31' }])
  expect(federalHolidays('2026-07-03')[0]).toEqual({ name: 'Independence Day', day: '2026-07-03' })
})

it('makes whole days of the network of them, and leaves out those that a pause covers', () => {
  const now = new Date('2026-11-25T12:00:00Z')
  const pause = { id: 1, reason: 'Thanksgiving', created_by: 'staff' }
  const covering = { ...pause, starts_at: '2026-11-26T05:00:00.000Z', ends_at: '2026-11-28T05:00:00.000Z' }
  const [first, ...others] = holidayPauses(now, 'America/New_York', [covering])
  expect(first).toEqual({
    ...{ reason: 'Christmas', starts_at: '2026-12-25T05:00:00.000Z', ends_at: '2026-12-26T05:00:00.000Z' },
  })
  expect(others.map(({ reason }) => reason)).not.toContain('Thanksgiving')
  expect(holidayPauses(now, 'America/New_York', []).find(({ reason }) => reason === 'Memorial Day')).toMatchObject({
    ...{ starts_at: '2027-05-31T04:00:00.000Z', ends_at: '2027-06-01T04:00:00.000Z' },
  })
})
