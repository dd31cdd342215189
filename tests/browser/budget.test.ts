import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInBrowser } from './browser.ts'

const KIB = 1024

describeInBrowser('the first load of the home page', (site) => {
  it('stays within its budget, and loads nothing that is for other pages', async () => {
    const page = await site.open('/success?noProvider=true')
    const files = await filesOf(page, '/')
    const gzipped = (name: RegExp) =>
      files.filter(({ url }) => name.test(url)).reduce((sum, { body }) => sum + gzipSync(body).length, 0)

    const scripts = files.filter(({ url }) => url.endsWith('.js'))
    expect(scripts.length).toBeGreaterThan(1)
    expect(
      scripts
        .map(({ url }) => url)
        .filter((url) => /admin|lead-form-(?!card)|leaflet|toast|success|landing-sections/.test(url)),
    ).toEqual([])
    expect(scripts.map(({ body }) => body.toString()).filter((code) => /leaflet/i.test(code))).toEqual([])
    expect(gzipped(/\.js$/)).toBeLessThanOrEqual(100 * KIB)

    const fonts = files.filter(({ url }) => url.endsWith('.woff2')).reduce((sum, { body }) => sum + body.length, 0)
    expect(fonts + gzipped(/^(?!.*\.woff2$)/)).toBeLessThanOrEqual(300_000)
  })
})

/** Everything that a browser loads for a page before anybody touches it. */
async function filesOf(page: Page, path: string): Promise<{ url: string; body: Buffer }[]> {
  const fresh = await page.context().browser()?.newPage()
  if (!fresh) throw new Error('There is no browser.')
  const loading: Promise<{ url: string; body: Buffer }>[] = []
  fresh.on('response', (response) => {
    loading.push(response.body().then((body) => ({ url: response.url(), body })))
  })
  await fresh.goto(new URL(path, page.url()).href, { waitUntil: 'networkidle' })
  const files = await Promise.all(loading)
  await fresh.close()
  return files
}
