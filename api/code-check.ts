import { RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from '../core/errors.ts'
import { deriveKey } from '../core/platform/data-key.ts'
import type { SecondStep } from '../core/staff/contract/second-factor.ts'
import * as auditLog from '../core/staff/stores/audit-log.ts'
import * as factors from '../core/staff/stores/staff-factors.ts'
import { HOUR, MINUTE, SECOND } from '../core/time.ts'
import { createLimiter } from './login-throttle.ts'
import type { Services } from './services.ts'

/**
 * The most wrong codes for one account within an hour, from all addresses together. Codes come with the password or a
 * session, and the owner can still use a passkey. Guessing a code then takes years: three of a million are right.
 */
const MAX_WRONG_CODES = 10

/** Returns a function that checks codes of the second step and counts the wrong ones in the database. */
export function createCodeCheck({ db, env }: Pick<Services, 'db' | 'env'>) {
  const key = deriveKey(env.DATA_KEY, 'second-factor')
  const limiter = createLimiter(db, 'codes', MAX_WRONG_CODES, HOUR)

  /**
   * Uses up a code of an account. Returns whether it was right.
   * @throws AppError `rate_limited` after too many wrong ones
   */
  return async (accountId: number, { code, recovery_code }: SecondStep): Promise<boolean> => {
    // Counted before the check, so that concurrent requests cannot exceed the limit.
    await limiter.consume(accountId).catch((refusal) => {
      throw refusal instanceof RateLimiterRes ? tooMany(refusal.msBeforeNext) : refusal
    })
    const isRight =
      code === undefined
        ? await factors.takeRecoveryCode(db, key, accountId, recovery_code ?? '')
        : await factors.takeTotpCode(db, key, accountId, code)
    if (isRight) await limiter.reward(accountId)
    else await auditLog.countFailedSignIn(db, accountId, 'code')
    return isRight
  }
}

function tooMany(wait: number): AppError {
  const sentence = `Too many wrong codes. Please wait ${Math.ceil(wait / MINUTE)} minutes, or use a passkey.`
  return new AppError('rate_limited', sentence, { retryAfterSeconds: Math.max(1, Math.ceil(wait / SECOND)) })
}
