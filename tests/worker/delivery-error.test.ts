import { describe, expect, it } from 'vitest'
import { DeliveryError, printable } from '../../worker/delivery-error.ts'

describe('a delivery error', () => {
  it('keeps what the other side said as a person can read it', () => {
    const detail = (said: string) => new DeliveryError('No.', { cause: 'refused', retry: 'never', detail: said }).detail
    expect(detail('a\u0000\r\nb')).toBe('a b')
    expect(detail('')).toBeUndefined()
    expect(detail('\u0000')).toBeUndefined()
  })
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

  it('keeps 2,000 characters at most', () => {
    expect(printable('x'.repeat(2001))).toBe('x'.repeat(2000))
  })
})
