import { describe, expect, it } from 'vitest'
import { deriveKey, keyedHash, seal, unseal } from '../../../core/platform/data-key.ts'

const DATA_KEY = Buffer.alloc(32, 1)

it('deriveKey makes the same key again, and another one for each purpose and each data key', () => {
  const key = deriveKey(DATA_KEY, 'person-hash')
  expect(key).toHaveLength(32)
  expect(deriveKey(DATA_KEY, 'person-hash')).toEqual(key)
  expect(deriveKey(DATA_KEY, 'consent-chain')).not.toEqual(key)
  expect(deriveKey(Buffer.alloc(32, 2), 'person-hash')).not.toEqual(key)
})

// Source: RFC 4231, test case 2.
it('keyedHash is HMAC-SHA256 in hex', () => {
  expect(keyedHash(Buffer.from('Jefe'), 'what do ya want for nothing?')).toBe(
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  )
})

describe('a sealed text', () => {
  const key = deriveKey(DATA_KEY, 'second-factor')

  it('opens with its key and its context, and looks different each time', () => {
    const sealed = seal(key, 'a secret', 'account 1')
    expect(unseal(key, sealed, 'account 1')).toBe('a secret')
    expect(sealed.includes('secret')).toBe(false)
    expect(seal(key, 'a secret', 'account 1')).not.toEqual(sealed)
  })

  it('does not open with another key or context, or once a byte was changed or cut off', () => {
    const sealed = seal(key, 'a secret', 'account 1')
    expect(() => unseal(deriveKey(DATA_KEY, 'person-hash'), sealed, 'account 1')).toThrow()
    expect(() => unseal(key, sealed, 'account 2')).toThrow()
    for (const at of sealed.keys()) {
      const changed = Buffer.from(sealed)
      changed[at] = Number(changed[at]) ^ 1
      expect(() => unseal(key, changed, 'account 1')).toThrow()
      expect(() => unseal(key, sealed.subarray(0, at), 'account 1')).toThrow()
    }
  })
})
