import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { brand } from '../../core/brand/brand.ts'
import { createProvider } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import { chunk, focused } from './form-actions.ts'
import { movements } from './inspect-page.ts'
import { boxOf, comesAlive, holdCalls, isInSight } from './page-actions.ts'

const PHONE = { width: 390 }
const SECTIONS = [
  { item: 'How It Works', heading: 'How It Works' },
  { item: 'Results', heading: 'See Your Potential Results' },
  { item: 'FAQs', heading: 'Frequently Asked Questions' },
]

describeInBrowser('what is around every page', (site) => {
  beforeAll(async () => {
    await createProvider(site.db, { practice_name: 'Quill Clinic', domain: 'clinic.localhost' })
  })

  it('leads to the sections of the home page and to its form, from there and from another page', async () => {
    const page = await site.open('/terms')
    await headerLink(page, 'How It Works').click()
    await page.waitForURL(`${site.url}/#how-it-works`)
    await page.getByRole('button', { name: 'Get Started Now!' }).waitFor()
    await isInSight(page.getByRole('heading', { name: 'How It Works', exact: true }))

    await page.goto('/')
    await comesAlive(headerLink(page, 'FAQs'))
    for (const { item, heading } of SECTIONS) {
      await headerLink(page, item).click()
      await isInSight(page.getByRole('heading', { name: heading, exact: true }))
    }
    await headerLink(page, 'Find a Provider').click()
    await isInSight(page.locator('#lead-form-heading'))
    expect(page.url()).toBe(`${site.url}/`)

    await page.goto('/#faq')
    await isInSight(page.getByRole('heading', { name: 'Frequently Asked Questions' }))

    // Fonts that load late do not scroll back a visitor who has moved on.
    await page.goto('/terms')
    const fonts = await holdCalls(page, /\.woff2$/)
    await page.goto('/#faq', { waitUntil: 'commit' })
    await comesAlive(headerLink(page, 'FAQs'))
    await headerLink(page, 'Find a Provider').click()
    await isInSight(page.locator('#lead-form-heading'))
    fonts.release()
    await page.evaluate(() => document.fonts.ready.then(() => new Promise(requestAnimationFrame)))
    await isInSight(page.locator('#lead-form-heading'))
    expect(await focused(page)).toBe('first_name')

    await page.goto('/refunds')
    await bannerLink(page).click()
    await page.waitForURL(`${site.url}/#provider-form`)
    await page.locator('main form[novalidate]').waitFor()
    await isInSight(page.locator('#lead-form-heading'))
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).name)).toBe('first_name')
  })

  it.each([
    { from: '/terms', width: 390 },
    { from: '/terms', width: 1280 },
    { from: '/map', width: 390, only: 'banner' },
    { from: '/refunds', width: 1280 },
    { from: '/privacy', width: 390 },
  ])('leads to the form from $from at $width px, also when its code arrives late', async ({ from, width, only }) => {
    const page = await site.open(from, { width })
    const held = await holdCalls(page, chunk('lead-form'))
    const link = only ? bannerLink(page) : headerLink(page, 'Find a Provider')
    await comesAlive(link)
    await link.click()
    await page.waitForURL(`${site.url}/#provider-form`)
    await isInSight(page.locator('#lead-form-heading'))
    held.release()
    await page.locator('main form[novalidate]').waitFor()
    const belowHeader = async () => (await boxOf(page.locator('#provider-form'))).top
    await expect.poll(belowHeader).toBeGreaterThan(64)
    await expect.poll(belowHeader).toBeLessThan(100)
    await isInSight(page.locator('#lead-form-heading'))
  })

  it('does not scroll back a visitor who moved on while the code of the form was on its way', async () => {
    const page = await site.open('/privacy')
    const held = await holdCalls(page, chunk('lead-form'))
    await comesAlive(headerLink(page, 'Find a Provider'))
    await headerLink(page, 'Find a Provider').click()
    await isInSight(page.locator('#lead-form-heading'))
    await page.locator('#faq').waitFor({ state: 'attached' })
    await page.mouse.move(300, 500)
    await page.mouse.wheel(0, 1500)
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(1000)
    held.release()
    await page.locator('main form[novalidate]').waitFor({ state: 'attached' })
    expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(1000)
  })

  it('stays on the site of the clinic', async () => {
    const page = await site.open(site.urlOf('clinic.localhost', '/terms'))
    await headerLink(page, 'FAQs').click()
    await page.waitForURL(site.urlOf('clinic.localhost', '/#faq'))
    await page.getByRole('button', { name: 'Learn More!' }).waitFor()
    await isInSight(page.getByRole('heading', { name: 'Frequently Asked Questions' }))

    await page.goto(`${site.url}/?providerId=1`)
    await bannerLink(page).click()
    await isInSight(page.locator('#lead-form-heading'))
    expect(page.url()).toBe(`${site.url}/?providerId=1`)
  })

  it('has a menu on small screens, which gives the keyboard back and leads to sections and pages', async () => {
    const page = await site.open('/', PHONE)
    const menu = headerLink(page, 'How It Works')
    expect(await menu.isVisible()).toBe(false)
    await openMenu(page)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'hidden' })
    const toggle = page.getByRole('button', { name: 'Open menu' })
    expect(await toggle.evaluate((button) => button === document.activeElement)).toBe(true)

    for (const { item, heading } of SECTIONS.slice(1)) {
      await openMenu(page)
      expect(await movements(page)).toEqual([])
      await headerLink(page, item).click()
      await headerLink(page, item).waitFor({ state: 'hidden' })
      await isInSight(page.getByRole('heading', { name: heading, exact: true }))
    }
    await page.setViewportSize({ width: 1440, height: 900 })
    expect(await menu.isVisible()).toBe(true)
    expect(await toggle.isVisible()).toBe(false)
    await page.setViewportSize({ width: 390, height: 900 })

    await openMenu(page)
    await headerLink(page, 'Provider Map').click()
    await page.waitForURL(`${site.url}/map`)
    await headerLink(page, 'Find a Provider').waitFor({ state: 'detached' })
    expect(await page.getByRole('navigation', { name: 'Main' }).count()).toBe(0)
    await headerLink(page, `${brand.company} home`).click()
    await headerLink(page, 'Find a Provider').waitFor()
  })

  it('moves smoothly, but not for those who asked for less motion', async () => {
    const scrolling = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior)
    const page = await site.open('/', { context: { reducedMotion: 'no-preference' } })
    expect(await scrolling(page)).toBe('smooth')
    await page.emulateMedia({ reducedMotion: 'reduce' })
    expect(await scrolling(page)).toBe('auto')
  })
})

function bannerLink(page: Page): Locator {
  return page.getByRole('link', { name: 'NEW ... Increase Size! No Surgery. No Fillers. Just Results.' })
}

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
