import { createHmac, hkdfSync } from 'node:crypto'

/** The uses of the data key. Each has a key of its own, so that a value made for one use says nothing in another. */
export type KeyPurpose = 'consent-chain' | 'person-hash' | 'second-factor'

/**
 * Derives the 32-byte key of one purpose from `DATA_KEY` (HKDF-SHA256, RFC 5869). The database and its backups never hold
 * `DATA_KEY`: without it, signatures cannot be forged and phone numbers cannot be tested against hashes.
 */
export function deriveKey(dataKey: Buffer, purpose: KeyPurpose): Buffer {
  return Buffer.from(hkdfSync('sha256', dataKey, '', `leadwell ${purpose}`, 32))
}

/** Returns the HMAC-SHA256 of a text in hex (64 digits). */
export function keyedHash(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex')
}
