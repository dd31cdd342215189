import type { Context } from 'koa'

/** Returns the pattern of the route that answered, or a kind of answer. It holds no text from the address. */
export function routeOf(ctx: Context): string {
  const { _matchedRoute: route } = ctx as { _matchedRoute?: unknown }
  if (route) return String(route)
  if (ctx.response.is('html')) return 'page'
  return ctx.status < 400 ? 'file' : 'none'
}

/** Returns whether a request is for the API, ignoring case, so that requests without a matching route are logged too. */
export function isCall(ctx: Context): boolean {
  return /^\/api(\/|$)/i.test(ctx.path)
}

/** Returns the path for the log, without its parameters, which may be personal. */
export function loggedPath(ctx: Context): string {
  const { _matchedRoute: route } = ctx as { _matchedRoute?: unknown }
  if (route) return String(route)
  return isCall(ctx) ? '/api/…' : '/…'
}
