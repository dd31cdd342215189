import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import type { Db } from '../../core/platform/db.ts'
import { describeInBrowser } from '../browser/browser.ts'
import { marks, pins } from '../browser/map-actions.ts'
import { waitFor } from '../support/wait.ts'

/** More than that many marks bring a phone to a stop. */
const MAX_MARKS = 150
const MANY = 10_000

describeInBrowser('the maps of ten thousand providers', (site) => {
  beforeAll(() => seedNetwork(site.db))

  it('show clusters that fall apart into pins, few marks at a time, and find the nearest', async () => {
    const page = await site.open('/map', { width: 390 })
    await page.mouse.move(200, 300)
    await expect.poll(() => listed(page).count()).toBe(20)
    await page.getByText('Map', { exact: true }).click()
    await showsClusters(page)
    await page.getByText('List', { exact: true }).click()
    await page
      .getByRole('button', { name: /^Show on map/ })
      .first()
      .waitFor()

    await page.getByText('Map', { exact: true }).click()
    const before = await largestCluster(page)
    await page
      .getByRole('button', { name: new RegExp(`^${before.toLocaleString('en-US')} .*, zoom in$`) })
      .first()
      .press('Enter')
    await expect.poll(() => largestCluster(page)).toBeLessThan(before)
    expect(await page.evaluate(() => Boolean(document.activeElement?.closest('.leaflet-container')))).toBe(true)

    for (let zoomed = 0; (await pins(page).count()) === 0; zoomed++) {
      expect(zoomed, 'zooms before there is a pin').toBeLessThan(10)
      await page.getByRole('button', { name: 'Zoom in', exact: true }).click()
      await settled(page)
      expect(await marks(page).count()).toBeLessThanOrEqual(MAX_MARKS)
    }

    await page.getByRole('combobox', { name: 'Zip code or city' }).fill('67201')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByText('List', { exact: true }).click()
    const nearest = page.getByText(/^[\d.]+ miles from Wichita, KS 67201$/)
    // Entries come as they are loaded, and the map may still be on its way.
    const miles = await waitFor('the distances of all that are listed', async () => {
      const distances = (await nearest.allTextContents()).map(Number.parseFloat)
      return distances.length >= 5 && distances.length === (await listed(page).count()) && distances
    })
    expect(miles).toEqual(miles.toSorted((a, b) => a - b))
    expect(await marks(page).count()).toBeLessThanOrEqual(MAX_MARKS)
  })

  it('show staff a page at a time, find one at once, and cluster them on the map', async () => {
    const page = await site.open('/admin?tab=providers', { staff: true })
    await page.getByRole('tab', { name: 'Providers (10000)' }).waitFor()
    await page.getByText('Page 1 of 500', { exact: true }).waitFor()
    await page.getByRole('searchbox', { name: 'Search providers' }).pressSequentially('clinic9999@')
    const names = page.locator('tr[data-provider] p:first-child a')
    await expect.poll(() => names.allTextContents()).toEqual(['Dr. Test 9999'])
    const map = page.getByRole('region', { name: 'Map View' })
    await expect.poll(() => map.getByRole('button', { name: /providers, zoom in/ }).count()).toBeGreaterThan(5)
    expect(await marks(page).count()).toBeLessThanOrEqual(MAX_MARKS)
  })
})

function listed(page: Page) {
  return page.locator('#clinic-list').getByRole('listitem')
}

/** Waits until every provider is on the map, one way or another. */
async function showsClusters(page: Page): Promise<void> {
  await expect.poll(() => marks(page).count()).toBeGreaterThan(5)
  const count = await marks(page).count()
  expect(count).toBeLessThanOrEqual(MAX_MARKS)
  expect(await largestCluster(page)).toBeGreaterThan(1)
}

async function largestCluster(page: Page): Promise<number> {
  const counts = await page.locator('.map-cluster [aria-hidden]').allTextContents()
  return Math.max(0, ...counts.map((count) => Number(count.replace(',', ''))))
}

/** Waits until the map has come to rest. */
async function settled(page: Page): Promise<void> {
  await expect.poll(() => page.locator('.leaflet-zoom-anim').count()).toBe(0)
}

/** Stores active providers all over the continental US, at the same places each time. */
async function seedNetwork(db: Db): Promise<void> {
  await db.raw(
    `insert into providers (name, practice_name, zip_code, email, latitude, longitude)
     select 'Dr. Test ' || n, 'Clinic ' || n, '78701', 'clinic' || n || '@clinics.example',
       26 + 22 * (n * 0.61803398875 - floor(n * 0.61803398875)), -120 + 45 * (n - 0.5) / ?
     from generate_series(1, ?) n`,
    [MANY, MANY],
  )
}
