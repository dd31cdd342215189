import { keyedHash } from '../platform/data-key.ts'
import { nationalDigits } from './lead-search.ts'

/** The ways to reach a person. */
export type Contact = { email?: string; phone?: string }

/** A keyed hash of an e-mail or a phone: HMAC-SHA256 in hex. It can be compared, not read. */
export type PersonHash = { kind: 'email' | 'phone'; hash: string }

/** A text with fewer digits is no phone number: different people type the same one. */
export const MIN_PHONE_DIGITS = 7

/**
 * Hashes a person's e-mail and phone. Ignores the case of the e-mail, the format of the phone, and the country code of
 * the USA. Leaves out missing values, and a phone that is no number.
 * @param key of the purpose `person-hash` (`deriveKey`). Without it, phone numbers cannot be tested against a hash.
 */
export function personHashes(key: Buffer, { email = '', phone = '' }: Contact): PersonHash[] {
  const address = email.trim().toLowerCase()
  const number = nationalDigits(phone)
  return [
    ...(address ? [{ kind: 'email' as const, hash: keyedHash(key, `email ${address}`) }] : []),
    ...(number.length >= MIN_PHONE_DIGITS ? [{ kind: 'phone' as const, hash: keyedHash(key, `phone ${number}`) }] : []),
  ]
}
