import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CHROMIUM_ARGS, describeInBrowser } from '../browser/browser.ts'
import { watchShifts } from '../browser/inspect-page.ts'
import { holdCalls } from '../browser/page-actions.ts'
import { findChromium } from '../support/chromium.ts'
import { createProvider } from '../support/factories.ts'

const WIDTHS = [320, 360, 390, 412, 430, 768, 1440]
const STAND_INS = ['400', '600'].map((weight) => `${weight} 16px "Instrument Sans Fallback"`)
for (const weight of ['400', '500']) STAND_INS.push(`${weight} 30px "Newsreader Fallback Times"`)
const FONTS = /\.woff2$/

describeInBrowser('a page whose fonts come late', (site) => {
  // A whole browser: the shell of the other tests has none of the fonts that stand in.
  let browser: Browser
  let clinic: number
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: String(findChromium({ isWhole: true })), args: CHROMIUM_ARGS })
    const named = { name: 'Dr. Amara Hartmann', practice_name: 'Sterling Wellness & Urology' }
    clinic = (await createProvider(site.db, { ...named, latitude: 30.27, longitude: -97.74 })).id
  })

  afterAll(() => browser.close())

  it.each(['/', '/start', '/homev2', '/microsite', '/success', '/map', '/clinics'])(
    'does not move when they come: %s',
    async (path) => {
      const moved: string[] = []
      for (const width of WIDTHS) {
        const page = await browser.newPage({ baseURL: site.url, viewport: { width, height: 900 } })
        const shifts = await watchShifts(page)
        const fonts = await holdCalls(page, FONTS)
        await page.goto(['/microsite', '/success'].includes(path) ? `${path}?providerId=${clinic}` : path, {
          waitUntil: 'domcontentloaded',
        })
        await expect.poll(fonts.calls).toBeGreaterThan(1)
        await standInsAreThere(page)
        const before = await shifts()
        fonts.release()
        await page.evaluate(() => document.fonts.ready)
        await twoFrames(page)
        const total = (await shifts()) - before
        if (total > 0.02) moved.push(`${width} px: ${total.toFixed(3)}`)
        await page.close()
      }
      expect(moved).toEqual([])
    },
  )
})

/** Waits for the fallback faces, which the browser may look up after the first paint. */
async function standInsAreThere(page: Page): Promise<void> {
  const load = (faces: string[]) => Promise.all(faces.map((face) => document.fonts.load(face))).then(() => {})
  await page.evaluate(load, STAND_INS).catch((cause) => {
    throw new Error('This test needs Arial and Times New Roman, or the Liberation fonts.', { cause })
  })
  await twoFrames(page)
}

/** Waits until what has changed is painted. */
function twoFrames(page: Page): Promise<void> {
  return page.evaluate(
    () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  )
}
