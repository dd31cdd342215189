import { join } from 'node:path'
import type { Context, Middleware } from 'koa'
import compose from 'koa-compose'
import serve from 'koa-static'
import type { Logger } from '../../core/platform/log.ts'
import { DAY } from '../../core/time.ts'
import { answerKept } from '../kept-body.ts'
import type { Page, Pages } from '../pages.ts'
import { loggedPath } from '../route-of.ts'
import { allowForPage, withNonce } from './security.ts'

/** Serves the built web app: its files, and a page for every other address that is not a call. */
export function web({ root, pages, log }: { root: string; pages: Pages; log: Logger }): Middleware {
  return compose([assets(join(root, 'client')), oneAddress, page(pages, log)]) as Middleware
}

function assets(root: string) {
  return serve(root, {
    index: false,
    setHeaders: (response, path) => {
      const isHashed = path.startsWith(join(root, 'assets'))
      response.setHeader('Cache-Control', isHashed ? `public, max-age=${(365 * DAY) / 1000}, immutable` : 'no-cache')
    },
  })
}

/** Each page has one address: in lower case, without a slash at the end. */
async function oneAddress(ctx: Context, next: () => Promise<void>): Promise<void> {
  // Of several slashes at the start a browser would make another host.
  const path = `/${ctx.path.split('/').filter(Boolean).join('/').toLowerCase()}`
  if (!isPage(ctx) || ctx.path === path) return next()
  ctx.status = 301
  ctx.redirect(path + ctx.search)
}

function page(pages: Pages, log: Logger) {
  return async (ctx: Context, next: () => Promise<void>): Promise<void> => {
    if (!isPage(ctx)) return next()

    const page = await pages.find(ctx).catch(async (error): Promise<Page> => {
      // What we cannot render, the browser can. Logged is which page it was, and nothing that a visitor may have typed.
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

/** Answers with a page, and with what its row says to browsers and search engines. Status and caching are the caller's. */
export async function answerPage(ctx: Context, pages: Pages, { html, row, provider }: Page): Promise<void> {
  const { styleHash } = await pages.built()
  ctx.type = 'html'
  if (row?.robots === 'noindex') ctx.set('X-Robots-Tag', 'noindex')
  const nonce = allowForPage(ctx, { frames: row?.frames, styleHash, provider })
  // A page that is kept for many requests is no provider's, and so has no tags.
  if (typeof html !== 'string') return answerKept(ctx, html)
  ctx.body = nonce ? withNonce(html, nonce) : html
}

function isPage(ctx: Context): boolean {
  return (
    ['GET', 'HEAD'].includes(ctx.method) &&
    Boolean(ctx.accepts('html')) &&
    !/^\/(api|assets)\/|\.[a-z0-9]+$/i.test(ctx.path)
  )
}
