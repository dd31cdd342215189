import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'

/** A mid-range phone, as Lighthouse has it. */
const PHONE = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true }
const CPU_SLOWDOWN = 4
/** Lighthouse's slow 4G, applied by the browser to each request: milliseconds, and bytes per second. */
const SLOW_4G = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1000 * 1000) / 8,
  uploadThroughput: (750 * 1000) / 8,
}

/** Returns an empty page of a slow phone on a slow network. Close its context. */
export async function newSlowPage(
  browser: Browser,
): Promise<{ context: BrowserContext; page: Page; devtools: CDPSession }> {
  const context = await browser.newContext(PHONE)
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', SLOW_4G)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  return { context, page, devtools }
}

/**
 * Opens a page on a slow phone, taps its first text field and presses a key. Returns the milliseconds from the key to
 * the next paint, as the browser states them for Interaction to Next Paint (https://web.dev/articles/inp).
 */
export async function timeOfFirstKey(browser: Browser, url: string): Promise<number> {
  const { context, page } = await newSlowPage(browser)
  await page.addInitScript(() => {
    const times: number[] = []
    Object.assign(window, { keyTimes: times })
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries())
        if (name === 'keydown' || name === 'keyup') times.push(duration)
    }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
  })
  await page.goto(url, { waitUntil: 'commit', timeout: 60_000 })
  await page.locator('main input:is([type=text], [type=tel], :not([type])):not([tabindex="-1"])').first().tap()
  await page.keyboard.press('7')
  // A shorter event is not stated at all. The observer has the others soon after the frame.
  await page.waitForTimeout(1_500)
  const times = await page.evaluate(() => (window as unknown as { keyTimes: number[] }).keyTimes)
  await context.close()
  return Math.max(16, ...times)
}
