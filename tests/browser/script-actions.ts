import type { Page } from 'playwright-core'
import type { BrowserSite } from './browser.ts'

/** Opens a page whose scripts were prepared for, from another page that does not need them. */
export async function openAfter<Prepared>(
  site: BrowserSite,
  path: string,
  prepare: (page: Page) => Promise<Prepared>,
  expectErrors?: RegExp,
  width?: number,
) {
  const page = await site.open('/refunds', { expectErrors, width })
  await page.waitForLoadState('networkidle')
  const prepared = await prepare(page)
  await page.goto(path, { waitUntil: 'commit' })
  await page.getByRole('heading', { level: 1 }).waitFor()
  return { page, prepared }
}

/** Whether the form of the page has its script. */
export function isAwake(page: Page): Promise<boolean> {
  return page.locator('main form[novalidate]').isVisible()
}

/** The button that sends the form of a page, with its script or without. */
export function submit(page: Page) {
  return page.locator('#provider-form button[type="submit"]')
}
