import { tz } from '@date-fns/tz'
import { addBusinessDays } from 'date-fns/addBusinessDays'
import { z } from 'zod'
import { phoneDigits } from '../../leads/rules/duplicates.ts'
import { recipientOf } from '../../leads/rules/holds.ts'
import { keyedHash, signedLink } from '../../platform/data-key.ts'
import { MIN_PHONE_DIGITS } from '../contract/privacy.ts'

export type Contact = { email?: string; phone?: string }

/** A keyed hash of an email or a phone: HMAC-SHA256 in hex. It can be compared, not read. */
export type PersonHash = { kind: 'email' | 'phone'; hash: string }

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

/**
 * The content of a link's token: the mailbox that asks for no contact and the lead whose email had the link; or the opt-
 * out that a clinic confirms.
 */
export type OptOutLink =
  | { of: 'person'; leadId: number | null; hashes: PersonHash[] }
  | { of: 'clinic'; optOutId: number }

/** The first letter of a packed hash. Tokens of earlier versions also have that of a phone number, `p`, which is ignored. */
const EMAIL = 'e'

/**
 * A link by which contact is stopped. It contains the hash of the mailbox that gets it, and no other one, so it works after the
 * lead's deletion. It proves that mailbox and nothing else: anybody could have typed the phone number of the form. It does not
 * expire, because the right to stop does not. Its key is of the purpose `opt-out-link`.
 */
export const optOutLink = signedLink<OptOutLink>({
  say: (link) =>
    link.of === 'clinic'
      ? [link.of, link.optOutId]
      : [link.of, link.leadId ?? '', ...link.hashes.filter(({ kind }) => kind === 'email').map(packed)],
  schema: z.union([
    z.tuple([z.literal('clinic'), z.coerce.number<string>()]).transform(([of, optOutId]) => ({ of, optOutId })),
    z.tuple([z.literal('person'), z.string()], z.string()).transform(([of, id, ...hashes], { issues }) => {
      const ofEmail = hashes.filter((hash) => hash.startsWith(EMAIL))
      if (ofEmail.length === 0) issues.push({ code: 'custom', input: hashes })
      return { of, leadId: id ? Number(id) : null, hashes: ofEmail.map(unpacked) }
    }),
  ]),
})

const packed = ({ hash }: PersonHash) => EMAIL + Buffer.from(hash, 'hex').toString('base64url')

const unpacked = (text: string): PersonHash => ({
  kind: 'email',
  hash: Buffer.from(text.slice(EMAIL.length), 'base64url').toString('hex'),
})

/** The legal limit. Source: 47 CFR 64.1200(a)(10), "within a reasonable time not to exceed ten business days". */
const MAX_BUSINESS_DAYS = 10

/**
 * Returns the deadline by which a clinic must confirm an opt-out: ten business days later, at the same time of day in
 * the network's time zone. Holidays count as business days, so the deadline is never too late.
 */
export function optOutDeadline(askedAt: Date, timeZone: string): Date {
  return new Date(addBusinessDays(askedAt, MAX_BUSINESS_DAYS, { in: tz(timeZone) }).getTime())
}
