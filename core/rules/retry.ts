import type { RetryPolicy } from '../jobs/define-job.ts'

/**
 * How long to wait after a failed attempt: exponential, capped, with "equal jitter" (half fixed, half random), so that
 * a crowd that failed together does not come back together. What the peer asked for (Retry-After) wins where it is
 * longer: never earlier, and spread over the first delay, because it asks the whole crowd for the same. Source: AWS
 * Architecture Blog, "Exponential Backoff And Jitter".
 *
 * @param failedAttempts attempts that have failed so far, from 1
 * @param random a number from 0 to 1
 * @returns milliseconds, or null when the attempts are used up
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
