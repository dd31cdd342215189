import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { SECOND } from '../../core/contract/time.ts'
import type { Env } from '../../core/env.ts'
import { settingsError } from '../../core/settings/read-settings.ts'
import { DeliveryError } from '../delivery-error.ts'

export type RateLimit = {
  /** @throws DeliveryError when no slot is free soon, or Redis does not answer */
  take(): Promise<void>
  /** Blocks all slots for so many milliseconds. A longer pause stays. Never throws: without Redis no slot is free. */
  pause(ms: number): Promise<void>
  close(): void
}

/** How long a worker holds a lead until its slot. Then the job goes back to the ledger, where waiting is free. */
const SLOT_TIMEOUT = 10 * SECOND
/** In milliseconds: random extra wait, so that waiting workers do not all ask at once. */
const SPREAD = 50

/** Fills the window for ARGV[2] milliseconds, or keeps it full for as long as it already is, in one step. */
const PAUSE = `
  local left = redis.call('pttl', KEYS[1])
  redis.call('set', KEYS[1], ARGV[1], 'px', math.max(left, tonumber(ARGV[2])))
`

/**
 * Allows at most `calls` in any `seconds` seconds, by any clock of the CRM. The limiter counts windows of one
 * second, and n seconds touch n + 1 of them. Counts in Redis; without Redis (development only) the single worker counts
 * by itself. `commandTimeout` bounds Redis's answer, in milliseconds.
 * @throws SettingsError when the rate is below one call per window
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
  /** The end of the pause, without Redis. */
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
  // Each call reports its own failure.
  redis.on('error', () => {})
  return redis
}

/** Returns milliseconds, at least one. @throws DeliveryError when Redis did not answer */
function msUntilNext(refused: unknown): number {
  if (refused instanceof RateLimiterRes) return Math.max(1, refused.msBeforeNext)
  const summary = 'Redis could not be reached, so the CRM’s rate limit is unknown.'
  throw new DeliveryError(summary, { cause: 'our_side', retry: 'later' })
}

function notOurTurn(retryAfter: number): DeliveryError {
  const summary = 'The CRM’s rate limit is reached. The lead waits for its turn.'
  return new DeliveryError(summary, { cause: 'busy', retry: 'later', retryAfter })
}
