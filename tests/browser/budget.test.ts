import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { type BrowserSite, describeInBrowser } from './browser.ts'

const KIB = 1024

describeInBrowser('the first load of the home page', (site) => {
  it('stays within its budget, and loads nothing that is for other pages', async () => {
    const files = await filesOf(site)
    const gzipped = (name: RegExp) =>
      files.filter(({ url }) => name.test(url)).reduce((sum, { body }) => sum + gzipSync(body).length, 0)

    const scripts = files.filter(({ url }) => url.endsWith('.js'))
    expect(scripts.length).toBeGreaterThan(1)
    expect(
      scripts
        .map(({ url }) => url)
        .filter((url) => /admin|dashboard|lead-form-(?!card)|leaflet|toast|success|landing-sections/.test(url)),
    ).toEqual([])
    expect(scripts.map(({ body }) => body.toString()).filter((code) => /leaflet/i.test(code))).toEqual([])
    expect(gzipped(/\.js$/)).toBeLessThanOrEqual(100 * KIB)

    // One file for headings and one for text. A third would be the serif's larger file (`npm run font`).
    expect(
      files
        .map(({ url }) => /[^/]*(?=-[\w-]{8}\.woff2$)/.exec(url)?.[0])
        .filter(Boolean)
        .toSorted(),
    ).toEqual(['instrument-sans-latin-wght-normal', 'newsreader-display'])
    const fonts = files.filter(({ url }) => url.endsWith('.woff2')).reduce((sum, { body }) => sum + body.length, 0)
    expect(fonts + gzipped(/^(?!.*\.woff2$)/)).toBeLessThanOrEqual(300_000)
  })
})

/** Everything that a browser loads for the home page before anybody touches it. */
async function filesOf(site: BrowserSite): Promise<{ url: string; body: Buffer }[]> {
  const page = await site.untouched()
  const loading: Promise<{ url: string; body: Buffer }>[] = []
  page.on('response', (response) => {
    loading.push(response.body().then((body) => ({ url: response.url(), body })))
  })
  await page.goto('/', { waitUntil: 'networkidle' })
  return Promise.all(loading)
}
