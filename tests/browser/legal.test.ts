import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { brand } from '../../core/brand.ts'
import { describeInBrowser } from './browser.ts'
import { boxOf, comesAlive, isInSight } from './page-actions.ts'

const POLICIES = [
  { title: 'Terms and Conditions', path: '/terms', count: 10, chunk: /assets\/terms-(?!page)/ },
  { title: 'Privacy Policy', path: '/privacy', count: 8, chunk: /assets\/privacy-(?!page)/ },
  { title: 'Refund & Cancellation Policy', path: '/refunds', count: 5, chunk: /assets\/refunds-(?!page)/ },
]
const LOST = /ERR_FAILED|Failed to fetch dynamically imported module/
const HEIGHT = 900

describeInBrowser('the policies', (site) => {
  describe.each(POLICIES)('$title', ({ title, path, count, chunk }) => {
    it('has numbered sections, to which its contents lead', async () => {
      const page = await site.open(path)
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
      const headings = await page.locator('article section h2').allInnerTexts()
      expect(headings.map((heading) => Number.parseInt(heading, 10))).toEqual(range(count))
      expect(await page.getByRole('navigation', { name: 'Contents' }).getByRole('link').allInnerTexts()).toEqual(
        headings,
      )

      await page.getByRole('navigation', { name: 'Contents' }).getByRole('link').nth(3).click()
      await isInSight(page.locator('article section h2').nth(3))
    })

    it('says how to reach the team', async () => {
      const page = await site.open(path)
      await page.locator('article').getByRole('link', { name: brand.email }).last().waitFor()
      expect(await page.locator('article').getByRole('link', { name: brand.phone }).last().getAttribute('href')).toBe(
        'tel:2025550142',
      )
    })

    it('has the same text on its page and in its dialog', async () => {
      const page = await site.open(path)
      // Today's date is only known once the page has come alive.
      await comesAlive(page.locator('article'))
      const onPage = await textsOf(page.locator('article > header p, article section :is(h2, p, li)'))
      const dialog = await openDialog(page, title)
      expect(await textsOf(dialog.getByRole('region').locator(':is(h3, p, li)'))).toEqual(onPage)
    })

    it('opens in a dialog that leaves the page in sight', async () => {
      const page = await site.open('/')
      const dialog = await openDialog(page, title)
      const { width, height } = await boxOf(dialog)
      expect(width).toBe(42 * 16)
      expect(height).toBeLessThanOrEqual(0.9 * HEIGHT)
      for (const [windowWidth, windowHeight] of [
        [390, 600],
        [844, 390],
      ] as const) {
        await page.setViewportSize({ width: windowWidth, height: windowHeight })
        const box = await boxOf(dialog)
        expect(box.width).toBeLessThan(windowWidth)
        expect(box.height).toBeLessThanOrEqual(0.9 * windowHeight + 1)
      }

      const text = dialog.getByRole('region', { name: title })
      await text.focus()
      await page.keyboard.press('End')
      await expect.poll(() => text.evaluate((region) => region.scrollTop)).toBeGreaterThan(0)
    })

    it('closes by its button, by Escape and by a click beside it, and the keyboard is where it was', async () => {
      const page = await site.open('/')
      const opener = page.getByRole('button', { name: title })
      const isBack = () => opener.evaluate((button) => button === document.activeElement)

      for (const close of [
        (dialog: Locator) => dialog.getByRole('button', { name: 'Close' }).click(),
        () => page.keyboard.press('Escape'),
        () => page.mouse.click(20, 20),
      ]) {
        const dialog = await openDialog(page, title)
        await close(dialog)
        await dialog.waitFor({ state: 'detached' })
        expect(await isBack()).toBe(true)
      }
    })

    it('leads to its page when the dialog cannot be fetched', async () => {
      const page = await site.open('/', { expectErrors: LOST })
      await page.route(/assets\/policy-dialog/, (route) => route.abort())
      const opener = await openerOf(page, title)
      await opener.click()
      await page.waitForURL(site.url + path)
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
    })

    it('says so when the text cannot be fetched, and leads to its page', async () => {
      const page = await site.open('/', { expectErrors: LOST })
      await page.route(chunk, (route) => route.abort())
      const opener = await openerOf(page, title)
      await opener.click()
      const problem = page.getByRole('dialog', { name: title }).getByRole('alert')
      expect(await problem.textContent()).toBe('The text could not be loaded. Please read it on its own page.')

      await page.unroute(chunk)
      await problem.getByRole('link').click()
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
    })
  })

  it('stays open when a text is selected and the pointer is released beside it', async () => {
    const page = await site.open('/')
    const dialog = await openDialog(page, 'Privacy Policy')
    await dialog.getByRole('heading', { name: 'Privacy Policy' }).hover()
    await page.mouse.down()
    await page.mouse.move(20, 20)
    await page.mouse.up()
    expect(await dialog.isVisible()).toBe(true)
  })

  it('shows since when the terms are as they are', async () => {
    const page = await site.open('/terms')
    await page.getByText('Last updated: February 2025', { exact: true }).waitFor()
  })

  it("shows today's date on the refund policy", async () => {
    const page = await site.open('/')
    await page.clock.setFixedTime(new Date('2031-03-05T18:00:00Z'))
    await page.goto('/refunds')
    await page.getByText('Last updated: March 5, 2031', { exact: true }).waitFor()
  })

  it.each(['security', 'contact'])('scrolls to the section of an address that is opened: %s', async (section) => {
    const page = await site.open(`/privacy#${section}`)
    await isInSight(page.locator(`#${section} h2`))
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe(section)
  })
})

async function openerOf(page: Page, title: string): Promise<Locator> {
  const opener = page.getByRole('contentinfo').getByRole('button', { name: title, exact: true })
  await comesAlive(opener)
  return opener
}

async function openDialog(page: Page, title: string): Promise<Locator> {
  const opener = await openerOf(page, title)
  await opener.click()
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.getByText('Last updated').waitFor()
  return dialog
}

async function textsOf(elements: Locator): Promise<string[]> {
  const texts = await elements.allInnerTexts()
  return texts.map((text) => text.replaceAll(/\s+/g, ' ').trim())
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}
