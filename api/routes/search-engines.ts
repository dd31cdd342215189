import type Router from '@koa/router'
import type { Pages } from '../pages.ts'

/** What the pages ask of those who list them: each host has its own, since each is a site of its own. */
export function searchEngineRoutes(router: Router, pages: Pages): void {
  router.get('/robots.txt', async (ctx) => {
    const { origin } = await pages.siteOf(ctx)

    ctx.type = 'text'
    ctx.body = `User-agent: *\nDisallow: /api/\n\nSitemap: ${origin}/sitemap.xml\n`
  })

  /** The protocol of https://www.sitemaps.org/protocol.html */
  router.get('/sitemap.xml', async (ctx) => {
    const { origin, provider } = await pages.siteOf(ctx)
    const { rows } = await pages.built()
    const listed = [...rows.values()].filter(({ rendered, robots }) => rendered === 'build' && robots === 'index')
    // A provider's site has the pages of the main one as well, but they belong to that.
    const paths = provider ? ['/'] : listed.map(({ path }) => path)

    ctx.type = 'application/xml'
    ctx.body = [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
      ...paths.sort().map((path) => `  <url><loc>${origin}${path}</loc></url>`),
      '</urlset>\n',
    ].join('\n')
  })
}
