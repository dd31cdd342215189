import { describe, expect, it } from 'vitest'
import { formatDay } from '../../web/lib/dates.ts'
import { fiveDigits, parseId, telUrl, websiteUrl } from '../../web/lib/texts.ts'

describe('fiveDigits', () => {
  it.each([
    ['90210-1234', '90210'],
    [' 90210-1234 ', '90210'],
    ['902101234', '90210'],
    ['90210 1234', '90210'],
    [' 90210\n', '90210'],
    ['90210', '90210'],
    ['9021', '9021'],
    ['902101', '902101'],
    ['K1A 0B1', 'K1A 0B1'],
    ['', ''],
  ])('%j → %j', (text, zip) => expect(fiveDigits(text)).toBe(zip))
})

describe('parseId', () => {
  it.each([
    ['12', 12],
    ['0', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['1e3', undefined],
    ['abc', undefined],
    ['', undefined],
    [null, undefined],
  ])('%j → %j', (text, id) => expect(parseId(text)).toBe(id))
})

describe('links', () => {
  it.each([
    ['clinic.example', 'https://clinic.example'],
    ['http://clinic.example', 'http://clinic.example'],
    ['HTTPS://clinic.example', 'HTTPS://clinic.example'],
    ['javascript:alert(1)', 'https://javascript:alert(1)'],
  ])('website %j → %j', (website, url) => expect(websiteUrl(website)).toBe(url))

  it.each([
    ['(202) 555-0142', 'tel:+12025550142'],
    ['+1 202 555 0142', 'tel:+12025550142'],
  ])('phone %j → %j', (phone, url) => expect(telUrl(phone)).toBe(url))
})

describe('formatDay', () => {
  it.each([
    ['2026-11-05T12:00:00.000Z', 'Nov 5, 2026'],
    [null, '-'],
  ])('%j → %j', (time, day) => expect(formatDay(time)).toBe(day))
})
