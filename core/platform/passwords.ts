import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { AppError } from '../errors.ts'
import { SECOND } from '../time.ts'

type Cost = { ln: number; r: number; p: number }

/** 32 MiB and some tenths of a second per guess. Source: OWASP, "Password Storage Cheat Sheet", scrypt. */
const COST: Cost = { ln: 15, r: 8, p: 3 }
const HASH_BYTES = 32

/**
 * Hashes a password with a salt, in the PHC string format, which names its parameters:
 * `$scrypt$ln=15,r=8,p=3$salt$hash`.
 */
export async function hashPassword(password: string, cost = COST, salt = randomBytes(16)): Promise<string> {
  const hash = await derive(password, salt, cost)
  return `$scrypt$ln=${cost.ln},r=${cost.r},p=${cost.p}$${base64(salt)}$${base64(hash)}`
}

/** Verifies a password in constant time. Without a hash it does the same work and returns false. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [, ln, r, p, salt = '', hash = ''] = PHC.exec(stored ?? DUMMY_HASH) ?? []
  if (!ln) throw new Error('A stored password hash cannot be read.')
  const expected = Buffer.from(hash, 'base64')
  const actual = await derive(password, Buffer.from(salt, 'base64'), { ln: Number(ln), r: Number(r), p: Number(p) })
  return timingSafeEqual(actual, expected) && stored !== null
}

const PHC = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]{43})$/
const DUMMY_HASH = `$scrypt$ln=${COST.ln},r=${COST.r},p=${COST.p}$${base64(Buffer.alloc(16))}$${base64(Buffer.alloc(HASH_BYTES))}`

const fingerprints = new Map<string, Promise<string>>()

/**
 * Returns the fingerprint of the shared password that sessions store, so that they end when it changes. Always the same
 * for one password, and as hard to reverse as an account's hash. Computed once per password and process.
 */
export function fingerprint(password: string): Promise<string> {
  const known = fingerprints.get(password)
  if (known) return known
  const made = hashPassword(password, COST, Buffer.from('shared password'))
  fingerprints.set(password, made)
  made.catch(() => fingerprints.delete(password))
  return made
}

/** Compares texts in constant time. */
export function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}

/** The most hashes that wait, in each process. */
const MAX_WAITING = 10
/** The interval after which clients are asked to retry. */
const RETRY_INTERVAL = 5 * SECOND
let waiting = 0
let last: Promise<unknown> = Promise.resolve()

/** Hashes one after the other, so that hashes occupy one of the threads that also read files and look up host names. */
async function derive(password: string, salt: Buffer, { ln, r, p }: Cost): Promise<Buffer> {
  if (waiting > MAX_WAITING) throw tooBusy()
  const options = { N: 2 ** ln, r, p, maxmem: 256 * 2 ** ln * r }
  const hash = () =>
    new Promise<Buffer>((resolve, reject) =>
      // Keyboards may produce different code points for the same password.
      scrypt(password.normalize('NFKC'), salt, HASH_BYTES, options, (error, key) =>
        error ? reject(error) : resolve(key),
      ),
    )
  waiting += 1
  const hashed = last.then(hash).finally(() => {
    waiting -= 1
  })
  last = hashed.catch(() => {})
  return hashed
}

/** Makes the refusal of a sign-in that would wait too long. */
export function tooBusy(): AppError {
  const message = 'Too many people are signing in at the moment. Please try again in a few seconds.'
  return new AppError('unavailable', message, { retryAfterSeconds: RETRY_INTERVAL / SECOND })
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
