import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { Env } from '../../core/env.ts'
import { settingsError } from '../../core/settings/read-settings.ts'
import { SECOND } from '../../core/time.ts'
import { DeliveryError } from '../delivery-error.ts'

/** How often something may be done, all workers taken together. */
export type RateLimit = {
  /** Waits for our turn. @throws DeliveryError when it does not come soon, or cannot be asked for */
  take(): Promise<void>
  /**
   * Gives nobody a turn for so many milliseconds: the other side has asked for a pause. One that is longer stays. Never
   * throws: while Redis is away nobody gets a turn anyway.
   */
  pause(ms: number): Promise<void>
  close(): void
}

/** How long, in milliseconds, a worker holds a lead for its turn. Beyond it the ledger waits, which costs nothing. */
const SLOT_TIMEOUT = 10 * SECOND
/** Up to so many milliseconds more, so that those who wait do not all ask at once. */
const SPREAD = 50

/** Uses up the window and keeps it so for ARGV[2] milliseconds, or for as long as it is kept already, in one step. */
const PAUSE = `
  local left = redis.call('pttl', KEYS[1])
  redis.call('set', KEYS[1], ARGV[1], 'px', math.max(left, tonumber(ARGV[2])))
`

/**
 * At most `calls` in any `seconds` seconds, by whatever clock the other side counts. The limiter counts windows of one
 * second, and a stretch of n seconds touches n + 1 of them. Counted in Redis; without it (development only) there is one
 * worker, which counts by itself. Redis may take `commandTimeout` milliseconds for an answer.
 * @throws SettingsError when the rate is so low that no window of one second would have a call
 */
export function createRateLimit(
  { REDIS_URL }: Pick<Env, 'REDIS_URL'>,
  { name, calls, seconds }: { name: string; calls: number; seconds: number },
  { commandTimeout = 2 * SECOND } = {},
): RateLimit {
  if (calls < seconds + 1) {
    throw settingsError([`The rate of ${name} must be at least ${seconds + 1} calls in ${seconds} seconds`])
  }
  const window = { keyPrefix: 'crm-rate', points: Math.floor(calls / (seconds + 1)), duration: 1 }
  const redis = REDIS_URL ? connect(REDIS_URL, commandTimeout) : undefined
  const limiter = redis ? new RateLimiterRedis({ ...window, storeClient: redis }) : new RateLimiterMemory(window)
  /** Without Redis. */
  let pausedUntil = 0

  return {
    async take() {
      for (const deadline = Date.now() + SLOT_TIMEOUT; ; ) {
        const wait = await limiter.consume(name).then(() => 0, msUntilNext)
        if (wait === 0) return
        if (Date.now() + wait > deadline) throw notOurTurn(wait)
        await sleep(wait + Math.random() * SPREAD)
      }
    },
    async pause(ms) {
      if (redis) {
        await redis.eval(PAUSE, 1, limiter.getKey(name), window.points + 1, Math.ceil(ms)).catch(() => {})
      } else if (Date.now() + ms > pausedUntil) {
        pausedUntil = Date.now() + ms
        await limiter.block(name, ms / SECOND)
      }
    },
    close: () => redis?.disconnect(),
  }
}

function connect(url: string, commandTimeout: number): Redis {
  const redis = new Redis(url, { commandTimeout, maxRetriesPerRequest: null })
  // Said by whoever needs it.
  redis.on('error', () => {})
  return redis
}

/** Milliseconds, at least one. @throws DeliveryError when there is no answer from Redis */
function msUntilNext(refused: unknown): number {
  if (refused instanceof RateLimiterRes) return Math.max(1, refused.msBeforeNext)
  const summary = 'Redis could not be reached, so the CRM’s rate limit is unknown.'
  throw new DeliveryError(summary, { cause: 'our_side', retry: 'later' })
}

function notOurTurn(retryAfter: number): DeliveryError {
  const summary = 'The CRM’s rate limit is reached. The lead waits for its turn.'
  return new DeliveryError(summary, { cause: 'busy', retry: 'later', retryAfter })
}
