import { randomBytes } from 'node:crypto'
import { TOTP } from 'otpauth'
import { describe, expect, it } from 'vitest'
import { MINUTE, SECOND } from '../../../../core/contract/time.ts'
import {
  isFactorRequired,
  newRecoveryCode,
  newTotpSecret,
  plainRecoveryCode,
  stepOfCode,
  totpUri,
} from '../../../../core/staff/rules/second-factor.ts'

/** The secret of RFC 6238, Appendix B, in base32, and a moment of its table: 2005-03-18 01:58:29 UTC. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const NOW = 1_111_111_109 * SECOND
/** The last six of the eight digits that the table has for it. */
const CODE = '081804'
const STEP = 37_037_036

describe('a code of an authenticator app', () => {
  it('is that of RFC 6238', () => {
    expect(stepOfCode(SECRET, CODE, NOW, null)).toBe(STEP)
    expect(stepOfCode(SECRET, '081805', NOW, null)).toBeNull()
    expect(stepOfCode(newTotpSecret(), CODE, NOW, null)).toBeNull()
  })

  it('works once: neither it nor an older one is taken again', () => {
    const earlier = TOTP.generate({ secret: new TOTP({ secret: SECRET }).secret, timestamp: NOW - 30 * SECOND })
    expect(stepOfCode(SECRET, earlier, NOW, null)).toBe(STEP - 1)
    expect(stepOfCode(SECRET, CODE, NOW, STEP - 1)).toBe(STEP)
    expect(stepOfCode(SECRET, CODE, NOW, STEP)).toBeNull()
    expect(stepOfCode(SECRET, earlier, NOW, STEP)).toBeNull()
  })

  it('is good for 90 seconds', () => {
    const seconds = [...Array(300).keys()].map((second) => NOW - 2 * MINUTE + second * SECOND)
    expect(seconds.filter((now) => stepOfCode(SECRET, CODE, now, null))).toHaveLength(90)
  })

  it.each(['', '08180', '0818040', 'abcdef'])('is not %j', (code) => {
    expect(stepOfCode(SECRET, code, NOW, null)).toBeNull()
  })
})

describe('the secret of an authenticator app', () => {
  it('has 160 bits, and no other has the same', () => {
    const secrets = Array.from({ length: 50 }, newTotpSecret)
    expect(secrets.every((secret) => /^[A-Z2-7]{32}$/.test(secret))).toBe(true)
    expect(new Set(secrets).size).toBe(50)
  })

  it('goes to the app with the names of site and account', () => {
    const uri = new URL(totpUri(SECRET, { issuer: 'Leadwell & Co', label: 'ada@leadwell.example' }))
    expect(uri.protocol).toBe('otpauth:')
    expect(decodeURIComponent(uri.pathname)).toContain('Leadwell & Co:ada@leadwell.example')
    expect(Object.fromEntries(uri.searchParams)).toMatchObject({ secret: SECRET, digits: '6', period: '30' })
  })
})

it('a recovery code is the same however it is typed', () => {
  const code = newRecoveryCode(randomBytes)
  expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{5}$/)
  expect(plainRecoveryCode(` ${code.toUpperCase().replace('-', ' ')} `)).toBe(code.replace('-', ''))
  expect(plainRecoveryCode('oil0l-IO0Oo')).toBe('0110110000')
})

it.each([
  ['none', []],
  ['managers', ['manager']],
  ['all', ['viewer', 'agent', 'manager']],
] as const)('a second factor is required of %s: %j', (requiredOf, roles) => {
  const all = ['viewer', 'agent', 'manager'] as const
  expect(all.filter((role) => isFactorRequired(requiredOf, role))).toEqual(roles)
})
