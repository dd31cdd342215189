import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND } from '../../core/time.ts'
import { type BrowserSite, describeInBrowser } from './browser.ts'
import { comesAlive } from './page-actions.ts'

const NOON = new Date('2027-01-10T12:00:00-06:00')
const DEADLINE = '2027-01-13T15:04:05-06:00'
const START = 14 * DAY + 23 * HOUR + 59 * MINUTE + 52 * SECOND

describeInBrowser('the special offer without a deadline', (site) => {
  it('counts down each second, stops at zero, and starts again when the page is opened again', async () => {
    const page = await openAt(site, NOON)
    await starts(page)
    const left = await hold(page)
    expect(left).toBeGreaterThan(START - MINUTE)

    for (const second of [1, 2, 3]) {
      await page.clock.runFor(SECOND)
      expect(await timeLeft(page)).toBe(left - second * SECOND)
    }
    await page.clock.fastForward(left - 5 * SECOND)
    expect(await shown(page)).toEqual(['00', '00', '00', '02'])
    await page.clock.runFor(SECOND)
    expect(await shown(page)).toEqual(['00', '00', '00', '01'])
    await page.clock.runFor(SECOND)
    expect(await shown(page)).toEqual(['00', '00', '00', '00'])
    await page.clock.runFor(10 * SECOND)
    await page.clock.fastForward(DAY)
    expect(await shown(page)).toEqual(['00', '00', '00', '00'])
    expect(await offer(page).isVisible()).toBe(true)

    await page.clock.resume()
    await page.reload()
    await comesAlive(page.getByRole('heading', { level: 1 }))
    await starts(page)
  })

  it('is right again as soon as a browser that was asleep wakes up', async () => {
    const page = await openAt(site, NOON)
    await starts(page)
    const left = await hold(page)
    await page.clock.fastForward(3 * DAY + 2 * HOUR)
    expect(await timeLeft(page)).toBe(left - 3 * DAY - 2 * HOUR)
  })
})

describeInBrowser(
  'the special offer with a deadline',
  (site) => {
    it('tells the time that is really left, however often the page is opened', async () => {
      const page = await openAt(site, NOON)
      await expect.poll(() => shown(page)).toEqual(['03', '03', '04', expect.any(String)])
      const left = await hold(page)
      await page.clock.resume()
      await page.reload()
      await comesAlive(page.getByRole('heading', { level: 1 }))
      await expect.poll(() => shown(page)).toEqual(['03', '03', expect.any(String), expect.any(String)])
      expect(await timeLeft(page)).toBeLessThanOrEqual(left)
    })

    it('goes when it is over, and what led to it leads to the form', async () => {
      const page = await openAt(site, new Date(Date.parse(DEADLINE) - MINUTE))
      await expect.poll(() => shown(page)).toEqual(['00', '00', expect.stringMatching(/00|01/), expect.any(String)])
      const left = await hold(page)
      await page.clock.fastForward(left - SECOND)
      expect(await shown(page)).toEqual(['00', '00', '00', '01'])
      expect(await become(page).getAttribute('href')).toBe('#special-offer')
      await page.clock.runFor(SECOND)
      expect(await offer(page).count()).toBe(0)
      expect(await become(page).getAttribute('href')).toBe('#provider-form')
      expect(await page.getByText('A Special Offer for New Providers').count()).toBe(0)
    })

    it('is not there for who comes later', async () => {
      const page = await openAt(site, new Date(Date.parse(DEADLINE) + DAY))
      await expect.poll(() => offer(page).count()).toBe(0)
      await become(page).click()
      await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('provider-form')
    })
  },
  { OFFER_DEADLINE: DEADLINE },
)

/** Opens the page for clinics at another time than now, from where the clock goes on. */
async function openAt(site: BrowserSite, time: Date): Promise<Page> {
  const page = await site.open('/terms')
  await page.clock.install({ time })
  await page.goto('/clinics')
  await comesAlive(page.getByRole('heading', { level: 1 }))
  return page
}

/** Waits for a countdown that has just begun: by then it is a script that counts. */
async function starts(page: Page): Promise<void> {
  await expect.poll(() => timeLeft(page)).toBeLessThan(START)
  expect(await timeLeft(page)).toBeGreaterThan(START - MINUTE)
}

/** Stops the clock. @returns the time that the page says is left, in milliseconds */
async function hold(page: Page): Promise<number> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 2 * SECOND)
  return timeLeft(page)
}

function offer(page: Page) {
  return page.locator('#special-offer')
}

function become(page: Page) {
  return page.getByRole('main').getByRole('link', { name: 'Become a Provider', exact: true }).first()
}

/** Days, hours, minutes and seconds as the page shows them. */
function shown(page: Page): Promise<string[]> {
  return page.getByRole('timer').locator('.tabular-nums').allTextContents()
}

async function timeLeft(page: Page): Promise<number> {
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = (await shown(page)).map(Number)
  return days * DAY + hours * HOUR + minutes * MINUTE + seconds * SECOND
}
