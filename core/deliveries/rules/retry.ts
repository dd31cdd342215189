import type { RetryPolicy } from '../jobs.ts'

/**
 * Returns the delay after a failed attempt: exponential, capped, with "equal jitter" (half fixed, half random), so that
 * jobs that failed together do not retry together. A longer Retry-After wins: never earlier, and spread over the first
 * delay, because many jobs get the same one. Source: AWS Architecture Blog, "Exponential Backoff And Jitter".
 *
 * @param failedAttempts failed attempts so far, from 1
 * @param random a number from 0 to 1
 * @returns milliseconds, or null when no attempts are left
 */
export function retryDelay(
  { attempts, firstDelay, maxDelay }: RetryPolicy,
  failedAttempts: number,
  { retryAfter = 0, random = Math.random() }: { retryAfter?: number; random?: number } = {},
): number | null {
  if (failedAttempts >= attempts) return null

  const ceiling = Math.min(maxDelay, firstDelay * 2 ** (failedAttempts - 1))
  return Math.max(retryAfter && Math.round(retryAfter + random * firstDelay), Math.round(ceiling * (0.5 + random / 2)))
}
