import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { type BrowserSite, describeInBrowser } from './browser.ts'
import { field, wake } from './page-actions.ts'

const HEADING = 'Results you can measure, without surgery.'
const ORIGINAL = 'A measurable difference, without surgery.'

/** Hides the position of the mouse that the browser passes on from an earlier page. It is not a visitor's touch. */
const NO_POINTER = `window.addEventListener('pointermove', (event) => event.stopImmediatePropagation(), { capture: true })`

/** Opens a page as a person's browser does: this one says that a program steers it, and what it is. */
async function openAsPerson(site: BrowserSite, path: string, also = ''): Promise<Page> {
  const context = { userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36' }
  const page = await site.open('/terms', { context })
  await page.addInitScript(
    `Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false, configurable: true });${also}`,
  )
  await page.goto(site.url + path, { waitUntil: 'networkidle' })
  return page
}

const counts = (site: BrowserSite) =>
  site
    .db('page_view_counts')
    .orderBy(['page', 'event'])
    .select('source', 'campaign', 'page', 'device', 'event', 'count')

describeInBrowser(
  'the counts of page views',
  (site) => {
    it('are told when the page is left, with the web vitals, whose script comes after the first touch', async () => {
      const page = await openAsPerson(site, '/?utm_source=Google&utm_campaign=Fall', NO_POINTER)
      const scripts = () => page.evaluate(`performance.getEntriesByType('resource').map(({ name }) => name).join()`)
      expect(await scripts()).not.toContain('web-vitals')
      await field(page, 'Email').fill('jordan@visitors.example')
      await expect.poll(scripts).toContain('web-vitals')
      // It has arrived, and now runs.
      await page.evaluate(() => new Promise((done) => requestIdleCallback(done)))
      expect(await counts(site)).toEqual([])
      await page.goto(`${site.url}/terms`)
      const of = { source: 'google', campaign: 'fall', page: 'home', device: 'desktop', count: 1 }
      await expect
        .poll(() => counts(site))
        .toEqual([
          { ...of, event: 'seen' },
          { ...of, event: 'started' },
        ])
      const vitals = () => site.db('web_vital_counts').orderBy('vital').pluck('vital')
      await expect.poll(vitals).toEqual(expect.arrayContaining(['cls', 'lcp', 'ttfb']))
      expect(await page.evaluate('document.cookie')).toBe('')
      await site.reset()
    })

    it('are none for a program, and for a browser with Global Privacy Control', async () => {
      const robot = await site.open('/')
      await robot.goto(`${site.url}/terms`)
      const calls: string[] = []
      const discreet = await openAsPerson(
        site,
        '/terms',
        `Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true })`,
      )
      for (const page of [robot, discreet]) {
        page.on('request', (request) => {
          if (/page-views|web-vitals/.test(request.url())) calls.push(request.url())
        })
        await page.goto(site.url, { waitUntil: 'networkidle' })
        await page.goto(`${site.url}/terms`)
      }
      // A visit that is counted comes last, so that those before it would have come by now.
      const person = await openAsPerson(site, '/start')
      await person.goto(`${site.url}/terms`)
      await expect.poll(() => counts(site)).toMatchObject([{ page: 'start', event: 'seen', count: 1 }])
      expect(calls).toEqual([])
      await site.reset()
    })

    it('compare two headings: the one that came with the page stays when it comes to life', async () => {
      const shown = new Set<string>()
      for (let n = 0; n < 30 && shown.size < 2; n++) {
        const page = await openAsPerson(site, '/')
        const heading = page.getByRole('heading', { level: 1 })
        const text = String(await heading.textContent())
        if (!shown.has(text)) {
          await wake(page)
          expect(await heading.textContent()).toBe(text)
          await page.goto(`${site.url}/terms`)
          shown.add(text)
        }
        await page.close()
      }
      expect([...shown].toSorted()).toEqual([ORIGINAL, HEADING])
      await expect
        .poll(() => site.db('experiment_counts').where('seen', '>', 0).orderBy('variant').pluck('variant'))
        .toEqual(['original', 'other'])
    })
  },
  { HOME_HEADING_TEST: HEADING },
)
