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

/** Pages that search engines must not list. */
const PRIVATE_PAGES = /^\/(admin|admin\/password|getmpx|success)$/
/** Pages that only the browser draws. */
const STAFF_PAGES = /^\/(admin|admin\/password|getmpx)$/

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

    const { html, isKnown, provider } = await find(ctx, pages).catch(async (error): Promise<Page> => {
      // What we cannot render, the browser can. Logged is which page it was, and nothing that a visitor may have typed.
      const path = (await pages.has(ctx.path)) ? ctx.path : loggedPath(ctx)
      log.error({ err: error, requestId: ctx.state.requestId, path }, 'page not rendered')
      return { html: (await pages.built()).shell, isKnown: true, provider: null }
    })
    ctx.status = isKnown ? 200 : 404
    ctx.type = 'html'
    const nonce = allowForPage(ctx, { ...(await pages.built()), path: ctx.path, provider })
    // A page that is kept for many requests is no provider's, and so has no tags.
    if (typeof html === 'string') ctx.body = nonce ? withNonce(html, nonce) : html
    else await answerKept(ctx, html)
    ctx.set('Cache-Control', 'no-cache')
    if (PRIVATE_PAGES.test(ctx.path)) ctx.set('X-Robots-Tag', 'noindex')
  }
}

async function find(ctx: Context, pages: Pages): Promise<Page> {
  if (STAFF_PAGES.test(ctx.path)) return { html: (await pages.built()).shell, isKnown: true, provider: null }
  return pages.find(await pages.siteOf(ctx), ctx)
}

function isPage(ctx: Context): boolean {
  return (
    ['GET', 'HEAD'].includes(ctx.method) &&
    Boolean(ctx.accepts('html')) &&
    !/^\/(api|assets)\/|\.[a-z0-9]+$/i.test(ctx.path)
  )
}
