import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND } from '../../core/time.ts'
import { describeInBrowser } from './browser.ts'
import { comesAlive, isAlive } from './page-actions.ts'

const NOON = new Date('2027-01-10T12:00:00-06:00')
const DEADLINE = '2027-01-10T12:01:00-06:00'
const START = 14 * DAY + 23 * HOUR + 59 * MINUTE + 52 * SECOND

describeInBrowser('the special offer', (site) => {
  it('counts down each second, is right after a sleep, and starts again when the page is opened again', async () => {
    const page = await openAtNoon()
    await expect.poll(() => timeLeft(page)).toBeLessThan(START)
    const left = await hold(page)
    expect(left).toBeGreaterThan(START - MINUTE)
    for (const second of [1, 2, 3]) {
      await page.clock.runFor(SECOND)
      expect(await timeLeft(page)).toBe(left - second * SECOND)
    }
    await page.clock.fastForward(3 * DAY + 2 * HOUR)
    expect(await timeLeft(page)).toBe(left - 3 * DAY - 2 * HOUR - 3 * SECOND)

    await page.clock.resume()
    await page.reload()
    await comesAlive(page.getByRole('heading', { level: 1 }))
    await expect.poll(() => timeLeft(page)).toBeGreaterThan(START - MINUTE)
  })

  it('counts down from the opening of the page, which nobody has touched, and goes on when it is', async () => {
    const page = await site.open('/terms')
    // The browser tells a new page where an earlier one has left the mouse; that is nobody's touch.
    await page.addInitScript(() =>
      window.addEventListener('pointermove', (event) => event.stopImmediatePropagation(), { capture: true }),
    )
    await page.goto('/clinics')
    const main = page.getByRole('heading', { level: 1 })
    await expect.poll(() => timeLeft(page)).toBeLessThan(START - SECOND)
    expect(await isAlive(main)).toBe(false)

    const left = await timeLeft(page)
    await page.keyboard.press('Shift')
    await expect.poll(() => isAlive(main)).toBe(true)
    expect(await timeLeft(page)).toBeLessThanOrEqual(left)
    await expect.poll(() => timeLeft(page)).toBeLessThan(left - SECOND)
  })

  it('goes at its deadline, if it has one, and what led to it leads to the form', async () => {
    const page = await openAtNoon(DEADLINE)
    await expect.poll(() => timeLeft(page)).toBeLessThanOrEqual(MINUTE)
    const left = await hold(page)
    await page.clock.fastForward(left - SECOND)
    expect(await timeLeft(page)).toBe(SECOND)
    const become = page.getByRole('main').getByRole('link', { name: 'Become a Provider', exact: true }).first()
    expect(await become.getAttribute('href')).toBe('#special-offer')
    await page.clock.runFor(SECOND)
    expect(await page.locator('#special-offer').count()).toBe(0)
    await become.click()
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('provider-form')
  })

  /**
   * Opens the page for clinics at another time than now, from where the clock goes on.
   * @param deadline what the server tells the page where `OFFER_DEADLINE` is set
   */
  async function openAtNoon(deadline?: string): Promise<Page> {
    const page = await site.open('/terms')
    await page.clock.install({ time: NOON })
    if (deadline) {
      await page.route('**/clinics', async (route) => {
        const response = await route.fetch()
        const html = await response.text()
        await route.fulfill({
          response,
          body: html.replace('{"mainDomain"', `{"offerDeadline":"${deadline}","mainDomain"`),
        })
      })
    }
    await page.goto('/clinics')
    await comesAlive(page.getByRole('heading', { level: 1 }))
    return page
  }
})

/** Stops the clock. @returns the time that the page says is left, in milliseconds */
async function hold(page: Page): Promise<number> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 2 * SECOND)
  return timeLeft(page)
}

/** In milliseconds. */
async function timeLeft(page: Page): Promise<number> {
  const shown = await page.getByRole('timer').locator('.tabular-nums').allTextContents()
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = shown.map(Number)
  return days * DAY + hours * HOUR + minutes * MINUTE + seconds * SECOND
}
