import { join } from 'node:path'
import type { Context, Middleware } from 'koa'
import compose from 'koa-compose'
import serve from 'koa-static'
import { DAY } from '../../core/contract/time.ts'
import type { Logger } from '../../core/platform/log.ts'
import type { Page, Pages } from '../pages.ts'
import { answerKept } from '../parse.ts'
import { loggedPath } from '../route-of.ts'
import { allowForPage, withNonce } from './security.ts'

/** Serves the built web app: its files, and a page for every other address outside the API. */
export function web({ root, pages, log }: { root: string; pages: Pages; log: Logger }): Middleware {
  return compose([assets(join(root, 'client')), oneAddress, page(pages, log)]) as Middleware
}

function assets(root: string) {
  return serve(root, {
    index: false,
    setHeaders: (response, path) => {
      const isHashed = path.startsWith(join(root, 'assets'))
      // Mail programs on other sites show our mark.
      if (path === join(root, 'art', 'mark.png')) response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
      response.setHeader('Cache-Control', isHashed ? `public, max-age=${(365 * DAY) / 1000}, immutable` : 'no-cache')
    },
  })
}

/** Redirects to the canonical address of a page: lower case, without a slash at the end. */
async function oneAddress(ctx: Context, next: () => Promise<void>): Promise<void> {
  // A browser would read several slashes at the start as another host.
  const path = `/${ctx.path.split('/').filter(Boolean).join('/').toLowerCase()}`
  if (!isPage(ctx) || ctx.path === path) return next()
  ctx.status = 301
  ctx.redirect(path + ctx.search)
}

function page(pages: Pages, log: Logger) {
  return async (ctx: Context, next: () => Promise<void>): Promise<void> => {
    if (!isPage(ctx)) return next()

    const page = await pages.find(ctx).catch(async (error): Promise<Page> => {
      // The browser renders the page if the server cannot. Logs which page it was, without any input of the visitor.
      const shell = await pages.shell(ctx.path)
      const path = shell.row ? ctx.path : loggedPath(ctx)
      log.error({ err: error, requestId: ctx.state.requestId, path }, 'page not rendered')
      return shell
    })
    ctx.status = page.isKnown ? 200 : 404
    await answerPage(ctx, pages, page)
    ctx.set('Cache-Control', 'no-cache')
  }
}

/** Sends a page with the headers that its row requires. The caller sets status and caching. */
export async function answerPage(ctx: Context, pages: Pages, { html, row, provider }: Page): Promise<void> {
  const { styleHash } = await pages.built()
  ctx.type = 'html'
  if (row?.robots === 'noindex') ctx.set('X-Robots-Tag', 'noindex')
  const nonce = allowForPage(ctx, { frames: row?.frames, styleHash, provider: pages.measuresAds ? provider : null })
  // A cached page belongs to no provider, so it has no tags.
  if (typeof html !== 'string') return answerKept(ctx, html)
  ctx.body = nonce ? withNonce(html, nonce) : html
}

/** Addresses without pages: also those that no limit counts (`UNLIMITED` in rate-limit.ts), because a page costs more than a file. */
const NO_PAGE = /^\/(api|assets|art|demo|tiles)\/|\.[a-z0-9]+$/i

function isPage(ctx: Context): boolean {
  return ['GET', 'HEAD'].includes(ctx.method) && Boolean(ctx.accepts('html')) && !NO_PAGE.test(ctx.path)
}
