import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { waitFor } from '../support/wait.ts'
import { describeInBrowser } from './browser.ts'
import { marks, openNetwork, pins, seedNetwork } from './map-actions.ts'

/** More than that many marks bring a phone to a stop. */
const MOST_MARKS = 150
const MANY = 10_000
const WIDTHS = [390, 1440]

describeInBrowser('the maps, whatever the size of the network', (site) => {
  describe('without a provider', () => {
    beforeAll(() => seedNetwork(site.db, 0))

    it('says so on the map of the network', async () => {
      const page = await site.open('/map')
      await page.getByText('No provider in this part of the map.').waitFor()
      expect(await marks(page).count()).toBe(0)
      await page.getByLabel('Zip Code').fill('78702')
      await page.getByRole('button', { name: 'Search' }).click()
      await page.getByText('No provider in this part of the map.').waitFor()
    })

    it('says so on the page for clinics', async () => {
      const network = await openNetwork(await site.open('/clinics'))
      await network.getByRole('status').getByText('0 certified providers', { exact: true }).waitFor()
      expect(await marks(network.page()).count()).toBe(0)
    })
  })

  describe('with one', () => {
    beforeAll(() => seedNetwork(site.db, 1))

    it('shows it on the map of the network', async () => {
      const page = await site.open('/map')
      await expect.poll(() => pins(page).count()).toBe(1)
      await expect.poll(() => listed(page).count()).toBe(1)
    })

    it('counts it on the page for clinics, without its name', async () => {
      const network = await openNetwork(await site.open('/clinics'))
      await network.getByRole('status').getByText('1 certified provider', { exact: true }).waitFor()
      await pins(network.page()).press('Enter')
      expect(await network.locator('.leaflet-popup-content').textContent()).toBe('Certified Provider')
    })
  })

  describe('with ten thousand', () => {
    beforeAll(() => seedNetwork(site.db, MANY))

    it.each(WIDTHS)('shows clusters that fall apart into pins, few marks at a time, at %d px', async (width) => {
      const page = await site.open('/map', { width })
      await showsClusters(page)
      await expect.poll(() => listed(page).count()).toBe(20)
      await page
        .getByRole('button', { name: /^Show on map/ })
        .first()
        .waitFor()

      for (let zoomed = 0; (await pins(page).count()) === 0; zoomed++) {
        expect(zoomed, 'zooms before there is a pin').toBeLessThan(10)
        await page.getByRole('button', { name: 'Zoom in', exact: true }).click()
        await settled(page)
        expect(await marks(page).count()).toBeLessThanOrEqual(MOST_MARKS)
      }
      await expect.poll(() => listed(page).count()).toBeGreaterThan(0)
    })

    it('finds the nearest of them by zip code', async () => {
      const page = await site.open('/map')
      await showsClusters(page)
      await page.getByLabel('Zip Code').fill('67201')
      await page.getByRole('button', { name: 'Search' }).click()
      const nearest = page.getByText(/^[\d.]+ miles from Wichita, KS 67201$/)
      // Entries come as they are loaded, and the map may still be on its way.
      const miles = await waitFor('the distances of all that are listed', async () => {
        const distances = (await nearest.allTextContents()).map(Number.parseFloat)
        return distances.length >= 5 && distances.length === (await listed(page).count()) && distances
      })
      expect(miles).toEqual(miles.toSorted((a, b) => a - b))
      expect(await marks(page).count()).toBeLessThanOrEqual(MOST_MARKS)
    })

    it.each(WIDTHS)('counts and clusters them on the page for clinics, at %d px', async (width) => {
      const page = await site.open('/clinics', { width })
      const network = await openNetwork(page)
      await network.getByRole('status').getByText('10,000 certified providers', { exact: true }).waitFor()
      await showsClusters(page)
    })

    it.each(['mouse', 'keyboard'])('zooms into a cluster that is chosen by %s', async (way) => {
      const page = await site.open('/map')
      await showsClusters(page)
      const before = await largestCluster(page)
      const cluster = page.getByRole('button', { name: `${before} providers, zoom in`, exact: true }).first()
      if (way === 'mouse') await cluster.click()
      else await cluster.press('Enter')
      await expect.poll(() => largestCluster(page)).toBeLessThan(before)
      const hasKeyboard = page.evaluate(() => Boolean(document.activeElement?.closest('.leaflet-container')))
      if (way === 'keyboard') expect(await hasKeyboard).toBe(true)
    })
  })
})

function listed(page: Page) {
  return page.getByRole('region', { name: 'In this part of the map' }).getByRole('listitem')
}

/** Waits until every provider is on the map, one way or another. */
async function showsClusters(page: Page): Promise<void> {
  await expect.poll(() => marks(page).count()).toBeGreaterThan(5)
  const count = await marks(page).count()
  expect(count).toBeLessThanOrEqual(MOST_MARKS)
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
