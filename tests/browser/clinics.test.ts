import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { brand } from '../../core/brand/brand.ts'
import { createProvider } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import { chunk } from './form-actions.ts'
import { AUSTIN, DENVER, marks, openNetwork, pins, TILES, zooms } from './map-actions.ts'
import { comesAlive, holdCalls, isInSight } from './page-actions.ts'

const LINKS = [
  ['Become a Provider', '#special-offer'],
  ['View Provider Map', '#provider-network'],
  ['Start Your Application', '#provider-form'],
] as const
const PLAYER = new URL(brand.providerVideoUrl).origin

describeInBrowser('the page for clinics', (site) => {
  beforeAll(async () => {
    await createProvider(site.db, { practice_name: 'Quill Clinic', name: 'Dr. Rosa Quill', ...AUSTIN })
    await createProvider(site.db, { practice_name: 'Closed Clinic', ...DENVER, status: 'f' })
    await createProvider(site.db, { practice_name: 'Nowhere Clinic' })
  })

  it('leads to its sections from its links and from an address', async () => {
    const page = await site.open('/clinics')
    await comesAlive(page.getByRole('button', { name: /^Play video/ }))
    const tops = await page
      .locator('main section[id]')
      .evaluateAll((sections) => sections.map((section) => section.getBoundingClientRect().top))
    expect(tops).toEqual(tops.toSorted((a, b) => a - b))

    for (const [label, target] of LINKS) {
      await page.evaluate(() => window.scrollTo(0, 0))
      await page.getByRole('main').getByRole('link', { name: label, exact: true }).first().click()
      await isInSight(page.locator(`${target} h2`))
      expect(await page.evaluate(() => `#${document.activeElement?.id}`)).toBe(target)
    }

    for (const anchor of ['video-section', 'testimonials', 'provider-network', 'special-offer', 'provider-form']) {
      await page.goto('/terms')
      await page.goto(`/clinics#${anchor}`)
      await isInSight(page.locator(`#${anchor} :is(h2, blockquote)`).first())
    }
  })

  it('has its own navigation, and leads to its form from the header, and on a phone from every screen', async () => {
    const page = await site.open('/clinics')
    await comesAlive(page.getByRole('button', { name: /^Play video/ }))
    const header = page.getByRole('banner')
    for (const [label, target] of [
      ['Reasons', '#key-points'],
      ['Research', '#research'],
      ['Offer', '#special-offer'],
      ['FAQ', '#faq'],
      ['Apply Now', '#provider-form'],
    ] as const) {
      await header.getByRole('link', { name: label, exact: true }).click()
      await isInSight(page.locator(`${target} h2`))
      expect(await page.evaluate(() => `#${document.activeElement?.id}`)).toBe(target)
    }
    expect(await header.getByRole('link').allTextContents()).toHaveLength(6)
    expect(await applyBar(page).isVisible()).toBe(false)

    await page.setViewportSize({ width: 390, height: 844 })
    await page.evaluate(() => {
      document.documentElement.dataset.whole = ''
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    })
    for (const place of ['main h1', '#video-section', '#research', '#faq']) {
      await page.evaluate((selector) => document.querySelector(selector)?.scrollIntoView({ block: 'start' }), place)
      await expect.poll(() => bottomOf(page), { message: place }).toBe(844)
    }
    await applyBar(page).click()
    await isInSight(page.locator('#provider-form h2'))
    await expect.poll(() => bottomOf(page)).toBeLessThan(200)
  })

  it('leaves the room of "Apply Now" to a field that is typed into, and to what the keyboard is at', async () => {
    const page = await site.open('/clinics', { width: 390 })
    await comesAlive(page.getByRole('heading', { level: 1 }))
    expect(await applyBar(page).isVisible()).toBe(true)
    await page.getByLabel('Your Name').click()
    expect(await applyBar(page).isVisible()).toBe(false)
    await page.getByLabel('Your Name').blur()
    expect(await applyBar(page).isVisible()).toBe(true)
    await page.getByRole('main').getByRole('link', { name: 'View Provider Map' }).focus()
    await page.keyboard.press('Tab')
    expect(await applyBar(page).isVisible()).toBe(false)
  })

  it('takes three fields at the top, and goes on in the whole form, also before it is alive', async () => {
    const page = await site.open('/clinics', { width: 390 })
    await page.getByLabel('Your Name').fill('Dr. Ines Calloway')
    await page.getByLabel('Your Email').fill('ines@clinics.example')
    await page.getByLabel('Practice Zip Code').fill('78701')
    await page.getByRole('button', { name: 'Continue' }).click()
    const form = page.getByRole('form', { name: 'Provider application' })
    await expect.poll(() => form.getByLabel('Zip Code').inputValue()).toBe('78701')
    expect(await form.getByLabel('Name', { exact: true }).inputValue()).toBe('Dr. Ines Calloway')
    expect(await form.getByLabel('Email', { exact: true }).inputValue()).toBe('ines@clinics.example')
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('practice_name')
    await isInSight(form.getByLabel('Practice Name'))
    expect(page.url()).not.toMatch(/ines|78701/)
  })

  it.each([
    { what: 'without JavaScript', isWithout: true },
    { what: 'while no script has come', scripts: /\.js$/ },
    { what: 'when a script takes too long', scripts: chunk('site') },
  ])(
    'carries the three fields to the whole form $what, and puts no personal data into an address',
    async ({ isWithout, scripts }) => {
      const page = await site.open('/terms', { width: 390, context: { javaScriptEnabled: !isWithout } })
      const addresses: string[] = []
      page.on('request', (request) => addresses.push(request.url()))
      const held = scripts && (await holdCalls(page, scripts))
      await page.goto('/clinics', { waitUntil: 'commit' })
      await page.getByLabel('Your Name').fill('Dr. Ines "Zoë" Calloway')
      await page.getByLabel('Your Email').fill('ines@clinics.example')
      await page.getByLabel('Practice Zip Code').fill('78701')
      await page.getByRole('button', { name: 'Continue' }).click()
      const form = page.getByRole('form', { name: 'Provider application' })
      await expect.poll(() => form.getByLabel('Zip Code').inputValue()).toBe('78701')
      expect(await form.getByLabel('Name', { exact: true }).inputValue()).toBe('Dr. Ines "Zoë" Calloway')
      expect(await form.getByLabel('Email', { exact: true }).inputValue()).toBe('ines@clinics.example')
      expect(await page.locator('[aria-invalid="true"]').count()).toBe(0)
      await isInSight(form.getByLabel('Practice Name'))
      expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('practice_name')
      expect(addresses.filter((address) => /calloway|ines|78701/i.test(address))).toEqual([])
      expect(await site.db('provider_applications')).toEqual([])

      held?.release()
      if (isWithout) return
      await expect.poll(() => page.url()).toBe(`${site.url}/clinics`)
      await comesAlive(form)
      expect(await form.getByLabel('Name', { exact: true }).inputValue()).toBe('Dr. Ines "Zoë" Calloway')
    },
  )

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

  it('loads its map when somebody comes near, and leaves the mouse wheel to the page', async () => {
    const page = await site.open('/terms')
    const calls: string[] = []
    page.on('request', (request) => calls.push(request.url()))
    await page.goto('/clinics')
    await comesAlive(page.getByRole('button', { name: /^Play video/ }))
    await page.getByText('Loading provider map...').waitFor({ state: 'attached' })
    expect(calls.filter((url) => url.includes('/api/') || TILES.test(url))).toEqual([])

    const network = await openNetwork(page)
    await network.getByRole('status').getByText('1 certified provider', { exact: true }).waitFor()
    await expect.poll(() => pins(page).count()).toBe(2)
    const { height } = (await network.locator('.leaflet-container').boundingBox()) ?? {}
    expect(height).toBe(500)

    await network.locator('.leaflet-container').hover()
    const before = await page.evaluate(() => window.scrollY)
    await page.mouse.wheel(0, -300)
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeLessThan(before)
    expect(await zooms(page)).toEqual([4])

    await page.locator('img.leaflet-marker-icon[src$="/pin.svg"]').press('Enter')
    expect(await network.locator('.leaflet-popup-content').textContent()).toBe('Certified Provider')
    expect(await page.getByText(/Quill/).count()).toBe(0)
  })

  it('shows the providers near the visitor, who says where that is, and one answer at a time', async () => {
    const page = await site.open('/clinics', { context: { geolocation: AUSTIN, permissions: ['geolocation'] } })
    const network = await openNetwork(page)
    await expect.poll(() => marks(page).count()).toBe(2)
    await network.getByRole('button', { name: 'Find Providers Near Me' }).click()
    await network.getByTitle('Your Location').waitFor()
    await expect.poll(() => zooms(page)).toEqual([8])
    await expect.poll(() => pins(page).count()).toBe(1)

    const questions = page.locator('#faq summary')
    await questions.nth(0).click()
    await questions.nth(1).click()
    expect(await page.locator('#faq details[open]').count()).toBe(1)
    expect(await page.locator('#faq details').nth(1).getAttribute('open')).not.toBeNull()
  })
})

function applyBar(page: Page) {
  return page.locator('[data-apply]')
}

/** The bottom of the bar with "Apply Now", in pixels below the top of the window. */
function bottomOf(page: Page): Promise<number> {
  return page.evaluate(() => document.querySelector('[data-apply]')?.parentElement?.getBoundingClientRect().bottom ?? 0)
}
