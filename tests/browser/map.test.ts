import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { MIDDLE_OF_US, OUTLINES, pixelOf } from '../../web/shared/map/view.ts'
import { createProvider } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import { watchShifts } from './inspect-page.ts'
import { AUSTIN, BLOCKED, DENVER, hasOutlines, pins, TILES, zooms } from './map-actions.ts'
import { holdCalls } from './page-actions.ts'

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
      expect(await zooms(page)).toEqual([4])
      expect(await page.getByText('Nowhere Clinic').count()).toBe(0)
    })

    it('is of use where no tile comes: outlines, pins and the list are ours', async () => {
      const page = await site.open('/terms', { expectErrors: BLOCKED })
      let refused = 0
      await page.route(TILES, (route) => {
        refused += 1
        return route.abort()
      })
      await page.goto('/map')
      await touch(page)
      await expect.poll(() => pins(page).count()).toBe(2)
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

    it('never loses the land when the map takes the place of its picture', async () => {
      const page = await site.open('/terms')
      const shapes = await holdCalls(page, /states-10m/)
      await page.goto('/map')
      await page.evaluate(() => {
        const lost: string[] = []
        Object.assign(window, { lost })
        const look = () => {
          const [picture, map] = ['svg image[href$="states.svg"]', '.leaflet-outlines-pane :is(img, canvas)'].map(
            (selector) => document.querySelector(selector),
          )
          if (!picture && !map) lost.push(document.querySelector('.leaflet-container')?.innerHTML ?? 'no map')
          requestAnimationFrame(look)
        }
        look()
      })
      await touch(page)
      await expect.poll(() => pins(page).count()).toBe(2)
      await expect.poll(shapes.calls).toBe(1)
      const picture = page.locator('.leaflet-outlines-pane img')
      const [box, map] = [await picture.boundingBox(), await page.locator('.leaflet-container').boundingBox()]
      expect(box?.width).toBeCloseTo(OUTLINES.width, -1)
      const fromMiddle = (box?.x ?? 0) - ((map?.x ?? 0) + (map?.width ?? 0) / 2)
      expect(fromMiddle, 'the place of the picture').toBeCloseTo(OUTLINES.x - pixelOf(MIDDLE_OF_US).x, -1)
      shapes.release()
      await expect.poll(() => hasOutlines(page)).toBe(true)
      expect(await picture.count()).toBe(0)
      expect(await page.evaluate(() => (window as unknown as { lost: string[] }).lost)).toEqual([])
    })

    it('needs neither mouse nor map: all can be reached by the keyboard', async () => {
      const page = await site.open('/map')
      await field(page).focus()
      await page.keyboard.type('78702-1234', { delay: 5 })
      await page.keyboard.press('Enter')
      await page.getByText(/^\d+\.\d miles from Austin, TX 78702$/).waitFor()
      expect(new URL(page.url()).search).toBe('?zip=78702')

      await page.getByRole('link', { name: 'Skip to the list' }).press('Enter')
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('clinic-list')
      await page.getByRole('button', { name: /Show on map.*Quill Clinic/ }).press('Enter')
      await page.locator('.leaflet-popup').getByRole('link', { name: 'Visit Website' }).waitFor()
      expect(new URL(page.url()).searchParams.get('provider')).toBe(String(quill))
      await pins(page).first().focus()
      await page.keyboard.press('Escape')
      await page.locator('.leaflet-popup').waitFor({ state: 'detached' })
      expect(new URL(page.url()).searchParams.get('provider')).toBeNull()
    })

    it('is shared by its address, and leaves with one step back', async () => {
      const page = await site.open('/terms')
      await page.goto(`/map?place=Austin,+TX&free=1&provider=${quill}`)
      await page.getByRole('heading', { name: 'Nearest to Austin, TX' }).waitFor()
      await page.locator('.leaflet-popup').getByText('Dr. Rosa Quill').waitFor()
      expect(await page.getByRole('checkbox', { name: /Free consultation/ }).isChecked()).toBe(true)
      await field(page).fill('denver')
      await page.getByRole('option', { name: /^Denver, CO/ }).click()
      await page.getByRole('heading', { name: 'Nearest to Denver, CO' }).waitFor()
      await page.goBack()
      expect(new URL(page.url()).pathname).toBe('/terms')
    })

    it('shows what is within 50 miles of a place, and no more of the map than that', async () => {
      const { id } = await createProvider(site.db, {
        latitude: 29.42,
        longitude: -98.49,
        practice_name: 'Alamo Clinic',
      })
      const page = await site.open('/map?zip=78704')
      await page.getByText('1 clinic within 50 miles').waitFor()
      await page.getByRole('heading', { name: 'Alamo Clinic' }).waitFor()
      await expect.poll(() => zooms(page)).toEqual([11])
      await page.locator('.leaflet-container').getByText('Austin, TX 78704').waitFor()
      await page.locator('.leaflet-container').getByText('3 mi', { exact: true }).waitFor()
      await site.db('providers').where({ id }).delete()
    })

    it('shows a phone the list in the first screen, and the map in its place, with whole popups', async () => {
      const page = await site.open('/map?zip=78704', { width: 390, context: { hasTouch: true } })
      const request = page.getByRole('link', { name: /^Request consultation/ }).first()
      const box = await request.boundingBox()
      expect(box && box.y + box.height, 'the end of the first button').toBeLessThan(844)
      for (const link of await page.locator('#clinic-list a, #clinic-list button').all()) {
        expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(44)
      }
      expect(await page.locator('.leaflet-container').count()).toBe(0)

      const show = page.getByRole('button', { name: /Show on map.*Quill Clinic/ })
      await show.tap()
      const popup = page.locator('.leaflet-popup')
      await popup.getByText('Dr. Rosa Quill').waitFor()
      const inside = () =>
        page.evaluate(() => {
          const of = (selector: string) => document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect()
          const [map, popup] = [of('.leaflet-container'), of('.leaflet-popup')]
          return popup.top >= map.top && popup.left >= map.left && popup.right <= map.right
        })
      await expect.poll(inside).toBe(true)
      expect((await page.getByRole('button', { name: 'Zoom in' }).boundingBox())?.height).toBeGreaterThanOrEqual(44)
      expect(await page.getByRole('radio', { name: 'Map' }).isChecked()).toBe(true)

      await page.getByRole('radio', { name: 'Map' }).press('ArrowLeft')
      await page.getByRole('heading', { name: 'Quill Clinic' }).waitFor()
      expect(await page.locator('.leaflet-container').isVisible()).toBe(false)
    })

    it('brings the map to life that was chosen before any script ran', async () => {
      const page = await site.open('/terms', { width: 390 })
      await page.route(/assets\/main/, async (route) => {
        await page.getByText('Map', { exact: true }).click()
        await route.continue()
      })
      await page.goto('/map', { waitUntil: 'commit' })
      await expect.poll(() => pins(page).count()).toBe(2)
    })

    it('does not move while it loads', async () => {
      for (const width of [390, 1440]) {
        const page = await site.open('/terms', { width })
        const shifts = await watchShifts(page)
        await page.goto('/map')
        await touch(page)
        if (width === 1440) await expect.poll(() => pins(page).count()).toBe(2)
        await page.getByText('Quill Clinic').first().waitFor()
        expect(await shifts(), `at ${width} px`).toBeLessThanOrEqual(0.02)
      }
    })

    it('answers a search without JavaScript', async () => {
      const page = await site.open('/map', { context: { javaScriptEnabled: false } })
      await page.getByRole('heading', { name: 'Quill Clinic' }).waitFor()
      await field(page).fill('austin')
      await page.getByRole('checkbox', { name: /Financing/ }).check()
      await page.getByRole('button', { name: 'Search', exact: true }).click()
      await page.getByRole('heading', { name: 'Nearest to Austin, TX' }).waitFor()
      expect(new URL(page.url()).search).toBe('?q=austin&financing=1')
      await page.getByText('1 clinic within 50 miles').waitFor()
      expect(await page.getByText('Closed Clinic').count()).toBe(0)
      await field(page).fill('xanadu')
      await page.getByRole('button', { name: 'Search', exact: true }).click()
      await page.getByText('We do not know a place called “xanadu”.').waitFor()
    })
  },
  OWN_SITE,
)

const field = (page: Page) => page.getByRole('combobox', { name: 'Zip code or city' })

/** Brings the page to life, as any touch does. */
const touch = (page: Page) => page.mouse.move(200, 300)
