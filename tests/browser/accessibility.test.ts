import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { createProvider } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import { cutTexts, overflow } from './inspect-page.ts'
import { AUSTIN, DENVER, pins } from './map-actions.ts'
import { comesAlive, wake } from './page-actions.ts'

// What machines of others do not find: see docs/accessibility.md.
describeInBrowser(
  'a page is of use',
  (site) => {
    let clinic: number
    beforeAll(async () => {
      const quill = { practice_name: 'Quill Clinic', phone: '(512) 555-0177', google_ads_id: 'AW-123456789' }
      clinic = (await createProvider(site.db, { ...quill, ...AUSTIN })).id
      await createProvider(site.db, { practice_name: 'Far Clinic', ...DENVER })
    })

    it('to readers who space its text widely, in the narrowest window', async () => {
      const page = await site.open('/terms', { width: 320 })
      for (const path of [
        '/',
        '/start',
        `/microsite?providerId=${clinic}`,
        '/map',
        '/clinics',
        '/success?noProvider=true',
      ]) {
        await page.goto(path)
        await spaceWidely(page)
        await expect.poll(() => overflow(page), { message: `what sticks out of ${path}` }).toBe(0)
        expect(await cutTexts(page), `what is cut off on ${path}`).toEqual([])
        if (path === '/') expect(await gapInHeader(page)).toBeGreaterThanOrEqual(0)
      }
    })

    it('to the keyboard in a window as low as at a zoom of 400%: the question about ads covers no focus', async () => {
      const page = await site.open(`/microsite?providerId=${clinic}`, { width: 320 })
      await page.setViewportSize({ width: 320, height: 256 })
      await wake(page)
      const question = page.getByRole('complementary', { name: 'Ad measurement' })
      await question.waitFor()
      const opacity = () =>
        question.evaluate(({ parentElement }) => Number(getComputedStyle(parentElement as Element).opacity))
      expect(await opacity()).toBe(1)
      const consent = page.getByRole('checkbox', { name: /^I consent/ })
      await page.getByLabel('Zip Code').focus()
      await page.keyboard.press('Tab')
      expect(await consent.evaluate(isOnTop)).toBe(true)
      expect(await opacity()).toBe(0)
      await question.getByRole('button', { name: 'Allow' }).focus()
      expect(await opacity()).toBe(1)
    })

    it('to the keyboard on the map: Space presses, a popup follows its pin and gives the focus back', async () => {
      const page = await site.open('/map?zip=78702')
      const pin = pins(page).and(page.getByRole('button', { name: /^Quill Clinic/ }))
      await pin.focus()
      await page.keyboard.press('Space')
      const popup = page.getByRole('dialog', { name: /^Quill Clinic/ })
      await popup.getByRole('link', { name: /^Request consultation/ }).waitFor()
      expect(await isFocused(popup)).toBe(true)
      await page.keyboard.press('Tab')
      expect(await isFocused(popup.getByRole('link', { name: /^Request consultation/ }))).toBe(true)
      await popup.getByRole('button', { name: 'Close popup' }).press('Space')
      await popup.waitFor({ state: 'detached' })
      expect(await isFocused(pin)).toBe(true)
      await pin.press('Enter')
      await popup.getByRole('link', { name: /^Request consultation/ }).press('Escape')
      await popup.waitFor({ state: 'detached' })
      expect(await isFocused(pin)).toBe(true)

      const before = await page.evaluate(() => window.scrollY)
      await page.getByRole('button', { name: 'Zoom out' }).press('Space')
      await page.getByRole('heading', { name: 'In this part of the map' }).waitFor()
      expect(await page.evaluate(() => window.scrollY)).toBe(before)
    })

    it('to the keyboard on the map: a pin that the map brings into sight changes no list', async () => {
      const page = await site.open('/map?zip=78702', { width: 1100 })
      const pin = pins(page).and(page.getByRole('button', { name: /^Quill Clinic/ }))
      const map = page.locator('.leaflet-container')
      await pin.waitFor()
      await map.focus()
      // Until it stands half over the edge.
      for (let moves = 0; moves < 4; moves += 1) {
        const before = await leftOf(pin)
        await map.press('ArrowRight')
        await expect.poll(() => leftOf(pin)).toBe(before - 80)
      }
      const hidden = await leftOf(pin)
      await page.getByRole('button', { name: 'Back to Austin, TX' }).click()
      const title = page.getByRole('heading', { name: 'Nearest to Austin, TX 78702' })
      await title.waitFor()
      await map.focus()
      await page.keyboard.press('Tab')
      expect(await isFocused(pin)).toBe(true)
      await expect.poll(() => leftOf(pin)).toBeGreaterThan(hidden)
      await isAtRest(pin)
      expect(await title.isVisible()).toBe(true)
    })

    it('in forced colors: what is chosen has more than a color', async () => {
      const page = await site.open('/map', { width: 390, context: { forcedColors: 'active' } })
      const look = (label: string) =>
        page.getByText(label, { exact: true }).evaluate((node) => getComputedStyle(node).backgroundColor)
      expect(await look('List')).not.toBe(await look('Map'))

      const field = page.getByRole('combobox')
      await comesAlive(field)
      await field.fill('austin')
      await page.getByRole('option').nth(1).waitFor()
      await field.press('ArrowDown')
      const outlines = page
        .getByRole('option')
        .evaluateAll((options) => options.map((each) => getComputedStyle(each).outlineStyle))
      expect((await outlines).slice(0, 2)).toEqual(['solid', 'none'])
    })
  },
  { AD_MEASUREMENT: 'on' },
)

/** Spaces all text as WCAG 2.2, 1.4.12 says. */
async function spaceWidely(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.documentElement.dataset.whole = ''
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(
      '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }',
    )
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  })
}

/** Returns how far apart the name and the button in the header are, in CSS pixels. */
function gapInHeader(page: Page): Promise<number> {
  return page.getByRole('banner').evaluate((header) => {
    const words = document.createRange()
    words.selectNodeContents(header.querySelector('a svg + span') as Element)
    const links = [...header.querySelectorAll('a')].filter((link) => link.textContent === 'Find a Provider')
    return (links[0]?.getBoundingClientRect().left ?? 0) - words.getBoundingClientRect().right
  })
}

/** Whether nothing lies above the middle of an element. */
function isOnTop(element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect()
  return document.elementFromPoint(left + width / 2, top + height / 2) === element
}

function isFocused(element: Locator): Promise<boolean> {
  return element.evaluate((node) => node === document.activeElement)
}

function leftOf(element: Locator): Promise<number> {
  return element.evaluate((node) => {
    const { left, width } = node.getBoundingClientRect()
    return Math.round(left + width / 2)
  })
}

/** Waits until an element is where it was. */
async function isAtRest(element: Locator): Promise<void> {
  let last = Number.NaN
  await expect
    .poll(
      async () => {
        const before = last
        last = await leftOf(element)
        return last - before
      },
      { interval: 200 },
    )
    .toBe(0)
}
