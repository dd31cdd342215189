import type { Context } from 'koa'

/** The pattern of the route that answered, or the kind of what did: what visitors put into an address is not in it. */
export function routeOf(ctx: Context): string {
  if (/^\/admin\/queues(\/|$)/.test(ctx.path)) return '/admin/queues'
  const { _matchedRoute: route } = ctx as { _matchedRoute?: unknown }
  if (route) return String(route)
  if (ctx.response.is('html')) return 'page'
  return ctx.status < 400 ? 'file' : 'none'
}

/** Tells whether a request is for the API, in any case of letters, so that requests which match no route are logged too. */
export function isCall(ctx: Context): boolean {
  return /^\/api(\/|$)/i.test(ctx.path)
}

/** A path as the log may have it. Whatever somebody has put into it, an e-mail perhaps, is left out. */
export function loggedPath(ctx: Context): string {
  const { _matchedRoute: route } = ctx as { _matchedRoute?: unknown }
  if (route) return String(route)
  return isCall(ctx) ? '/api/…' : '/…'
}
