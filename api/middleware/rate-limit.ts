import type { Middleware } from 'koa'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Env } from '../../core/env.ts'
import { AppError } from '../../core/errors.ts'
import { MINUTE, SECOND } from '../../core/time.ts'
import { addressKey } from '../networks.ts'

/** At most `perMinute` calls from one address in a minute, counted by each process for itself. */
export function rateLimit(perMinute: number, message: string): Middleware {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: MINUTE / SECOND })
  return async (ctx, next) => {
    try {
      await limiter.consume(addressKey(ctx.ip))
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      throw new AppError('rate_limited', message, { retryAfterSeconds: Math.ceil(refusal.msBeforeNext / SECOND) })
    }
    await next()
  }
}

const TOO_MANY_FORMS = 'Too many requests came from your network. Please try again in a minute.'

/** The limit of a public form. Each call that takes one counts for itself. */
export function formLimit({ LEAD_RATE_PER_MINUTE }: Pick<Env, 'LEAD_RATE_PER_MINUTE'>): Middleware {
  return rateLimit(LEAD_RATE_PER_MINUTE, TOO_MANY_FORMS)
}
