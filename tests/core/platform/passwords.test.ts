import { describe, expect, it } from 'vitest'
import { brand } from '../../../core/brand/brand.ts'
import {
  fingerprint,
  hashPassword,
  isOutdated,
  isSame,
  verifyPassword,
  weaknessOf,
} from '../../../core/platform/passwords.ts'

const CHEAP = { memoryCost: 8 }

describe('hashPassword', () => {
  it('makes a hash that says how it was made, another each time', async () => {
    const [one, other] = [await hashPassword('a password', CHEAP), await hashPassword('a password', CHEAP)]
    expect(one).toMatch(/^\$argon2id\$v=19\$m=8,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(one).not.toBe(other)
  })

  it('takes 19 MiB and two rounds by default', async () => {
    expect(await hashPassword('a password')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })
})

describe('verifyPassword', () => {
  it('takes the password, and no other', async () => {
    const hash = await hashPassword('a password', CHEAP)
    expect(await verifyPassword('a password', hash)).toBe(true)
    for (const wrong of ['', 'A password', 'a password ', 'a passwor', hash]) {
      expect(await verifyPassword(wrong, hash)).toBe(false)
    }
  })

  it('takes the same letters however a keyboard composes them', async () => {
    expect(await verifyPassword('pa\u0308ssword', await hashPassword('p\u00e4ssword', CHEAP))).toBe(true)
  })

  it('verifies a hash that scrypt made, and calls it outdated', async () => {
    // RFC 7914, 12, third vector: N=16384, r=8, p=1, the first 32 of its 64 bytes.
    const vector = '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2'
    const salt = Buffer.from('SodiumChloride').toString('base64').replace(/=+$/, '')
    const hash = Buffer.from(vector, 'hex').toString('base64').replace(/=+$/, '')
    const stored = `$scrypt$ln=14,r=8,p=1$${salt}$${hash}`
    expect(await verifyPassword('pleaseletmein', stored)).toBe(true)
    expect(await verifyPassword('pleaseletmeout', stored)).toBe(false)
    expect([stored, await hashPassword('pleaseletmein', CHEAP)].map(isOutdated)).toEqual([true, false])
  })

  it('refuses whatever it is where there is no hash', async () => {
    expect(await verifyPassword('', null)).toBe(false)
    expect(await verifyPassword('a password', null)).toBe(false)
  })

  it.each(['plain', '$scrypt$plain'])('does not take %j for the hash of another password', async (stored) => {
    await expect(verifyPassword('a password', stored)).rejects.toThrow()
  })
})

it('fingerprint is always the same for one password, and differs between passwords', async () => {
  const [one, again, other] = await Promise.all(['shared one', 'shared one', 'shared two'].map(fingerprint))
  expect(one).toBe(again)
  expect(one).not.toBe(other)
  expect(one).toMatch(/^\$argon2id\$/)
})

it.each([
  ['a', 'a', true],
  ['a', 'b', false],
  ['a', 'aa', false],
  ['', '', true],
])('isSame %j and %j: %s', (a, b, expected) => {
  expect(isSame(a, b)).toBe(expected)
})

it.each([
  'password1234',
  '123456789012',
  brand.company.repeat(2).toLowerCase(),
  'leadwell-staff-2026',
  'ada@leadwell.example',
  'AdaParkAdaPark1!',
  'qwertyuiop123',
  'Summer2026!!',
])('%j is easy to guess for Ada Park, and it says so', async (weak) => {
  expect(await weaknessOf(weak, ['Ada Park', 'ada@leadwell.example'])).toMatch(/Use four or more words/)
})

it('four words in a row are not easy to guess', async () => {
  expect(await weaknessOf('lilac otter bench window', ['Ada Park', 'ada@leadwell.example'])).toBeNull()
})
