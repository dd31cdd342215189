import { createHash, scrypt, timingSafeEqual } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { brand } from '../brand/brand.ts'
import type { Env } from '../env.ts'
import { settingsError } from '../settings/read-settings.ts'

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

/** The guesses that a password must withstand, as a power of ten. */
const MIN_GUESSES_LOG10 = 9

/** The letters that a password must have besides its owner's and our words, if it has any of those. */
const MIN_OTHER_LETTERS = 6

/** The characters that are checked: the check takes seconds for some long passwords. */
const MAX_CHECKED = 64

/**
 * Returns why a password is too easy to guess, as a sentence for its owner, or null. Length is checked elsewhere
 * (`ChosenPassword`).
 * @param context words that an attacker would try first: the owner's name and email
 */
export async function weaknessOf(password: string, context: string[] = []): Promise<string | null> {
  const zxcvbn = await load()
  const own = wordsOf(context)
  if (isMadeOf(password, own)) return withAdvice('This password is mostly your name or your email address.')
  if (isMadeOf(password, [...OUR_WORDS, ...own])) {
    return withAdvice(`This password is mostly words like “${brand.company}”, which a guesser tries first.`)
  }
  const { guessesLog10, feedback } = zxcvbn.check(password.slice(0, MAX_CHECKED), [...OUR_WORDS, ...own])
  if (guessesLog10 >= MIN_GUESSES_LOG10) return null
  return withAdvice(feedback.warning ?? 'This password is easy to guess.')
}

/** Refuses a shared password that is easy to guess, by the rules of accounts, in production. @throws SettingsError */
export async function refuseWeakPassword({
  NODE_ENV,
  ADMIN_PASSWORD,
}: Pick<Env, 'NODE_ENV' | 'ADMIN_PASSWORD'>): Promise<void> {
  if (NODE_ENV !== 'production' || !ADMIN_PASSWORD) return
  const weakness = await weaknessOf(ADMIN_PASSWORD)
  if (weakness) throw settingsError([`ADMIN_PASSWORD is easy to guess. ${weakness}`])
}

const withAdvice = (why: string) => `${why} Use four or more words that do not belong together.`

/** Returns whether a password has few letters besides these words, digits and signs. */
function isMadeOf(password: string, words: string[]): boolean {
  const typed = password.toLowerCase()
  const rest = words.toSorted((a, b) => b.length - a.length).reduce((left, word) => left.replaceAll(word, ''), typed)
  return rest !== typed && rest.replace(/[^\p{L}]/gu, '').length < MIN_OTHER_LETTERS
}

/** Returns texts and their single words in lower case. */
function wordsOf(texts: string[]): string[] {
  const words = texts.flatMap((text) => [text, text.split('@')[0] ?? '', ...text.split(/[^\p{L}\p{N}]+/u)])
  return [...new Set(words.map((word) => word.toLowerCase()))].filter((word) => word.length > 2)
}

/** Words of our pages and of staff's roles. */
const OUR_WORDS = wordsOf([brand.company, brand.email, 'leadwell', 'lead', 'clinic', 'staff', 'manager', 'admin'])

let loading: Promise<ZxcvbnFactory> | undefined

/** Loads the word lists on first use, because they take some megabytes and a moment. */
function load(): Promise<ZxcvbnFactory> {
  loading ??= Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ]).then(
    ([{ ZxcvbnFactory }, common, en]) =>
      new ZxcvbnFactory({
        dictionary: { ...common.dictionary, ...en.dictionary },
        graphs: common.adjacencyGraphs,
        translations: en.translations,
      }),
  )
  return loading
}
