import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { brand } from '../../core/brand/brand.ts'
import { describeInBrowser } from './browser.ts'
import { boxOf, comesAlive, isInSight } from './page-actions.ts'

const POLICIES = [
  {
    title: 'Terms and Conditions',
    path: '/terms',
    count: 10,
    updated: 'February 2025',
    chunk: /assets\/terms-(?!page)/,
  },
  { title: 'Privacy Policy', path: '/privacy', count: 8, updated: 'November 2026' },
  // This one has no date of its own.
  {
    title: 'Refund & Cancellation Policy',
    heading: 'Refund and Cancellation Policy',
    path: '/refunds',
    count: 5,
    updated: 'March 5, 2031',
  },
] as const
const LOST = /ERR_FAILED|Failed to fetch dynamically imported module/
const HEIGHT = 900

describeInBrowser('the policies', (site) => {
  it('lead from their contents to their sections, and say on the page what their dialog says', async () => {
    const page = await site.open('/terms')
    await page.clock.setFixedTime(new Date('2031-03-05T18:00:00Z'))
    for (const policy of POLICIES) {
      const { title, path, count, updated } = policy
      const heading = 'heading' in policy ? policy.heading : title
      await page.goto(path)
      await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
      const headings = await page.locator('article section h2').allInnerTexts()
      expect(headings.map((heading) => Number.parseInt(heading, 10))).toEqual(range(count))
      const contents = page.getByRole('navigation', { name: 'Contents' }).getByRole('link')
      expect(await contents.allInnerTexts()).toEqual(headings)
      await contents.nth(3).click()
      await isInSight(page.locator('article section h2').nth(3))

      // Today's date is only known once the page has come alive.
      await comesAlive(page.locator('article'))
      await page.getByText(`Last updated: ${updated}`, { exact: true }).waitFor()
      const onPage = await textsOf(page.locator('article > header p, article section :is(h2, p, li)'))
      const dialog = await openDialog(page, title)
      expect(await textsOf(dialog.getByRole('region').locator(':is(h3, p, li)'))).toEqual(onPage)
      await dialog.getByRole('link', { name: brand.email }).last().waitFor()
      expect(await dialog.getByRole('link', { name: brand.phone }).last().getAttribute('href')).toBe('tel:+12025550142')
    }

    await page.goto('/privacy#security')
    await isInSight(page.locator('#security h2'))
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('security')
  })

  it('open in a dialog that fits, can be scrolled, and gives the keyboard back however it is closed', async () => {
    const title = 'Privacy Policy'
    const page = await site.open('/')
    const opener = page.getByRole('button', { name: title })
    const isBack = () => opener.evaluate((button) => button === document.activeElement)
    const opened = await openDialog(page, title)
    const { width, height } = await boxOf(opened)
    expect(width).toBe(42 * 16)
    expect(height).toBeLessThanOrEqual(0.9 * HEIGHT)
    for (const [windowWidth, windowHeight] of [
      [390, 600],
      [844, 390],
    ] as const) {
      await page.setViewportSize({ width: windowWidth, height: windowHeight })
      const box = await boxOf(opened)
      // A sheet at the lower edge of a phone, a box in the middle of any other window.
      if (windowWidth < 640) expect([box.width, box.bottom]).toEqual([windowWidth, windowHeight])
      else expect(box.width).toBeLessThan(windowWidth)
      expect(box.height).toBeLessThanOrEqual(0.9 * windowHeight + 1)
    }
    await page.setViewportSize({ width: 1440, height: HEIGHT })

    const text = opened.getByRole('region', { name: title })
    await text.focus()
    await page.keyboard.press('End')
    await expect.poll(() => text.evaluate((region) => region.scrollTop)).toBeGreaterThan(0)

    await opened.getByRole('heading', { name: title }).hover()
    await page.mouse.down()
    await page.mouse.move(20, 20)
    await page.mouse.up()
    expect(await opened.isVisible(), 'open after a text was selected beyond its edge').toBe(true)

    await page.keyboard.press('Escape')
    await opened.waitFor({ state: 'detached' })
    expect(await isBack()).toBe(true)
    for (const close of [
      (dialog: Locator) => dialog.getByRole('button', { name: 'Close' }).click(),
      () => page.mouse.click(20, 20),
    ]) {
      const dialog = await openDialog(page, title)
      await close(dialog)
      await dialog.waitFor({ state: 'detached' })
      expect(await isBack()).toBe(true)
    }
  })

  it('are read on their pages when the dialog or the text cannot be fetched', async () => {
    const { title, path, chunk } = POLICIES[0]
    const page = await site.open('/', { expectErrors: LOST })
    await page.route(chunk, (route) => route.abort())
    await (await openerOf(page, title)).click()
    const problem = page.getByRole('dialog', { name: title }).getByRole('alert')
    expect(await problem.textContent()).toBe('The text could not be loaded. Please read it on its own page.')
    await page.unroute(chunk)
    await problem.getByRole('link').click()
    await page.getByRole('heading', { level: 1, name: title }).waitFor()

    await page.goto('/')
    await page.route(/assets\/policy-dialog/, (route) => route.abort())
    await (await openerOf(page, title)).click()
    await page.waitForURL(site.url + path)
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
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
