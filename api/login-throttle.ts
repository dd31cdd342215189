import { createHash, createHmac, randomBytes } from 'node:crypto'
import pLimit from 'p-limit'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { DAY, HOUR, MINUTE, SECOND } from '../core/contract/time.ts'
import { AppError, rateLimited } from '../core/errors.ts'
import type { Db } from '../core/platform/db.ts'
import { isSame } from '../core/platform/passwords.ts'
import { networksOf } from './middleware/proxy.ts'

/** Failed attempts of one address or one known browser within `ATTEMPT_WINDOW` before it must wait. */
const MAX_ATTEMPTS = 10
const ATTEMPT_WINDOW = 15 * MINUTE

/** Failed attempts for one account within an hour, from all addresses, after which each address has fewer attempts at it. */
const MIN_FAILURES_OF_ATTACK = 50
const MAX_ATTEMPTS_IN_ATTACK = 3

/** Multiplies the attempts of an address for each of its networks, in the order of `networksOf`. */
const NETWORK_FACTORS = [1, 2, 4]

/** The most failed attempts a minute of all unknown browsers together. */
const MAX_UNKNOWN_PER_MINUTE = 100

/**
 * The passwords of unknown browsers that are checked at once in each process, and that may wait. Without this, a page waits
 * for most of the hundred hashes of a flood (measured on two cores).
 */
const MAX_UNKNOWN_AT_ONCE = 2
const MAX_UNKNOWN_WAITING = 20
const RETRY_INTERVAL = 5 * SECOND

const MAX_WAIT = HOUR

/** A sign-in attempt: its address, its account (an email, or `shared`), and the mark of a known browser. */
export type Attempt = { address: string; account: string; device?: string | null }

export type LoginThrottle = ReturnType<typeof createLoginThrottle>

/**
 * Creates the throttle of sign-ins. It counts failed attempts in the database, for all API processes together. Unknown
 * browsers count by account, by address, by network and all together. A known browser, which has signed in before,
 * counts by itself, so that it can sign in during an attack.
 *
 * One long closure: an attempt takes a point of several limiters, and gives all of them back.
 */
export function createLoginThrottle(db: Db) {
  const limiter = (keyPrefix: string, points: number, within: number) => createLimiter(db, keyPrefix, points, within)
  const attempts = NETWORK_FACTORS.map((factor) => limiter('tries', MAX_ATTEMPTS * factor, ATTEMPT_WINDOW))
  const attemptsInAttack = NETWORK_FACTORS.map((factor) =>
    limiter('attack', MAX_ATTEMPTS_IN_ATTACK * factor, ATTEMPT_WINDOW),
  )
  const failures = limiter('account', MIN_FAILURES_OF_ATTACK, HOUR)
  const waits = limiter('waits', 0, DAY)
  const unknown = limiter('unknown', MAX_UNKNOWN_PER_MINUTE, MINUTE)
  /** Spares the database while unknown browsers are refused. In milliseconds since 1970. */
  let unknownRefusedUntil = 0

  async function consumeUnknown(): Promise<void> {
    const refusal = await refusalOf(unknown, 'all')
    if (!refusal) return
    unknownRefusedUntil = Date.now() + refusal.msBeforeNext
    throw rateLimited(TOO_MANY_UNKNOWN, refusal.msBeforeNext)
  }

  const unknownAtOnce = pLimit(MAX_UNKNOWN_AT_ONCE)

  return {
    /** Refuses a sign-in while too many of unknown browsers wait, before any work for it. @throws AppError `unavailable` */
    refuseIfFull(): void {
      if (unknownAtOnce.pendingCount < MAX_UNKNOWN_WAITING) return
      const message = 'Too many people are signing in at the moment. Please try again in a few seconds.'
      throw new AppError('unavailable', message, { retryAfterSeconds: RETRY_INTERVAL / SECOND })
    },
    /** Runs the check of an unknown browser's password when few others are being checked. */
    unknownAtOnce,
    /**
     * Admits an attempt before the password is checked. Returns `refund`, to call unless the password was wrong, and
     * `fail`, to call if it was.
     * @throws AppError `rate_limited` with the time to wait: a minute, then two, four, up to an hour
     */
    async admit({ address, account, device }: Attempt) {
      if (!device && unknownRefusedUntil > Date.now())
        throw rateLimited(TOO_MANY_UNKNOWN, unknownRefusedUntil - Date.now())
      const target = digest(account)
      const sources = device ? [digest(device)] : networksOf(address)
      const isAttacked = !device && ((await failures.get(target))?.consumedPoints ?? 0) >= MIN_FAILURES_OF_ATTACK
      const wanted = [
        ...pairs(attempts, sources),
        ...(isAttacked
          ? pairs(
              attemptsInAttack,
              sources.map((source) => `${target}:${source}`),
            )
          : []),
      ]
      const consumed: typeof wanted = []
      const refund = async () => {
        for (const [from, key] of consumed.splice(0)) await from.reward(key)
      }
      for (const [from, key] of wanted) {
        await consume(from, key, waits)
        consumed.push([from, key])
      }
      if (!device) {
        await consumeUnknown().catch(async (refusal) => {
          await refund()
          throw refusal
        })
        consumed.push([unknown, 'all'])
      }
      return {
        refund,
        async fail() {
          await failures.penalty(target)
        },
      }
    },
  }
}

