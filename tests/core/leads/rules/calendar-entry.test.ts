import { describe, expect, it } from 'vitest'
import { calendarEntry } from '../../../../core/providers/rules/phone-files.ts'

const entry = (first_name: string, last_name: string) =>
  calendarEntry({ id: 4182, first_name, last_name }, '2026-12-31', '2026-11-27T15:04:05.678Z', 'leadwell.example')
const summaryOf = (file: string) => /^SUMMARY:(.*)$/m.exec(file.replaceAll('\r\n ', ''))?.[1]?.trimEnd()

describe('the calendar file of an appointment', () => {
  it('is one event of the whole day, the same for each download', () => {
    const file = entry('Jordan', 'Avery')
    expect(file.split('\r\n')).toEqual([
      ...[
        'BEGIN:VCALENDAR',
        'VERSION:2.0',
        expect.stringMatching(/^PRODID:-\/\/.+\/\/Requests\/\/EN$/),
        'BEGIN:VEVENT',
      ],
      ...['UID:request-4182@leadwell.example', 'DTSTAMP:20261127T150405Z'],
      ...['DTSTART;VALUE=DATE:20261231', 'DTEND;VALUE=DATE:20270101'],
      'SUMMARY:Appointment: Jordan A. (request no. 4182)',
      ...['CLASS:PRIVATE', 'TRANSP:TRANSPARENT', 'END:VEVENT', 'END:VCALENDAR', ''],
    ])
  })

  it.each([
    ['a; b, c\\d', 'Ö', 'Appointment: a\\; b\\, c\\\\d Ö. (request no. 4182)'],
    [
      'x\r\nEND:VEVENT\nATTENDEE:mailto:evil@evil.example',
      'A',
      'Appointment: x END:VEVENT ATTENDEE:mailto:evil@evil.example A. (request no. 4182)',
    ],
    ['Jo\u202edan\u0000', '\u202eAvery', 'Appointment: Jo dan  A. (request no. 4182)'],
    ['Ana', '', 'Appointment: Ana (request no. 4182)'],
  ])('keeps the name %j in its line', (first, last, summary) => {
    const file = entry(first, last)
    expect(summaryOf(file)).toBe(summary)
    expect(file.replaceAll('\r\n ', '').split('\r\n')).toHaveLength(14)
  })
})
