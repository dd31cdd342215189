import { beforeAll, expect, it } from 'vitest'
import { createProvider } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import { AUSTIN, BLOCKED, DENVER, hasOutlines, pins, TILES, zooms } from './map-actions.ts'

describeInBrowser('the map of the network', (site) => {
  beforeAll(async () => {
    await createProvider(site.db, {
      practice_name: 'Quill Clinic',
      name: 'Dr. Rosa Quill',
      ...AUSTIN,
      website: 'quill.example',
    })
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
    const asked = page.waitForRequest(TILES)
    await page.reload()
    expect((await asked).headers().referer, 'what the servers of tiles want to know').toBe(`${site.url}/map`)
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
    await expect.poll(() => pins(page).count()).toBe(2)
    await expect.poll(() => hasOutlines(page)).toBe(true)
    expect(refused).toBeGreaterThan(0)

    await page.getByRole('button', { name: /Show on map.*Quill Clinic/ }).click()
    await expect.poll(() => pins(page).count()).toBe(1)
    await pins(page).press('Enter')
    await page.locator('.leaflet-popup').getByText('Dr. Rosa Quill').waitFor()
    await page.getByLabel('Zip Code').fill('80202')
    await page.getByRole('button', { name: 'Search' }).click()
    await page
      .getByText(/miles from Denver, CO 80202$/)
      .first()
      .waitFor()
  })

  it('needs neither mouse nor map: all can be reached by the keyboard', async () => {
    const page = await site.open('/map')
    await expect.poll(() => pins(page).count()).toBe(2)
    await page.getByLabel('Zip Code').fill('78702-1234')
    await page.getByLabel('Zip Code').press('Enter')
    await page.getByText(/^\d+\.\d miles from Austin, TX 78702$/).waitFor()
    await page.getByRole('button', { name: /Show on map.*Quill Clinic/ }).press('Enter')
    await expect.poll(() => pins(page).count()).toBe(1)
    await pins(page).press('Enter')
    await page.getByRole('link', { name: 'Visit Website' }).first().waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.leaflet-popup').waitFor({ state: 'detached' })
  })
})
