import { createHash, scrypt, timingSafeEqual } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'

/**
 * Argon2id with 19 MiB, two iterations and one lane: 35 ms a password, in one of libuv's threads.
 * Source: OWASP, "Password Storage Cheat Sheet", as of November 2026.
 */
const COST = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }

/** Hashes a password with a salt, in the PHC string format: `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`. */
export function hashPassword(password: string, options: { memoryCost: number; salt?: Buffer } = COST): Promise<string> {
  return hash(normalized(password), { ...COST, ...options })
}

/** Keyboards may produce different code points for the same password. */
const normalized = (password: string) => password.normalize('NFKC')

/** Verifies a password in constant time. Without a hash it does the same work and returns false. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  if (stored && isOutdated(stored)) return verifyScrypt(password, stored)
  return (await verify(stored ?? DUMMY_HASH, normalized(password))) && stored !== null
}

const DUMMY_HASH = `$argon2id$v=19$m=${COST.memoryCost},t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** Returns whether a hash was made by scrypt, before November 28, 2026. It is replaced when its owner signs in. */
export const isOutdated = (stored: string) => stored.startsWith('$scrypt$')

const SCRYPT = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]{43})$/

function verifyScrypt(password: string, stored: string): Promise<boolean> {
  const [, ln, r, p, salt = '', expected = ''] = SCRYPT.exec(stored) ?? []
  if (!ln) throw new Error('A stored password hash cannot be read.')
  const options = { N: 2 ** Number(ln), r: Number(r), p: Number(p), maxmem: 256 * 2 ** Number(ln) * Number(r) }
  return new Promise((resolve, reject) =>
    scrypt(normalized(password), Buffer.from(salt, 'base64'), 32, options, (error, key) =>
      error ? reject(error) : resolve(timingSafeEqual(key, Buffer.from(expected, 'base64'))),
    ),
  )
}

const fingerprints = new Map<string, Promise<string>>()

/**
 * Returns the fingerprint of the shared password that sessions store, so that they end when it changes. Always the same
 * for one password, and as hard to reverse as an account's hash. Computed once per password and process.
 */
export function fingerprint(password: string): Promise<string> {
  const known = fingerprints.get(password)
  if (known) return known
  const made = hashPassword(password, { ...COST, salt: Buffer.from('shared password') })
  fingerprints.set(password, made)
  made.catch(() => fingerprints.delete(password))
  return made
}

/** Compares texts in constant time. */
export function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
