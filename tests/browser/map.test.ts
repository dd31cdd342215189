import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { createProvider } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import { watchShifts } from './inspect-page.ts'
import {
  AUSTIN,
  BLOCKED,
  boxOf,
  DENVER,
  download,
  hasOutlines,
  holdCalls,
  marks,
  pins,
  TILES,
  zooms,
} from './page-actions.ts'

// A site of its own: the API keeps the page of the map for a minute, maybe with the clinics of an earlier file.
const OWN_SITE = {}

describeInBrowser(
  'the map of the network',
  (site) => {
    let quill: number
    beforeAll(async () => {
      const { id } = await createProvider(site.db, {
        practice_name: 'Quill Clinic',
        name: 'Dr. Rosa Quill',
        address: '1 Main Street, Austin, TX 78701',
        ...AUSTIN,
        website: 'quill.example',
        accepts_free_consultation: true,
        accepts_financing: true,
      })
      quill = id
      await createProvider(site.db, { practice_name: 'Closed Clinic', ...DENVER, status: 'f' })
      await createProvider(site.db, { practice_name: 'Nowhere Clinic' })
    })

    it('begins where the visitor is, if the browser may say so, and with the country if not', async () => {
      const page = await site.open('/map', { context: { geolocation: AUSTIN, permissions: ['geolocation'] } })
      await page.getByTitle('Your Current Location').waitFor()
      await page
        .getByText(/miles from you$/)
        .first()
        .waitFor()
      await expect.poll(() => zooms(page)).toEqual([9])
      await page.getByText('© OpenStreetMap contributors').waitFor()

      await page.context().clearPermissions()
      await page.reload()
      await touch(page)
      await expect.poll(() => pins(page).count()).toBe(2)
      await expect.poll(() => zooms(page)).toEqual([4])
      // In the list, without a pin.
      await page.getByRole('heading', { name: 'Nowhere Clinic' }).waitFor()
    })

    it('is of use where no tile comes, and never loses the land while the outlines load', async () => {
      const page = await site.blank({ expectErrors: BLOCKED })
      const shapes = await holdCalls(page, /states-10m/)
      let refused = 0
      await page.route(TILES, (route) => {
        refused += 1
        return route.abort()
      })
      await page.goto('/map')
      await touch(page)
      await expect.poll(() => pins(page).count()).toBe(2)
      await expect.poll(shapes.calls).toBe(1)
      await page.locator('.leaflet-outlines-pane img').waitFor()
      shapes.release()
      await expect.poll(() => hasOutlines(page)).toBe(true)
      expect(refused).toBeGreaterThan(0)

      await page.getByRole('button', { name: /Show on map.*Quill Clinic/ }).click()
      await page.locator('.leaflet-popup').getByText('Dr. Rosa Quill').waitFor()
      await field(page).fill('80202')
      await page.getByRole('button', { name: 'Search', exact: true }).click()
      await page
        .getByText(/miles from Denver, CO 80202$/)
        .first()
        .waitFor()
    })

    it('does not move while it loads', async () => {
      const page = await site.blank()
      const shifts = await watchShifts(page)
      await page.goto('/map')
      await touch(page)
      await expect.poll(() => pins(page).count()).toBe(2)
      await expect.poll(() => hasOutlines(page)).toBe(true)
      expect(await shifts()).toBeLessThanOrEqual(0.02)
    })

    it('needs neither mouse nor map, is shared by its address, and is left with one step back', async () => {
      const page = await site.open('/terms')
      await page.goto(`/map?place=Austin,+TX&free=1&provider=${quill}`)
      await page.getByRole('heading', { name: 'Nearest to Austin, TX' }).waitFor()
      const popup = page.locator('.leaflet-popup')
      await popup.getByText('Dr. Rosa Quill').waitFor()
      await field(page).focus()
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type('78702-1234')
      await page.keyboard.press('Enter')
      await page
        .getByText(/^\d+\.\d miles from Austin, TX 78702$/)
        .first()
        .waitFor()
      expect(new URL(page.url()).searchParams.get('zip')).toBe('78702')
      await expect.poll(() => zooms(page)).toEqual([11])

      // Closed before the page has drawn the selection, the popup stays closed.
      await page.getByRole('button', { name: /Show on map.*Quill Clinic/ }).evaluate((button: HTMLElement) => {
        button.click()
        const link = document.querySelector('.leaflet-popup a')
        link?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
      })
      await popup.waitFor({ state: 'detached' })
      await expect.poll(() => new URL(page.url()).searchParams.get('provider')).toBeNull()

      await page.getByRole('link', { name: 'Skip to the list' }).press('Enter')
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('clinic-list')
      await page.getByRole('button', { name: /Show on map.*Quill Clinic/ }).press('Enter')
      await popup.getByRole('link', { name: 'Visit Website' }).waitFor()
      await expect.poll(() => new URL(page.url()).searchParams.get('provider')).toBe(String(quill))
      // Not on the pin, which is another one once the map has come to rest.
      await popup.getByRole('link', { name: 'Visit Website' }).press('Escape')
      await popup.waitFor({ state: 'detached' })
      await expect.poll(() => new URL(page.url()).searchParams.get('provider')).toBeNull()
      await page.goBack()
      expect(new URL(page.url()).pathname).toBe('/terms')
    })

    it('shows a phone the list in the first screen, and the map in its place, with whole popups', async () => {
      const page = await site.open('/map?zip=78704', { width: 390, context: { hasTouch: true } })
      const request = page.getByRole('link', { name: /^Request consultation/ }).first()
      expect((await boxOf(request)).bottom, 'the end of the first button').toBeLessThan(844)
      for (const link of await page.locator('#clinic-list a, #clinic-list button').all()) {
        expect((await boxOf(link)).height).toBeGreaterThanOrEqual(44)
      }
      expect(await page.locator('.leaflet-container').count()).toBe(0)

      await page.getByRole('button', { name: /Show on map.*Quill Clinic/ }).tap()
      const popup = page.locator('.leaflet-popup')
      await popup.getByText('Dr. Rosa Quill').waitFor()
      const map = page.locator('.leaflet-container')
      await expect.poll(async () => (await boxOf(popup)).top >= (await boxOf(map)).top).toBe(true)
      expect((await boxOf(page.getByRole('button', { name: 'Zoom in' }))).height).toBeGreaterThanOrEqual(44)
      await page.getByRole('radio', { name: 'Map' }).press('ArrowLeft')
      await page.getByRole('heading', { name: 'Quill Clinic' }).waitFor()
      expect(await map.isVisible()).toBe(false)
    })

    it('brings the map to life that was chosen before any script ran', async () => {
      const page = await site.blank({ width: 390 })
      await page.route(/assets\/main/, async (route) => {
        await page.getByText('Map', { exact: true }).click()
        await route.continue()
      })
      await page.goto('/map', { waitUntil: 'commit' })
      await expect.poll(() => pins(page).count()).toBe(2)
    })

    it('answers a search without JavaScript', async () => {
      const page = await site.open('/map', { context: { javaScriptEnabled: false } })
      await page.getByText('Without JavaScript the list follows your search', { exact: false }).waitFor()
      expect(await page.getByRole('button', { name: /Show on map|Use my location/ }).count()).toBe(0)
      await field(page).fill('austin')
      await page.getByRole('checkbox', { name: /Financing/ }).check()
      await page.getByRole('button', { name: 'Search', exact: true }).click()
      await page.getByRole('heading', { name: 'Nearest to Austin, TX' }).waitFor()
      expect(new URL(page.url()).search).toBe('?q=austin&financing=1')
      await page.getByText('1 clinic within 50 miles').waitFor()
      expect(await page.getByText('Closed Clinic').count()).toBe(0)
      await field(page).fill('xanadu')
      await page.getByRole('button', { name: 'Search', exact: true }).click()
      await page.getByText('We couldn’t find “xanadu”. Try a zip code, or a city and state.').waitFor()
    })

    it('is loaded in the dashboard by nobody who has not asked for it, beside providers who can be exported', async () => {
      const page = await site.open('/admin?tab=leads', { staff: true })
      const scripts = () =>
        page.evaluate(
          () => performance.getEntriesByType('resource').filter(({ name }) => /map[^/]*\.js/.test(name)).length,
        )
      const tab = page.getByRole('tab', { name: 'Providers (3)' })
      await tab.waitFor()
      await tab.click()
      const show = page.getByRole('button', { name: 'Show map' })
      await show.waitFor()
      expect(await scripts()).toBe(0)
      await show.click()
      await expect.poll(() => marks(page).count()).toBe(2)
      expect(await scripts()).toBeGreaterThan(0)
      await expect.poll(() => hasOutlines(page)).toBe(true)
      const { name, lines } = await download(page.getByRole('link', { name: 'Export Providers CSV' }))
      expect([name, lines.length]).toEqual(['providers.csv', 4])
    })
  },
  OWN_SITE,
)

const field = (page: Page) => page.getByRole('combobox', { name: 'Zip code or city' })
/** Brings the page to life, as any touch does. */
const touch = (page: Page) => page.mouse.move(200, 300)
