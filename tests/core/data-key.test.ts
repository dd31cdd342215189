import { describe, expect, it } from 'vitest'
import { deriveKey, keyedHash } from '../../core/data-key.ts'

const DATA_KEY = Buffer.alloc(32, 1)

describe('deriveKey', () => {
  it('makes the same key again, and another one for each purpose and each data key', () => {
    const key = deriveKey(DATA_KEY, 'person-hash')
    expect(key).toHaveLength(32)
    expect(deriveKey(DATA_KEY, 'person-hash')).toEqual(key)
    expect(deriveKey(DATA_KEY, 'consent-chain')).not.toEqual(key)
    expect(deriveKey(Buffer.alloc(32, 2), 'person-hash')).not.toEqual(key)
  })
})

describe('keyedHash', () => {
  // Source: RFC 4231, test case 2.
  it('is HMAC-SHA256 in hex', () => {
    expect(keyedHash(Buffer.from('Jefe'), 'what do ya want for nothing?')).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    )
  })
})
