import { describe, expect, it } from 'vitest'
import { DeliveryError, NotNeeded } from '../../worker/delivery-error.ts'
import { printable } from '../../worker/printable.ts'

describe('a delivery error', () => {
  it('carries what the ledger and the next attempt need', () => {
    const cause = new Error('socket')
    const error = new DeliveryError('Busy: try later', {
      summary: 'Busy (503)',
      retry: 'later',
      askedFor: 5000,
      status: 503,
      cause,
    })
    expect(error).toMatchObject({
      name: 'DeliveryError',
      message: 'Busy: try later',
      summary: 'Busy (503)',
      retry: 'later',
      askedFor: 5000,
      status: 503,
      cause,
    })
  })

  it('has its message for a summary when there is none', () => {
    expect(new DeliveryError('The address is not valid.', { retry: 'never' }).summary).toBe('The address is not valid.')
  })

  it('has a message that a person can read, whatever the other side said', () => {
    expect(new DeliveryError('It said: a\u0000\r\nb', { retry: 'never' }).message).toBe('It said: a b')
  })
})

it('an attempt that is not needed is told apart by its name', () => {
  expect(new NotNeeded('The lead is held.')).toMatchObject({ name: 'NotNeeded', message: 'The lead is held.' })
})

describe('printable', () => {
  it('replaces each run of control characters and lone surrogates with one space', () => {
    expect(printable('one\r\n\ttwo\u0000three\ud800four')).toBe('one two three four')
  })

  it('removes spaces at both ends', () => {
    expect(printable('\n said \u0007')).toBe('said')
  })

  it('keeps every other character', () => {
    expect(printable('Zoë 李 😀 “x”')).toBe('Zoë 李 😀 “x”')
  })

  it('keeps 500 characters at most', () => {
    expect(printable('x'.repeat(501))).toBe('x'.repeat(500))
  })
})
