import { beforeAll, expect, it } from 'vitest'
import { createProvider } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import { AUSTIN, BLOCKED, DENVER, hasOutlines, pins, TILES, zooms } from './map-actions.ts'

const INACTIVE = '**/api/providers?status=inactive&view=points'

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

  it('shows a pin for each provider that has coordinates, active or not, and lists them', async () => {
    const page = await site.open('/map')
    await page.getByRole('heading', { name: 'Provider Network', level: 1 }).waitFor()
    await expect.poll(() => pins(page).count()).toBe(2)
    const list = page.getByRole('region', { name: 'In this part of the map' })
    await list.getByRole('heading', { name: 'Quill Clinic' }).waitFor()
    await list.getByRole('heading', { name: 'Closed Clinic' }).waitFor()
    expect(await page.getByText('Nowhere Clinic').count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Find a Provider', exact: true }).getAttribute('href')).toBe('/')
    expect(await page.getByRole('link', { name: 'Become a Provider' }).getAttribute('href')).toBe('/clinics')
    expect(await page.getByRole('link', { name: 'Find Providers Near Me' }).getAttribute('href')).toBe('/')
  })

  it('says who a pin is', async () => {
    const page = await site.open('/map')
    await page.getByRole('button', { name: /Show on map.*Quill Clinic/ }).click()
    await expect.poll(() => pins(page).count()).toBe(1)
    await pins(page).press('Enter')
    const popup = page.locator('.leaflet-popup')
    await popup.getByText('Dr. Rosa Quill').waitFor()
    expect(await popup.getByRole('link', { name: 'Visit Website' }).getAttribute('href')).toBe('https://quill.example')
  })

  it('goes to a zip code and tells the distances from there', async () => {
    const page = await site.open('/map', { expectErrors: /status of 4(04|22)/ })
    await page.getByLabel('Zip Code').fill('00000')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByText('Please enter a valid 5-digit zip code').waitFor()
    await page.getByLabel('Zip Code').fill('78702-1234')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByText(/^\d+\.\d miles from Austin, TX 78702$/).waitFor()
  })

  it('begins where the visitor is, if the browser may say so', async () => {
    const page = await site.open('/map', { context: { geolocation: AUSTIN, permissions: ['geolocation'] } })
    await page.getByTitle('Your Current Location').waitFor()
    await page
      .getByText(/miles from you$/)
      .first()
      .waitFor()
    await expect.poll(() => zooms(page)).toEqual([9])
  })

  it('stays with the country when the visitor refuses to say where that is, and says so to nobody', async () => {
    const page = await site.open('/map')
    await expect.poll(() => pins(page).count()).toBe(2)
    const logged = page.waitForEvent('console', (message) => message.text().startsWith('No location: '))
    await page.getByRole('button', { name: 'Use my location' }).click()
    await logged
    await expect.poll(() => page.getByRole('button', { name: 'Use my location' }).isEnabled()).toBe(true)
    expect(await page.getByTitle('Your Current Location').count()).toBe(0)
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(await zooms(page)).toEqual([4])
    expect(await pins(page).count()).toBe(2)
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

  it('names the source of its tiles, and asks for them with a referrer, as their servers want', async () => {
    const page = await site.open('/terms')
    const asked = page.waitForRequest(TILES)
    await page.goto('/map')
    expect((await asked).headers().referer).toBe(`${site.url}/map`)
    await page.getByText('© OpenStreetMap contributors').waitFor()
  })

  it('needs neither mouse nor map: all can be reached by the keyboard', async () => {
    const page = await site.open('/map')
    await expect.poll(() => pins(page).count()).toBe(2)
    await page.getByLabel('Zip Code').fill('78702')
    await page.getByLabel('Zip Code').press('Enter')
    await page
      .getByText(/miles from Austin, TX 78702$/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: /Show on map.*Quill Clinic/ }).press('Enter')
    await expect.poll(() => pins(page).count()).toBe(1)
    await pins(page).press('Enter')
    await page.getByRole('link', { name: 'Visit Website' }).first().waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.leaflet-popup').waitFor({ state: 'detached' })
  })

  it('shows what it knows when one list fails, and tries again when asked', async () => {
    const page = await site.open('/terms', { expectErrors: /status of 500/ })
    await page.route(INACTIVE, (route) => route.fulfill({ status: 500, body: '' }))
    await page.goto('/map')
    await page.getByRole('alert').getByText('Failed to fetch inactive providers').waitFor()
    await expect.poll(() => pins(page).count()).toBe(1)
    await page.unroute(INACTIVE)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => pins(page).count()).toBe(2)
    expect(await page.getByRole('alert').count()).toBe(0)
  })
})
