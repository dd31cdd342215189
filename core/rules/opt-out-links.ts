import { createHmac, timingSafeEqual } from 'node:crypto'
import type { PersonHash } from './person-hash.ts'

/**
 * What the token of a link says: which person wants no more contact, and by which lead's e-mail; or which request to stop
 * a clinic confirms.
 */
export type OptOutLink =
  | { of: 'person'; leadId: number | null; hashes: PersonHash[] }
  | { of: 'clinic'; optOutId: number }

/**
 * Returns the token of a link, which nothing is stored for: the hashes of the person are in it, so that it works after the
 * lead is deleted, and only as long as the person keeps the e-mail. It does not expire, because the right to stop does not.
 *
 * @param key of the purpose `opt-out-link` (`deriveKey`)
 */
export function signOptOutLink(key: Buffer, link: OptOutLink): string {
  const said = link.of === 'clinic' ? `clinic.${link.optOutId}` : `person.${link.leadId ?? ''}.${packed(link.hashes)}`
  return `${said}.${signature(key, said)}`
}

/** Returns what a token says; null unless we have signed exactly this. */
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
