import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { brand } from '../../core/brand/brand.ts'
import { env } from '../../local/mail-sample-people.ts'
import { mailSamples } from '../../local/mail-samples.ts'
import { createProvider } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import { overflow } from './inspect-page.ts'

/** A phone, and a window of a mail program. */
const WIDTHS = [390, 700]
const samples = mailSamples()

describeInBrowser('the e-mails', (site) => {
  let id: number
  beforeAll(async () => {
    id = (await createProvider(site.db, { image_url: '/demo/clinic-1.svg' })).id
  })

  /** Opens a page that shows e-mails as a mail program does: by themselves, with pictures from our site or without. */
  async function openMails(colorScheme: 'light' | 'dark' = 'light', { pictures = true } = {}): Promise<Page> {
    const page = await site.open('/terms', {
      context: { colorScheme },
      ...(!pictures && { expectErrors: /ERR_FAILED|ERR_BLOCKED/ }),
    })
    if (!pictures) await page.route('**/*.png', (route) => route.abort())
    await page.route('**/mail/*', (route) => {
      const name = new URL(route.request().url()).pathname.split('/').at(-1)
      const html = samples.find((sample) => sample.name === name)?.mail.html ?? ''
      const ours = html.replaceAll(env.PUBLIC_URL, site.url).replaceAll('/clinic-7.png', `/clinic-${id}.png`)
      return route.fulfill({ contentType: 'text/html', body: ours })
    })
    return page
  }

  it.each(['light', 'dark'] as const)('fit a phone and a window, and can be read by everybody: %s', async (scheme) => {
    const page = await openMails(scheme)
    for (const { name } of samples) {
      await page.goto(`${site.url}/mail/${name}`)
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 844 })
        expect(await overflow(page), `${name} at ${width} px`).toBe(0)
      }
      expect(await violations(page), `what axe finds: ${name}`).toEqual([])
    }
  })

  it('show our mark and the round picture of a clinic, which other sites may show, too', async () => {
    const page = await openMails()
    await page.goto(`${site.url}/mail/visitor`)
    const widths = () =>
      page.locator('img').evaluateAll((all) => all.map((image) => (image as HTMLImageElement).naturalWidth))
    await expect.poll(widths).toEqual([120, 144])
    for (const path of ['/art/mark.png', `/pictures/clinic-${id}.png`]) {
      const { headers } = await fetch(site.url + path)
      expect([headers.get('content-type'), headers.get('cross-origin-resource-policy')]).toEqual([
        'image/png',
        'cross-origin',
      ])
    }
  })

  it('say everything without pictures', async () => {
    const page = await openMails('light', { pictures: false })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${site.url}/mail/visitor`)
    for (const words of [brand.company, 'Dr. Rosa Quill', 'Lamar Men’s Health', 'Call (512) 555-0142', 'Directions']) {
      expect(await page.getByText(words, { exact: true }).first().isVisible(), words).toBe(true)
    }
    expect(await overflow(page)).toBe(0)
  })

  it('to the clinic: number and button are in the first half of a phone, and the button is as wide as the text', async () => {
    const page = await openMails()
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${site.url}/mail/provider`)
    const [number, button, heading] = await Promise.all([
      page.getByRole('link', { name: '(512) 555-0117', exact: true }).boundingBox(),
      page.getByRole('link', { name: 'Call (512) 555-0117' }).boundingBox(),
      page.getByRole('heading', { level: 1 }).boundingBox(),
    ])
    expect((number?.y ?? 0) + (number?.height ?? 0)).toBeLessThan(button?.y ?? 0)
    expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThan(422)
    expect(button?.width).toBe(heading?.width)
    expect(button?.height).toBeGreaterThanOrEqual(44)
  })
})

/** What axe finds by the criteria of WCAG. Its rules about regions are for pages of sites. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    const runOnly = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
    const { violations } = await axe.run({ runOnly, resultTypes: ['violations'] })
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
  })
}
