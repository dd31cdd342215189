import { Secret, TOTP } from 'otpauth'
import type { StaffRole } from '../contract/staff.ts'

/** The accounts that must have a second factor (`REQUIRE_SECOND_FACTOR`). */
type RequiredOf = 'none' | 'managers' | 'all'

export function isFactorRequired(requiredOf: RequiredOf, role: StaffRole): boolean {
  return requiredOf === 'all' || (requiredOf === 'managers' && role === 'manager')
}

/** Seconds of one time step. Authenticator apps expect SHA-1, 6 digits and 30 seconds (RFC 6238, 4.1). */
const PERIOD = 30
/** Steps before and after the current one whose codes are accepted, for clocks that differ (RFC 6238, 5.2). */
const WINDOW = 1

/** Returns a new secret in base32: 160 bits, as RFC 4226 recommends. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32

/** Returns the URI of the QR code: `otpauth://totp/…`. */
export function totpUri(secret: string, { issuer, label }: { issuer: string; label: string }): string {
  return new TOTP({ secret, issuer, label, period: PERIOD }).toString()
}

/**
 * Returns the time step of a code. Returns null when it is wrong, too old, or of a step up to `lastStep`, whose code
 * was used before.
 * @param now in milliseconds since 1970
 */
export function stepOfCode(secret: string, code: string, now: number, lastStep: number | null): number | null {
  const totp = new TOTP({ secret, period: PERIOD })
  const delta = totp.validate({ token: code, timestamp: now, window: WINDOW })
  if (delta === null) return null
  const step = totp.counter({ timestamp: now }) + delta
  return lastStep === null || step > lastStep ? step : null
}

/** 32 characters without ambiguous ones (Crockford's base 32). */
const SIGNS = '0123456789abcdefghjkmnpqrstvwxyz'
const RECOVERY_CODE_BYTES = 10

/** Returns a recovery code of 50 random bits: `7k3mf-9x2qd`. */
export function newRecoveryCode(random: (bytes: number) => Buffer): string {
  const code = [...random(RECOVERY_CODE_BYTES)].map((byte) => SIGNS[byte % SIGNS.length]).join('')
  return `${code.slice(0, 5)}-${code.slice(5)}`
}

/** Normalizes a typed recovery code for hashing: ignores case and hyphen, reads `o` as 0, `i` and `l` as 1. */
export function plainRecoveryCode(typed: string): string {
  return typed
    .toLowerCase()
    .replaceAll('o', '0')
    .replace(/[il]/g, '1')
    .replace(/[^0-9a-z]/g, '')
}
