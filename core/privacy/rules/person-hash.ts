import { recipientOf } from '../../deliveries/rules/mail-caps.ts'
import { phoneDigits } from '../../leads/rules/duplicates.ts'
import { keyedHash } from '../../platform/data-key.ts'

/** The ways to reach a person. */
export type Contact = { email?: string; phone?: string }

/** A keyed hash of an e-mail or a phone: HMAC-SHA256 in hex. It can be compared, not read. */
export type PersonHash = { kind: 'email' | 'phone'; hash: string }

/** A text with fewer digits is no phone number: different people type the same one. */
export const MIN_PHONE_DIGITS = 7

/**
 * Hashes a person's email and each number in the phone field. Ignores the case of the email, and the format, extension and
 * US country code of a number. A field of more than one plain number has the hash of all its digits as well, which earlier
 * versions stored, and so has an email that is another spelling of its mailbox (`recipientOf`): the hash of the address as it is
 * typed comes first. Leaves out missing values, and a phone that is no number.
 * @param key of the purpose `person-hash` (`deriveKey`). Without it, phone numbers cannot be tested against a hash.
 */
export function personHashes(key: Buffer, { email = '', phone = '' }: Contact): PersonHash[] {
  const address = email.trim().toLowerCase()
  const numbers = phoneDigits(phone).filter((digits) => digits.length >= MIN_PHONE_DIGITS)
  return [
    ...[...new Set([address, recipientOf(address)])]
      .filter(Boolean)
      .map((email) => ({ kind: 'email' as const, hash: keyedHash(key, `email ${email}`) })),
    ...numbers.map((digits) => ({ kind: 'phone' as const, hash: keyedHash(key, `phone ${digits}`) })),
  ]
}
