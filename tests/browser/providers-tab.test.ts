import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { createProvider } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import { isUsableByEverybody, violations } from './inspect-page.ts'
import { AUSTIN, DENVER, hasOutlines, marks, middleOf, seedNetwork, zooms } from './map-actions.ts'

const TAB = '/admin?tab=providers'
const MANY = 10_000

describeInBrowser('the tab of providers', (site) => {
  it('has a map, which is loaded by nobody who has not come to it, and a table to take away', async () => {
    await createProvider(site.db, { name: 'Dr. Rosa Quill', ...AUSTIN })
    await createProvider(site.db, { name: 'Dr. Gone', address: '9 Pike Street', status: 'f', ...DENVER })
    await createProvider(site.db, { name: 'Dr. Nowhere' })
    const page = await site.open('/admin', { staff: true })
    const scripts = () =>
      page.evaluate(
        () => performance.getEntriesByType('resource').filter(({ name }) => /map[^/]*\.js/.test(name)).length,
      )
    const tab = page.getByRole('tab', { name: 'Providers (3)' })
    await tab.waitFor()
    expect(await scripts()).toBe(0)
    await tab.click()
    await expect.poll(() => marks(page).count()).toBe(2)
    expect(await scripts()).toBeGreaterThan(0)

    await expect.poll(() => hasOutlines(page)).toBe(true)
    expect(await zooms(page)).toEqual([4])
    // To the nearest pixel, which is a tenth of a degree.
    const container = map(page).locator('.leaflet-container')
    const { latitude, longitude } = await middleOf(container, 4)
    expect(Math.abs(latitude - 39.8)).toBeLessThan(0.1)
    expect(Math.abs(longitude + 98.6)).toBeLessThan(0.1)
    expect((await container.boundingBox())?.height).toBe(400)

    await page.getByAltText('Dr. Gone').press('Enter')
    await page.locator('.leaflet-popup').getByText('9 Pike Street', { exact: true }).waitFor()
    expect(await violations(page)).toEqual([])

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export Providers CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('providers.csv')
    expect((await linesOf(download)).map((line) => line.split(',')[2])).toEqual([
      'name',
      'Dr. Gone',
      'Dr. Nowhere',
      'Dr. Rosa Quill',
    ])
  })

  it('moves with the wheel, and its map does not', async () => {
    await site.reset()
    await createProvider(site.db, AUSTIN)
    const page = await site.open(TAB, { staff: true })
    await expect.poll(() => marks(page).count()).toBe(1)
    // Not so high that all of the page is in it.
    await page.setViewportSize({ width: 1440, height: 420 })
    await map(page).locator('.leaflet-container').hover()
    const scrolled = () => page.evaluate(() => window.scrollY)
    const before = await scrolled()
    await page.mouse.wheel(0, before > 0 ? -100 : 100)
    await expect.poll(scrolled).not.toBe(before)
    expect(await zooms(page)).toEqual([4])
  })

  it('can be used by everybody, whatever the names and the pictures', async () => {
    await site.reset()
    await createProvider(site.db, { name: 'Dr. Rosa Quill', image_url: '/art/map/pin.svg', ...AUSTIN })
    await createProvider(site.db, { name: 'Dr. Broken', image_url: '/api/no-picture' })
    await createProvider(site.db, {
      name: `Dr. ${'Longname '.repeat(12)}`,
      practice_name: `The ${'VeryLongWord'.repeat(8)} Practice`,
      website: 'quill.example',
      ...DENVER,
    })
    await createProvider(site.db, { practice_name: null, phone: null })
    const page = await site.open(TAB, { staff: true, expectErrors: /status of 404/ })
    await expect.poll(() => marks(page).count()).toBe(2)
    await rowOf(page, 'Dr. Rosa Quill').locator('img').waitFor()
    await rowOf(page, 'Dr. Broken').locator('svg[viewBox="0 0 44 44"]').waitFor()
    expect(await rowOf(page, 'Dr. Broken').locator('img').count()).toBe(0)
    await isUsableByEverybody(page, { name: 'providers tab' })
    await page.getByRole('button', { name: 'Rules... of Dr. Rosa Quill' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(/^A day/).waitFor()
    await page.setViewportSize({ width: 320, height: 800 })
    expect(await dialog.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    await isUsableByEverybody(page, { name: 'rules of a provider' })
  })

  it('shows ten thousand few at a time, finds one at once, and clusters them on the map', async () => {
    await site.reset()
    await seedNetwork(site.db, MANY)
    const page = await site.open(TAB, { staff: true })
    await page.getByRole('tab', { name: 'Providers (10000)' }).waitFor()
    await page.getByText('Page 1 of 500', { exact: true }).waitFor()
    expect((await names(page)).length).toBe(20)

    const search = page.getByRole('searchbox', { name: 'Search providers' })
    await search.pressSequentially('clinic9999@')
    await expect.poll(() => names(page)).toEqual(['Dr. Test 9999'])
    expect(await search.inputValue()).toBe('clinic9999@')

    const clusters = map(page).getByRole('button', { name: /providers, zoom in/ })
    await expect.poll(() => clusters.count()).toBeGreaterThan(5)
    expect(await marks(page).count()).toBeLessThan(150)
  })
})

async function linesOf(download: { createReadStream(): Promise<AsyncIterable<Buffer>> }): Promise<string[]> {
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk)
  return Buffer.concat(chunks).toString().trim().split('\r\n')
}

function list(page: Page): Locator {
  return page.getByRole('region', { name: 'Providers List' })
}

function map(page: Page): Locator {
  return page.getByRole('region', { name: 'Map View' })
}

function rowOf(page: Page, name: string): Locator {
  return list(page)
    .locator('tr[data-provider]')
    .filter({ has: page.getByText(name, { exact: true }) })
}

/** The names in the list, in its order. */
function names(page: Page): Promise<string[]> {
  return list(page).locator('tr[data-provider] p:first-child a').allTextContents()
}
