import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** The purposes of the data key. Each has its own key, so a value made for one purpose is useless for another. */
export type KeyPurpose =
  | 'alert-channel'
  | 'consent-chain'
  | 'key-check'
  | 'known-browser'
  | 'opt-out-link'
  | 'person-hash'
  | 'request-link'
  | 'second-factor'

/**
 * Derives the 32-byte key of one purpose from `DATA_KEY` (HKDF-SHA256, RFC 5869). The database and its backups never hold
 * `DATA_KEY`: without it, signatures cannot be forged and phone numbers cannot be tested against hashes.
 */
export function deriveKey(dataKey: Buffer, purpose: KeyPurpose): Buffer {
  const keys = derived.get(dataKey) ?? new Map<KeyPurpose, Buffer>()
  derived.set(dataKey, keys)
  const key = keys.get(purpose) ?? Buffer.from(hkdfSync('sha256', dataKey, '', `leadwell ${purpose}`, 32))
  keys.set(purpose, key)
  return key
}

/** The derived keys, because every email needs two of them. */
const derived = new WeakMap<Buffer, Map<KeyPurpose, Buffer>>()

/** Returns the HMAC-SHA256 of a text in hex (64 digits). */
export function keyedHash(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex')
}

const CIPHER = 'aes-256-gcm'
/** The length of the nonce in bytes, as NIST SP 800-38D recommends. */
const NONCE = 12
const TAG = 16

/**
 * Encrypts a text with AES-256-GCM. Returns nonce, ciphertext and tag.
 * @param context the owner of the text: only the same context opens it, so a row cannot be copied to another owner
 */
export function seal(key: Buffer, text: string, context: string): Buffer {
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG }).setAAD(Buffer.from(context))
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

/**
 * Decrypts the result of `seal`.
 * @throws Error when key or context differ, or a byte was changed
 */
export function unseal(key: Buffer, sealed: Buffer, context: string): string {
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE), { authTagLength: TAG })
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(-TAG))
  return decipher.update(sealed.subarray(NONCE, -TAG), undefined, 'utf8') + decipher.final('utf8')
}
