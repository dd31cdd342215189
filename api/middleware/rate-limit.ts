import type { Middleware } from 'koa'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { MINUTE, SECOND } from '../../core/contract/time.ts'
import type { Env } from '../../core/env.ts'
import { rateLimited } from '../../core/errors.ts'
import { networksOf } from './proxy.ts'

/** Multiplies the limit of an address for each of its networks, in the order of `networksOf`. */
const NETWORK_FACTORS = [1, 4, 8]

/** Limits the calls per minute of an address and of its networks; not at all where `perMinute` is infinite. Each process counts for itself. */
export function rateLimit(perMinute: number, message: string): Middleware {
  if (perMinute === Infinity) return (_ctx, next) => next()
  const limiters = NETWORK_FACTORS.map(
    (factor) => new RateLimiterMemory({ points: perMinute * factor, duration: MINUTE / SECOND }),
  )
  return async (ctx, next) => {
    try {
      for (const [index, network] of networksOf(ctx.ip).entries()) await limiters[index]?.consume(network)
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      throw rateLimited(message, refusal.msBeforeNext)
    }
    await next()
  }
}

const TOO_MANY_REQUESTS = 'Too many pages were requested from your network. Please try again in a minute.'
/** Stored files and health checks, which are cheap. Pictures that are made for a request (`/pictures/clinic-7.png`) count; map tiles have a limit of their own. */
const UNLIMITED = /^\/(assets|art|demo|tiles)\/|^\/pictures\/[0-9a-f]{32}\.webp$|^\/(favicon\.svg|healthz|readyz)$/

/** Limits the pages and calls of one address, so that a single client cannot occupy a processor. */
export function requestLimit({ REQUEST_RATE_PER_MINUTE }: Pick<Env, 'REQUEST_RATE_PER_MINUTE'>): Middleware {
  const limit = rateLimit(REQUEST_RATE_PER_MINUTE, TOO_MANY_REQUESTS)
  return (ctx, next) => (UNLIMITED.test(ctx.path) ? next() : limit(ctx, next))
}

const TOO_MANY_FORMS = 'Too many requests came from your network. Please try again in a minute.'

/** Limits the submissions of a public form. Each form counts for itself. */
export function formLimit({ LEAD_RATE_PER_MINUTE }: Pick<Env, 'LEAD_RATE_PER_MINUTE'>): Middleware {
  return rateLimit(LEAD_RATE_PER_MINUTE, TOO_MANY_FORMS)
}

/** The zip codes that may be tried for each form that may be sent. */
const ZIPS_PER_FORM = 4

/** Limits the calls that say whether a zip code is in reach, so that a program cannot read all pauses and caps from them. */
export function zipLimit({ LEAD_RATE_PER_MINUTE }: Pick<Env, 'LEAD_RATE_PER_MINUTE'>): Middleware {
  return rateLimit(LEAD_RATE_PER_MINUTE * ZIPS_PER_FORM, TOO_MANY_FORMS)
}
