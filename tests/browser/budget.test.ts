import { gzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { describeInBrowser, launchBrowser } from './browser.ts'

const KIB = 1024
/** What makes the page load the rest (web/lib/first-interaction.ts). */
const SIGNS = ['pointerdown', 'pointermove', 'touchstart', 'keydown', 'focusin', 'wheel', 'scroll']

describeInBrowser('the first load of the home page', (site) => {
  it('stays within its budget, and loads nothing that is for other pages', async () => {
    const { files, touches } = await filesOf(site.url)
    expect(touches, 'what the page took for a touch').toEqual([])
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
async function filesOf(url: string) {
  const browser = await launchBrowser()
  onTestFinished(() => browser.close())
  const fresh = await browser.newPage()
  await fresh.addInitScript((signs) => {
    const touches: string[] = []
    Object.assign(window, { touches })
    for (const sign of signs) window.addEventListener(sign, ({ type }) => touches.push(type), { capture: true })
    window.addEventListener('error', ({ target }) => touches.push(`a lost ${(target as Element).outerHTML}`), true)
  }, SIGNS)
  const loading: Promise<{ url: string; body: Buffer }>[] = []
  fresh.on('response', (response) => {
    loading.push(response.body().then((body) => ({ url: response.url(), body })))
  })
  await fresh.goto(url, { waitUntil: 'networkidle' })
  const files = await Promise.all(loading)
  const touches = await fresh.evaluate(() => (window as unknown as { touches: string[] }).touches)
  return { files, touches }
}
