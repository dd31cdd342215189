import { describe, expect, it } from 'vitest'
import { countOf, formatBytes, formatCount, formatDuration, formatShare } from '../../web/lib/numbers.ts'

it('groups what is counted, and says how many there are of it', () => {
  expect(formatCount(1234567)).toBe('1,234,567')
  expect(countOf(1, 'lead')).toBe('1 lead')
  expect(countOf(0, 'lead')).toBe('0 leads')
})

describe('a share', () => {
  it.each([
    [0, '0%'],
    [0.5, '50%'],
    [0.8333, '83.3%'],
    [1, '100%'],
  ])('%d reads %s', (share, text) => expect(formatShare(share)).toBe(text))

  it('is never all or nothing when it is not', () => {
    expect(formatShare(0.99999)).toBe('99.9%')
    expect(formatShare(0.00001)).toBe('0.1%')
  })
})

it.each([
  [0, '0 ms'],
  [840, '840 ms'],
  [4230, '4.2 s'],
  [210_000, '3.5 min'],
  [5 * 3_600_000, '5 h'],
  [24 * 3_600_000, '1 day'],
  [50 * 3_600_000, '2.1 days'],
])('%d ms read %s', (ms, text) => expect(formatDuration(ms)).toBe(text))

it.each([
  [0, '0 KB'],
  [1536, '1.5 KB'],
  [831_488, '812 KB'],
  [1.4 * 1024 ** 3, '1.4 GB'],
  [5000 * 1024 ** 4, '5000 TB'],
])('%d bytes read %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text))
