import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Middleware } from 'koa'
import compose from 'koa-compose'
import serve from 'koa-static'
import { DAY } from '../../core/time.ts'

/** Where `npm run build` puts the web app: the same folder whether this file runs as source or from `dist/api`. */
const WEB_ROOT = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/web' : '../../web', import.meta.url),
)

/** Pages that search engines must not list. */
const PRIVATE_PAGES = /^\/(admin|getmpx|success)(\/|$)/

/** Serves the built web app: its files, and its page for every address that is not a file or a call. */
export function web(root = WEB_ROOT): Middleware {
  return compose([
    serve(root, {
      index: false,
      setHeaders: (response, path) => {
        const isHashed = path.startsWith(join(root, 'assets'))
        response.setHeader('Cache-Control', isHashed ? `public, max-age=${(365 * DAY) / 1000}, immutable` : 'no-cache')
      },
    }),
    async (ctx, next) => {
      const isPage =
        ['GET', 'HEAD'].includes(ctx.method) && ctx.accepts('html') && !/^\/(api|assets)\/|\.[a-z0-9]+$/i.test(ctx.path)
      if (!isPage) return next()

      if (PRIVATE_PAGES.test(ctx.path)) ctx.set('X-Robots-Tag', 'noindex')
      ctx.set('Cache-Control', 'no-cache')
      ctx.type = 'html'
      ctx.body = await readFile(join(root, 'index.html'), 'utf8')
    },
  ]) as Middleware
}
