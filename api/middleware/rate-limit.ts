import { isIPv6 } from 'node:net'
import type { Middleware } from 'koa'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Env } from '../../core/env.ts'
import { AppError } from '../../core/errors.ts'
import { MINUTE, SECOND } from '../../core/time.ts'

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

/** An IPv6 customer holds a whole /64, so that counts as one address, however it is abbreviated (RFC 4291, 2.2). */
export function addressKey(ip: string): string {
  if (ip.startsWith('::ffff:')) return ip.slice('::ffff:'.length)
  if (!isIPv6(ip)) return ip

  const [head = '', tail] = ip.split('::')
  const groups = head ? head.split(':') : []
  const zeros = tail === undefined ? 0 : 8 - groups.length - (tail ? tail.split(':').length : 0)
  return [...groups, ...Array(zeros).fill('0'), ...(tail ? tail.split(':') : [])]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
