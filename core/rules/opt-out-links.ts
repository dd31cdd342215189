import { createHmac, timingSafeEqual } from 'node:crypto'
import type { PersonHash } from './person-hash.ts'

/**
 * The content of a link's token: the mailbox that asks for no contact and the lead whose email had the link; or the opt-
 * out that a clinic confirms.
 */
export type OptOutLink =
  | { of: 'person'; leadId: number | null; hashes: PersonHash[] }
  | { of: 'clinic'; optOutId: number }

/**
 * Signs the token of a link. Nothing is stored for it: it contains the hash of the mailbox that gets it, and no other one,
 * so it works after the lead's deletion. It proves that mailbox and nothing else: anybody could have typed the phone number
 * of the form. It does not expire, because the right to stop does not.
 * @param key of the purpose `opt-out-link` (`deriveKey`)
 */
export function signOptOutLink(key: Buffer, link: OptOutLink): string {
  const said = link.of === 'clinic' ? `clinic.${link.optOutId}` : `person.${link.leadId ?? ''}.${packed(link.hashes)}`
  return `${said}.${signature(key, said)}`
}

/**
 * Returns the content of a token. Returns null unless its signature is ours. Ignores the hash of a phone number, which
 * tokens of earlier versions have as well.
 */
export function readOptOutLink(key: Buffer, token: string): OptOutLink | null {
  const end = token.lastIndexOf('.')
  const said = token.slice(0, Math.max(end, 0))
  const [given, expected] = [token.slice(end + 1), signature(key, said)].map((text) => Buffer.from(text))
  if (given?.length !== expected?.length || !timingSafeEqual(given as Buffer, expected as Buffer)) return null

  const [of, id, ...hashes] = said.split('.')
  if (of === 'clinic') return { of, optOutId: Number(id) }
  const ofEmail = hashes.filter((hash) => hash.startsWith(EMAIL))
  return ofEmail.length > 0 ? { of: 'person', leadId: id ? Number(id) : null, hashes: ofEmail.map(unpacked) } : null
}

/** The first letter of a packed hash. That of a phone number is `p`. */
const EMAIL = 'e'

const packed = (hashes: PersonHash[]) =>
  hashes
    .filter(({ kind }) => kind === 'email')
    .map(({ hash }) => EMAIL + Buffer.from(hash, 'hex').toString('base64url'))
    .join('.')

const unpacked = (text: string): PersonHash => ({
  kind: 'email',
  hash: Buffer.from(text.slice(EMAIL.length), 'base64url').toString('hex'),
})

function signature(key: Buffer, said: string): string {
  return createHmac('sha256', key).update(said).digest('base64url')
}
