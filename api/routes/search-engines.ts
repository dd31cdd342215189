import type Router from '@koa/router'
import type { Pages } from '../pages.ts'

/** Serves robots.txt and the sitemap of each host, because each host is a site of its own. */
export function searchEngineRoutes(router: Router, pages: Pages): void {
  router.get('/robots.txt', async (ctx) => {
    const { origin } = await pages.siteOf(ctx)

    ctx.type = 'text'
    ctx.body = `User-agent: *\nDisallow: /api/\n\nSitemap: ${origin}/sitemap.xml\n`
  })

  // Source: https://www.sitemaps.org/protocol.html
  router.get('/sitemap.xml', async (ctx) => {
    const { origin, provider } = await pages.siteOf(ctx)
    const { rows } = await pages.built()
    const listed = [...rows.values()].filter(({ rendered, robots }) => rendered === 'build' && robots === 'index')
    // A provider's site also serves the pages of the main site, but they are listed there.
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
