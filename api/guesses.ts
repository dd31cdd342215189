import { createHash, createHmac, randomBytes } from 'node:crypto'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Db } from '../core/db.ts'
import { AppError } from '../core/errors.ts'
import { isSame } from '../core/passwords.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../core/time.ts'

/** Wrong passwords that one address, or one known browser, may send before it has to wait, and in what time. */
const TRIES = 10
const TRIES_WITHIN = 15 * MINUTE

/** From so many wrong passwords for one account in an hour, from wherever, each address has only so many tries at it. */
const ATTACKED_FROM = 50
const TRIES_IN_ATTACK = 3

const LONGEST_WAIT = HOUR

/** Who tries to sign in: from where, as whom (an e-mail, or `shared`), and with which mark of a known browser. */
export type Attempt = { address: string; account: string; device?: string | null }

/** Slows down those who guess passwords, and nobody else. */
export type Guesses = ReturnType<typeof countGuesses>

/**
 * Counts wrong passwords in the database, for all API processes together. The first tries of an address are always looked
 * at, however many others have failed, so nobody can lock staff out; and a browser that has signed in before is counted
 * by itself, whatever others at its address do.
 */
export function countGuesses(db: Db) {
  const limiter = (keyPrefix: string, points: number, within: number) =>
    new RateLimiterPostgres({
      storeClient: db,
      storeType: 'knex',
      tableName: 'sign_in_attempts',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix,
      points,
      duration: within / SECOND,
    })
  const tries = limiter('tries', TRIES, TRIES_WITHIN)
  const triesInAttack = limiter('attack', TRIES_IN_ATTACK, TRIES_WITHIN)
  const failures = limiter('account', ATTACKED_FROM, HOUR)
  const waits = limiter('waits', 0, DAY)

  /** Takes one try, before the password is looked at: so a thousand at the same moment are a thousand. */
  async function take(from: RateLimiterPostgres, key: string): Promise<void> {
    try {
      await from.consume(key)
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      let wait = refusal.msBeforeNext
      if (refusal.consumedPoints === from.points + 1) {
        const { consumedPoints: times } = await waits.penalty(`${from.keyPrefix}:${key}`)
        wait = Math.min(MINUTE * 2 ** (times - 1), LONGEST_WAIT)
        await from.block(key, wait / SECOND)
      }
      throw tooMany(wait)
    }
  }

  return {
    /**
     * To be called before a password is looked at. Returns what to do when it was right, and when it was wrong.
     * @throws AppError `rate_limited` with the time to wait: a minute, then two, four, and so on up to an hour
     */
    async admit({ address, account, device }: Attempt) {
      const target = digest(account)
      const taken: [RateLimiterPostgres, string][] = [[tries, device ? digest(device) : address]]
      if (!device && ((await failures.get(target))?.consumedPoints ?? 0) >= ATTACKED_FROM) {
        taken.push([triesInAttack, `${target}:${address}`])
      }
      for (const [from, key] of taken) await take(from, key)
      return {
        async right() {
          for (const [from, key] of taken) await from.reward(key)
        },
        async wrong() {
          await failures.penalty(target)
        },
      }
    },
  }
}

function tooMany(wait: number): AppError {
  const minutes = Math.ceil(wait / MINUTE)
  const words = minutes > 1 ? `${minutes} minutes` : 'a minute'
  return new AppError('rate_limited', `Too many attempts. Please wait ${words}.`, {
    retryAfterSeconds: Math.max(1, Math.ceil(wait / SECOND)),
  })
}

/** What was typed as an e-mail may be anything: it is not kept. */
function digest(text: string): string {
  return createHash('sha256').update(text.toLowerCase()).digest('base64url')
}

/**
 * The mark of a browser that has signed in: a random number, and our signature with the secret of what it signed in to,
 * so that it ends with that password. Source: OWASP, "Slow Down Online Guessing Attacks with Device Cookies".
 */
export function markDevice(secret: string, number = randomBytes(16).toString('base64url')): string {
  return `${number}.${createHmac('sha256', secret).update(`device ${number}`).digest('base64url')}`
}

/** The number of a known browser, or null if the mark is none of this secret's. */
export function knownDevice(mark: string | undefined, secret: string | null): string | null {
  const [number = ''] = mark?.split('.') ?? []
  return mark && secret && isSame(mark, markDevice(secret, number)) ? number : null
}