/** Consumes one attempt. Runs before the password is checked, so that concurrent requests cannot exceed the limit. */
async function consume(from: RateLimiterPostgres, key: string, waits: RateLimiterPostgres): Promise<void> {
  const refusal = await refusalOf(from, key)
  if (!refusal) return
  let wait = refusal.msBeforeNext
  if (refusal.consumedPoints === from.points + 1) {
    const { consumedPoints: times } = await waits.penalty(`${from.keyPrefix}:${key}`)
    wait = Math.min(MINUTE * 2 ** (times - 1), MAX_WAIT)
    await from.block(key, wait / SECOND)
  }
  throw tooMany(wait)
}

/** Links to choose a new password that may be requested within an hour: for one email, and from one address. */
const MAX_RESETS_FOR_EMAIL = 3
const MAX_RESETS_FROM_ADDRESS = 10

/** Admits a request for a link, whether the email has an account or not. @throws AppError `rate_limited` */
export async function admitReset(db: Db, address: string, email: string): Promise<void> {
  const wanted: [from: RateLimiterPostgres, key: string][] = [
    ...pairs(
      NETWORK_FACTORS.map((factor) => createLimiter(db, 'resets', MAX_RESETS_FROM_ADDRESS * factor, HOUR)),
      networksOf(address),
    ),
    [createLimiter(db, 'reset', MAX_RESETS_FOR_EMAIL, HOUR), digest(email)],
  ]
  for (const [from, key] of wanted) {
    const refusal = await refusalOf(from, key)
    if (refusal) throw tooMany(refusal.msBeforeNext)
  }
}

/** Creates a limit of `points` within a time in milliseconds, counted in the database for all API processes together. */
export function createLimiter(db: Db, keyPrefix: string, points: number, within: number): RateLimiterPostgres {
  return new RateLimiterPostgres({
    storeClient: db,
    storeType: 'knex',
    tableName: 'sign_in_attempts',
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix,
    points,
    duration: within / SECOND,
  })
}

/** Consumes a point. Returns null, or the refusal when none is left. */
async function refusalOf(from: RateLimiterPostgres, key: string): Promise<RateLimiterRes | null> {
  try {
    await from.consume(key)
    return null
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal
    return refusal
  }
}

function pairs<Limiter>(limiters: Limiter[], keys: string[]): [Limiter, string][] {
  return limiters.flatMap((limiter, index) => {
    const key = keys[index]
    return key === undefined ? [] : [[limiter, key] as [Limiter, string]]
  })
}

function tooMany(wait: number): AppError {
  const minutes = Math.ceil(wait / MINUTE)
  const words = minutes > 1 ? `${minutes} minutes` : 'a minute'
  return rateLimited(`Too many attempts. Please wait ${words}.`, wait)
}

const TOO_MANY_UNKNOWN =
  'Too many wrong passwords are being sent to this site. Please try again in a minute, or in a browser that you have signed in with before.'

/** Hashes the typed email, so that it is not stored. */
function digest(text: string): string {
  return createHash('sha256').update(text.toLowerCase()).digest('base64url')
}

/**
 * Makes the mark of a browser that has signed in: a random number, signed with the secret of the account, so that it
 * ends with the password. Source: OWASP, "Slow Down Online Guessing Attacks with Device Cookies".
 */
export function markDevice(secret: string, number = randomBytes(16).toString('base64url')): string {
  return `${number}.${createHmac('sha256', secret).update(`device ${number}`).digest('base64url')}`
}

/** Returns the number of a known browser, or null if the mark was not signed with this secret. */
export function knownDevice(mark: string | undefined, secret: string | null): string | null {
  const [number = ''] = mark?.split('.') ?? []
  return mark && secret && isSame(mark, markDevice(secret, number)) ? number : null
}
