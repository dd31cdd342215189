import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { brand } from '../../core/brand.ts'
import { createProvider } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import { movements } from './inspect-page.ts'
import { comesAlive, isInSight } from './page-actions.ts'

const NOT_FOUND = /status of 404/
const PHONE = { width: 390 }
const SECTIONS = [
  { item: 'How It Works', anchor: 'how-it-works', heading: 'How It Works' },
  { item: 'Results', anchor: 'size-calculator', heading: 'See Your Potential Results' },
  { item: 'FAQs', anchor: 'faq', heading: 'Frequently Asked Questions' },
]

describeInBrowser('what is around every page', (site) => {
  beforeAll(async () => {
    await createProvider(site.db, {
      practice_name: 'Quill Clinic',
      domain: 'clinic.localhost',
      logo_url: '/demo/logo-austin.svg',
    })
    await createProvider(site.db, { logo_url: '/demo/gone.svg' })
    await createProvider(site.db)
  })

  describe('the banner', () => {
    it.each(['/', '/?providerId=1', '/terms'])('leads from %s to the form', async (path) => {
      const page = await site.open(path, PHONE)
      await page.getByRole('link', { name: 'NEW ... Increase Size! No Surgery. No Fillers. Just Results.' }).click()
      await page.getByRole('button', { name: /^(Get Started Now|Learn More)!$/ }).waitFor()
      await isInSight(page.locator('#lead-form-heading'))
      await page.keyboard.press('Tab')
      expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).name)).toBe('first_name')
    })
  })

  describe('the navigation', () => {
    it.each(['/', '/?providerId=1'])('leads on %s to its sections, and to the form', async (path) => {
      const page = await site.open(path)
      await comesAlive(headerLink(page, 'FAQs'))
      for (const { item, heading } of SECTIONS) {
        await headerLink(page, item).click()
        await isInSight(page.getByRole('heading', { name: heading, exact: true }))
      }
      await headerLink(page, 'Find a Provider').click()
      await isInSight(page.locator('#lead-form-heading'))
      expect(page.url()).toBe(site.url + path)
    })

    it.each(SECTIONS)('leads from another page to $item', async ({ item, anchor, heading }) => {
      const page = await site.open('/terms')
      await headerLink(page, item).click()
      await page.waitForURL(`${site.url}/#${anchor}`)
      await page.getByRole('button', { name: 'Get Started Now!' }).waitFor()
      await isInSight(page.getByRole('heading', { name: heading, exact: true }))
    })

    it("leads from another page of a clinic's site to its own sections", async () => {
      const page = await site.open(site.urlOf('clinic.localhost', '/terms'))
      await headerLink(page, 'FAQs').click()
      await page.waitForURL(site.urlOf('clinic.localhost', '/#faq'))
      await page.getByRole('button', { name: 'Learn More!' }).waitFor()
      await isInSight(page.getByRole('heading', { name: 'Frequently Asked Questions' }))
    })

    it('leads straight to the section of an address that is opened', async () => {
      const page = await site.open('/#faq')
      await isInSight(page.getByRole('heading', { name: 'Frequently Asked Questions' }))
    })

    it('leads to the map, where it is not', async () => {
      const page = await site.open('/')
      await headerLink(page, 'Provider Map').click()
      await page.waitForURL(`${site.url}/map`)
      await headerLink(page, 'Find a Provider').waitFor({ state: 'detached' })
      expect(await page.getByRole('navigation', { name: 'Main' }).count()).toBe(0)
      expect(await page.getByRole('button', { name: 'Open menu' }).count()).toBe(0)
      await headerLink(page, `${brand.company} home`).click()
      await headerLink(page, 'Provider Map').waitFor()
    })
  })

  describe('the menu of small screens', () => {
    it('opens and closes with its button, with Escape, and with a press elsewhere', async () => {
      const page = await site.open('/', PHONE)
      const menu = headerLink(page, 'How It Works')
      expect(await menu.isVisible()).toBe(false)

      await openMenu(page)
      await page.getByRole('button', { name: 'Close menu' }).click()
      await menu.waitFor({ state: 'hidden' })

      await openMenu(page)
      await page.keyboard.press('Tab')
      await page.keyboard.press('Escape')
      await menu.waitFor({ state: 'hidden' })
      const toggle = page.getByRole('button', { name: 'Open menu' })
      expect(await toggle.evaluate((button) => button === document.activeElement)).toBe(true)
      expect(await toggle.getAttribute('aria-expanded')).toBe('false')

      await openMenu(page)
      await page.mouse.click(195, 880)
      await menu.waitFor({ state: 'hidden' })
    })

    it('closes when something is chosen', async () => {
      const page = await site.open('/', PHONE)
      for (const { item, heading } of SECTIONS) {
        await openMenu(page)
        await headerLink(page, item).click()
        await headerLink(page, item).waitFor({ state: 'hidden' })
        await isInSight(page.getByRole('heading', { name: heading, exact: true }))
      }

      await openMenu(page)
      await headerLink(page, 'Find a Provider').click()
      await headerLink(page, 'FAQs').waitFor({ state: 'hidden' })
      await isInSight(page.locator('#lead-form-heading'))

      await openMenu(page)
      await headerLink(page, 'Provider Map').click()
      await page.waitForURL(`${site.url}/map`)
    })

    it('is not there where there is room for the navigation', async () => {
      const page = await site.open('/')
      expect(await headerLink(page, 'How It Works').isVisible()).toBe(true)
      expect(await page.getByRole('button', { name: 'Open menu' }).count()).toBe(0)
    })
  })

  describe("the header's logo", () => {
    it.each(['/?providerId=1', '/success?providerId=1', '/privacy?providerId=1'])(
      "is the provider's on %s",
      async (path) => {
        const page = await site.open(path)
        await showsLogo(headerLink(page, 'Quill Clinic home'))
      },
    )

    it("is the provider's on the provider's host", async () => {
      const page = await site.open(site.urlOf('clinic.localhost', '/'))
      await showsLogo(headerLink(page, 'Quill Clinic home'))
      await headerLink(page, 'Quill Clinic home').click()
      await page.waitForURL(site.urlOf('clinic.localhost', '/'))
    })

    it.each([
      { whose: 'nobody', path: '/' },
      { whose: 'a provider without a logo', path: '/?providerId=3' },
      { whose: 'a provider whose logo is broken', path: '/?providerId=2' },
      { whose: 'an unknown provider', path: '/?providerId=999999' },
    ])('is our own for $whose', async ({ path }) => {
      const page = await site.open(path, { expectErrors: NOT_FOUND })
      const logo = headerLink(page, `${brand.company} home`)
      await logo.waitFor()
      expect(await logo.locator('img').count()).toBe(0)
    })
  })

  it('says in the footer whose site it is, in which year, and what it is not', async () => {
    const page = await site.open('/')
    const footer = page.getByRole('contentinfo')
    await page.clock.setFixedTime(new Date('2031-07-01T12:00:00Z'))
    await page.reload()
    await comesAlive(footer)
    await footer.getByText(`© 2031 ${brand.company}. All rights reserved.`, { exact: true }).waitFor()
    await footer.getByRole('link', { name: `${brand.company} home` }).waitFor()
    await footer.getByText(/Results vary .* not medical advice/).waitFor()
  })

  it('moves smoothly, but not for those who asked for less motion', async () => {
    const scrolling = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior)

    const lively = await site.open('/', { ...PHONE, context: { reducedMotion: 'no-preference' } })
    expect(await scrolling(lively)).toBe('smooth')
    const calm = await site.open('/', PHONE)
    expect(await scrolling(calm)).toBe('auto')
    await openMenu(calm)
    expect(await movements(calm)).toEqual([])
  })
})

function headerLink(page: Page, name: string): Locator {
  return page.getByRole('banner').getByRole('link', { name, exact: true })
}

async function openMenu(page: Page): Promise<void> {
  const toggle = page.getByRole('button', { name: 'Open menu' })
  await comesAlive(toggle)
  await toggle.click()
  await headerLink(page, 'How It Works').waitFor()
  expect(await page.getByRole('button', { name: 'Close menu' }).getAttribute('aria-expanded')).toBe('true')
}

async function showsLogo(link: Locator): Promise<void> {
  const image = link.locator('img')
  await expect.poll(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBeGreaterThan(0)
}
