import { expect, it, vi } from 'vitest'
import { createFloodLog, type Logger, messageOf } from '../../../core/platform/log.ts'
import { databaseTrouble } from '../../../core/platform/process.ts'

const failed = (code: string, message = 'no') => Object.assign(new Error(message), { code })

it.each([
  ['25006', 'read_only'],
  ['53100', 'full'],
  ['53200', 'full'],
  ['53400', 'full'],
  ['53300', 'busy'],
  ['40001', 'busy'],
  ['40P01', 'busy'],
  ['55P03', 'busy'],
  ['57014', 'busy'],
  ['57P01', 'away'],
  ['57P03', 'away'],
  ['58030', 'away'],
  ['58P01', 'away'],
  ['08006', 'away'],
  ['28P01', 'away'],
  ['ECONNREFUSED', 'away'],
  ['ENOTFOUND', 'away'],
  ['23505', null],
  ['42601', null],
  ['22P02', null],
  ['', null],
])('distinguishes a database that does not work from a fault of ours: %s is %s', (code, trouble) => {
  expect(databaseTrouble(failed(code))).toBe(trouble)
})

it('knows a lost connection by its words', () => {
  for (const words of ['Connection terminated unexpectedly', 'select 1 - timeout expired']) {
    expect(databaseTrouble(new Error(words))).toBe('away')
  }
  expect(databaseTrouble(new Error('Cannot read properties of undefined'))).toBeNull()
})

it('logs a flood of one error as one line a minute, with their number, and another error beside it', () => {
  vi.useFakeTimers()
  try {
    const error = vi.fn()
    const flood = createFloodLog({ error } as unknown as Logger)
    for (let n = 0; n < 363; n++) flood('disk', { code: '53100' }, 'the database refused')
    flood('other', { code: '25006' }, 'the database refused')
    expect(error.mock.calls).toEqual([
      [{ code: '53100' }, 'the database refused'],
      [{ code: '25006' }, 'the database refused'],
    ])
    vi.advanceTimersByTime(60_000)
    expect(error.mock.calls.slice(2)).toEqual([[{ code: '53100', repeated: 362 }, 'the database refused']])
    for (let n = 0; n < 5; n++) flood('disk', { code: '53100' }, 'the database refused')
    expect(error).toHaveBeenCalledTimes(3)
    vi.advanceTimersByTime(60_000)
    expect(error.mock.lastCall).toEqual([{ code: '53100', repeated: 5 }, 'the database refused'])
    vi.advanceTimersByTime(60_000)
    flood('disk', { code: '53100' }, 'the database refused')
    expect(error).toHaveBeenCalledTimes(5)
  } finally {
    vi.useRealTimers()
  }
})

it('leaves the statement out of a message of PostgreSQL', () => {
  const error = Object.assign(new Error('insert into leads (a, b) values ($1, $2) - could not extend file'), {
    severity: 'ERROR',
  })
  expect(messageOf(error)).toBe('could not extend file')
  expect(messageOf(new Error('a - b'))).toBe('a - b')
})
