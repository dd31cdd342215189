import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import type { z } from 'zod'

/** The purposes of the data key. Each has its own key, so a value made for one purpose is useless for another. */
type KeyPurpose =
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

/** Decrypts the result of `seal`. @throws Error when key or context differ, or a byte was changed */
export function unseal(key: Buffer, sealed: Buffer, context: string): string {
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE), { authTagLength: TAG })
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(-TAG))
  return decipher.update(sealed.subarray(NONCE, -TAG), undefined, 'utf8') + decipher.final('utf8')
}

/**
 * Creates a kind of signed link. Its token has what the link says, as texts between dots, and their HMAC-SHA256. Nothing is
 * stored for it. A token may stand in an address, so it must say no name and no email address.
 * @param kind `say` gives the texts of a content, without dots; `schema` reads the content from the texts
 */
export function signedLink<Content>({
  say,
  schema,
}: {
  say(content: Content): (string | number)[]
  schema: z.ZodType<Content, string[]>
}) {
  return {
    /** @param key of the purpose of this kind (`deriveKey`), so that a token of another kind is not accepted */
    sign(key: Buffer, content: Content): string {
      const said = say(content).join('.')
      return `${said}.${macOf(key, said)}`
    },
    /** Returns the content of a token, or null unless its signature is ours. */
    read(key: Buffer, token: string): Content | null {
      const end = Math.max(token.lastIndexOf('.'), 0)
      const said = token.slice(0, end)
      const [given, expected] = [Buffer.from(token.slice(end + 1)), Buffer.from(macOf(key, said))]
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
      return schema.safeParse(said.split('.')).data ?? null
    },
  }
}

const macOf = (key: Buffer, said: string) => createHmac('sha256', key).update(said).digest('base64url')

/** Makes a token that cannot be guessed: 43 characters for an address or a cookie. The database has only its hash. */
export const newToken = (): string => randomBytes(32).toString('base64url')

export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')
