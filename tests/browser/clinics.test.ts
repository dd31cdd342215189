import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { brand } from '../../core/brand.ts'
import { createProvider } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import { AUSTIN, BLOCKED, DENVER, hasOutlines, marks, openNetwork, pins, TILES, zooms } from './map-actions.ts'
import { comesAlive, isInSight } from './page-actions.ts'

const SECTIONS = [
  'video-section',
  'key-points',
  'testimonials',
  'research',
  'provider-network',
  'what-is',
  'get-started',
  'special-offer',
  'faq',
  'provider-form',
]
const INACTIVE = '**/api/providers?status=inactive&view=points'
const PLAYER = new URL(brand.providerVideoUrl).origin

describeInBrowser('the page for clinics', (site) => {
  beforeAll(async () => {
    await createProvider(site.db, { practice_name: 'Quill Clinic', name: 'Dr. Rosa Quill', ...AUSTIN })
    await createProvider(site.db, { practice_name: 'Closed Clinic', ...DENVER, status: 'f' })
    await createProvider(site.db, { practice_name: 'Nowhere Clinic' })
  })

  it('has every section at its anchor, in order', async () => {
    const page = await site.open('/clinics')
    await comesAlive(page.getByRole('button', { name: /^Play video/ }))
    const ids = await page.locator('main section[id]').evaluateAll((sections) => sections.map(({ id }) => id))
    expect(ids).toEqual(SECTIONS)
    const tops = await page
      .locator('main section[id]')
      .evaluateAll((sections) => sections.map((section) => section.getBoundingClientRect().top))
    expect(tops).toEqual(tops.toSorted((a, b) => a - b))
  })

  it.each([
    ['Become a Provider', '#special-offer'],
    ['View Provider Map', '#provider-network'],
    ['Join the Network', '#special-offer'],
    ['Start Your Application', '#provider-form'],
    ['Apply Now', '#provider-form'],
  ])('leads with %s to %s', async (label, target) => {
    const page = await site.open('/clinics')
    await page.getByRole('main').getByRole('link', { name: label, exact: true }).first().click()
    await isInSight(page.locator(`${target} h2`))
    expect(await page.evaluate(() => `#${document.activeElement?.id}`)).toBe(target)
  })

  it.each(SECTIONS)('can be opened at #%s', async (anchor) => {
    const page = await site.open(`/clinics#${anchor}`)
    await isInSight(page.locator(`#${anchor} :is(h2, blockquote)`).first())
  })

  it('asks the video platform for nothing before somebody wants to see the film', async () => {
    const page = await site.open('/terms', { expectErrors: new RegExp(`foreign host: ${PLAYER}/`) })
    const asked: string[] = []
    await page.route(`${PLAYER}/**`, (route) => {
      asked.push(route.request().url())
      return route.fulfill({ contentType: 'text/html', body: '<title>Player</title>' })
    })
    await page.goto('/clinics')
    const play = page.getByRole('button', { name: /^Play video/ })
    await comesAlive(play)
    await play.scrollIntoViewIfNeeded()
    await page.waitForLoadState('networkidle')
    expect(asked).toEqual([])
    expect(await page.locator('iframe').count()).toBe(0)

    await play.press('Enter')
    await expect.poll(() => asked).toEqual([`${brand.providerVideoUrl}?autoplay=1`])
    const frame = page.locator('iframe')
    expect(await frame.getAttribute('title')).toBeTruthy()
    expect(await frame.evaluate((element) => element === document.activeElement)).toBe(true)
  })

  it('loads its map when somebody comes near, and counts those that are on it', async () => {
    const page = await site.open('/terms')
    const calls: string[] = []
    page.on('request', (request) => calls.push(request.url()))
    await page.goto('/clinics')
    await comesAlive(page.getByRole('button', { name: /^Play video/ }))
    await page.getByText('Loading provider map...').waitFor({ state: 'attached' })
    expect(calls.filter((url) => url.includes('/api/') || TILES.test(url))).toEqual([])

    const network = await openNetwork(page)
    await network.getByRole('status').getByText('2 certified providers', { exact: true }).waitFor()
    await expect.poll(() => pins(page).count()).toBe(2)
    const { height } = (await network.locator('.leaflet-container').boundingBox()) ?? {}
    expect(height).toBe(500)
    for (const sign of ['Certified Provider', 'Your Location']) {
      await network.getByRole('list', { name: 'Legend' }).getByText(sign, { exact: true }).waitFor()
    }
    await network.getByRole('heading', { name: 'Are you a healthcare provider?' }).waitFor()

    await pins(page).first().press('Enter')
    expect(await network.locator('.leaflet-popup-content').textContent()).toBe('Certified Provider')
    expect(await page.getByText(/Quill/).count()).toBe(0)
  })

  it('lets the mouse wheel scroll the page and not the map', async () => {
    const page = await site.open('/clinics')
    const network = await openNetwork(page)
    await expect.poll(() => pins(page).count()).toBe(2)
    await network.locator('.leaflet-container').hover()
    const before = await page.evaluate(() => window.scrollY)
    await page.mouse.wheel(0, -300)
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeLessThan(before)
    expect(await zooms(page)).toEqual([4])
  })

  it('shows the providers near the visitor, who says where that is', async () => {
    const page = await site.open('/clinics', { context: { geolocation: AUSTIN, permissions: ['geolocation'] } })
    const network = await openNetwork(page)
    await expect.poll(() => marks(page).count()).toBe(2)
    await network.getByRole('button', { name: 'Find Providers Near Me' }).click()
    await network.getByTitle('Your Location').waitFor()
    await expect.poll(() => zooms(page)).toEqual([8])
    await expect.poll(() => pins(page).count()).toBe(1)
  })

  it('only logs it when the visitor does not say so', async () => {
    const page = await site.open('/clinics')
    const network = await openNetwork(page)
    await expect.poll(() => pins(page).count()).toBe(2)
    const logged = page.waitForEvent('console', (message) => message.text().startsWith('No location: '))
    const words = await network.textContent()
    await network.getByRole('button', { name: 'Find Providers Near Me' }).click()
    await logged
    await expect.poll(() => network.textContent()).toBe(words)
    expect(await network.getByTitle('Your Location').count()).toBe(0)
    expect(await zooms(page)).toEqual([4])
    expect(await page.locator('[data-sonner-toast]').count()).toBe(0)
  })

  it('has its map where no tile comes', async () => {
    const page = await site.open('/terms', { expectErrors: BLOCKED })
    await page.route(TILES, (route) => route.abort())
    await page.goto('/clinics')
    await openNetwork(page)
    await expect.poll(() => pins(page).count()).toBe(2)
    await expect.poll(() => hasOutlines(page)).toBe(true)
  })

  it('shows and counts what it knows when one list fails, and tries again when asked', async () => {
    const page = await site.open('/terms', { expectErrors: /status of 500/ })
    await page.route(INACTIVE, (route) => route.fulfill({ status: 500, body: '' }))
    await page.goto('/clinics')
    const network = await openNetwork(page)
    await network.getByText('Failed to fetch inactive providers').waitFor()
    await network.getByText('1 certified provider', { exact: true }).waitFor()
    expect(await pins(page).count()).toBe(1)

    await page.unroute(INACTIVE)
    await network.getByRole('button', { name: 'Try again' }).click()
    await network.getByText('2 certified providers', { exact: true }).waitFor()
    await expect.poll(() => pins(page).count()).toBe(2)
    expect(await network.getByText('Failed to fetch').count()).toBe(0)
  })

  it('claims no number when both lists fail', async () => {
    const page = await site.open('/terms', { expectErrors: /status of 503/ })
    await page.route('**/api/providers?status=*&view=points', (route) => route.fulfill({ status: 503, body: '' }))
    await page.goto('/clinics')
    const network = await openNetwork(page)
    await network.getByText('Certified providers', { exact: true }).waitFor()
    await network.getByText('Failed to fetch active providers').waitFor()
    await expect.poll(() => hasOutlines(page)).toBe(true)
  })

  it('opens one answer at a time', async () => {
    const page = await site.open('/clinics')
    const questions = page.locator('#faq summary')
    await questions.nth(0).click()
    await questions.nth(1).click()
    expect(await openAnswers(page)).toBe(1)
    expect(await page.locator('#faq details').nth(1).getAttribute('open')).not.toBeNull()
  })
})

function openAnswers(page: Page): Promise<number> {
  return page.locator('#faq details[open]').count()
}
