import { keyedHash } from '../platform/data-key.ts'
import { nationalDigits } from './lead-search.ts'

/** How a person is reached: by this address, or at this number. */
export type Contact = { email?: string; phone?: string }

/** One way to reach a person, recognizable without being readable: HMAC-SHA256 in hex. */
export type PersonHash = { kind: 'email' | 'phone'; hash: string }

/** What has fewer digits is no phone number: different people type it. */
const MIN_PHONE_DIGITS = 7

/**
 * Returns the hashes of a person's e-mail and phone. The case of the e-mail does not count, nor how the phone is typed,
 * with or without the country code of the USA. Leaves out what is missing, and a phone that is no number.
 *
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
