import { createHmac, timingSafeEqual } from 'node:crypto'
import type { PersonHash } from './person-hash.ts'

/**
 * The content of a link's token: the person who asks for no contact and the lead whose e-mail had the link; or the opt-
 * out that a clinic confirms.
 */
export type OptOutLink =
  | { of: 'person'; leadId: number | null; hashes: PersonHash[] }
  | { of: 'clinic'; optOutId: number }

/**
 * Signs the token of a link. Nothing is stored for it: it contains the person's hashes, so it works after the lead's
 * deletion. It does not expire, because the right to stop does not.
 * @param key of the purpose `opt-out-link` (`deriveKey`)
 */
export function signOptOutLink(key: Buffer, link: OptOutLink): string {
  const said = link.of === 'clinic' ? `clinic.${link.optOutId}` : `person.${link.leadId ?? ''}.${packed(link.hashes)}`
  return `${said}.${signature(key, said)}`
}

/** Returns the content of a token. Returns null unless its signature is ours. */
export function readOptOutLink(key: Buffer, token: string): OptOutLink | null {
  const end = token.lastIndexOf('.')
  const said = token.slice(0, Math.max(end, 0))
  const [given, expected] = [token.slice(end + 1), signature(key, said)].map((text) => Buffer.from(text))
  if (given?.length !== expected?.length || !timingSafeEqual(given as Buffer, expected as Buffer)) return null

  const [of, id, ...hashes] = said.split('.')
  if (of === 'clinic') return { of, optOutId: Number(id) }
  return { of: 'person', leadId: id ? Number(id) : null, hashes: hashes.map(unpacked) }
}

const packed = (hashes: PersonHash[]) =>
  hashes.map(({ kind, hash }) => kind[0] + Buffer.from(hash, 'hex').toString('base64url')).join('.')

const unpacked = (text: string): PersonHash => ({
  kind: text.startsWith('e') ? 'email' : 'phone',
  hash: Buffer.from(text.slice(1), 'base64url').toString('hex'),
})

function signature(key: Buffer, said: string): string {
  return createHmac('sha256', key).update(said).digest('base64url')
}
