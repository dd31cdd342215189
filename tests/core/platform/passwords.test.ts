import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { fingerprint, hashPassword, isSame, verifyPassword } from '../../../core/platform/passwords.ts'

const CHEAP = { ln: 4, r: 8, p: 1 }

describe('hashPassword', () => {
  it('makes a hash that says how it was made, another each time', async () => {
    const [one, other] = [await hashPassword('a password', CHEAP), await hashPassword('a password', CHEAP)]
    expect(one).toMatch(/^\$scrypt\$ln=4,r=8,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(one).not.toBe(other)
  })

  it('takes 32 MiB and three rounds unless told otherwise', async () => {
    expect(await hashPassword('a password')).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/)
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

  it('knows the hashes of scrypt as others make them', async () => {
    // RFC 7914, 12, third vector: N=16384, r=8, p=1, the first 32 of its 64 bytes.
    const vector = '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2'
    const salt = Buffer.from('SodiumChloride').toString('base64').replace(/=+$/, '')
    const hash = Buffer.from(vector, 'hex').toString('base64').replace(/=+$/, '')
    expect(await verifyPassword('pleaseletmein', `$scrypt$ln=14,r=8,p=1$${salt}$${hash}`)).toBe(true)
  })

  it('refuses whatever it is where there is no hash', async () => {
    expect(await verifyPassword('', null)).toBe(false)
    expect(await verifyPassword('a password', null)).toBe(false)
  })

  it('does not hold up the files that pages need, however many passwords are being hashed', async () => {
    const done: string[] = []
    const hashes = Array.from({ length: 8 }, () => verifyPassword('a password', null).then(() => done.push('hash')))
    await readFile(new URL(import.meta.url)).then(() => done.push('file'))
    await Promise.all(hashes)
    expect(done[0]).toBe('file')
  })

  it('refuses more than may wait, and then takes passwords again', async () => {
    const hash = await hashPassword('a password', CHEAP)
    const all = await Promise.allSettled(Array.from({ length: 20 }, () => verifyPassword('a password', hash)))
    const refused = all.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    expect(refused).toHaveLength(9)
    expect(refused[0]).toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 })
    expect(await verifyPassword('a password', hash)).toBe(true)
  })

  it('does not take what is no hash for a wrong password', async () => {
    await expect(verifyPassword('a password', 'plain')).rejects.toThrow('cannot be read')
  })
})

it('fingerprint is always the same for one password, and tells it from others', async () => {
  const [one, again, other] = await Promise.all(['shared one', 'shared one', 'shared two'].map(fingerprint))
  expect(one).toBe(again)
  expect(one).not.toBe(other)
  expect(one).toMatch(/^\$scrypt\$ln=15/)
})

it.each([
  ['a', 'a', true],
  ['a', 'b', false],
  ['a', 'aa', false],
  ['', '', true],
])('isSame %j and %j: %s', (a, b, expected) => {
  expect(isSame(a, b)).toBe(expected)
})
