import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { createProvider, leadForm } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import { chunk, fillInPerson, focused } from './form-actions.ts'
import { boxOf, comesAlive, field, fillIn, holdCalls, seesToast, submitButton, wake } from './page-actions.ts'

const PHONE = 390
const TALLEST_PHONE = { width: PHONE, height: 844 }
const HEADER = 64
const NEAR = 'Austin, TX · certified clinic less than a mile away'
const NOBODY = 'Ketchikan, AK · No clinic within 100 miles yet; leave your details and we keep looking'

describeInBrowser('a visitor’s way to a sent form', (site) => {
  beforeAll(async () => {
    await createProvider(site.db, { zip_code: '78702' })
  })

  it.each([
    { path: '/', width: PHONE },
    { path: '/', width: 1440 },
    { path: '/start', width: PHONE },
    { path: '/homev2', width: 1440 },
  ])('is answered about the zip code on $path at $width px, and nothing moves', async ({ path, width }) => {
    const page = await site.open(path, { width, expectErrors: /status of 404/ })
    await wake(page)
    const zip = page.locator('#provider-form').getByLabel(/^zip code$/i)
    const bottom = async () => Math.round((await boxOf(page.locator('#provider-form'))).height)
    const before = await bottom()
    for (const [text, answer] of [
      ['78702', NEAR],
      ['99901', NOBODY],
      ['99949', 'We do not know this zip code. Please check it.'],
    ] as const) {
      await zip.fill(text)
      await page.locator('#provider-form [role="status"]').getByText(answer, { exact: true }).waitFor()
      expect(await bottom(), answer).toBe(before)
    }
  })

  it.each(['/', '/start'])('is answered about a zip code typed before the script of %s was there', async (path) => {
    const page = await site.open(path)
    const held = await holdCalls(page, chunk(path === '/' ? 'lead-form' : 'quiz'))
    const form = page.locator('#provider-form')
    await form.getByLabel('Zip Code', { exact: true }).focus()
    await page.keyboard.type('78702')
    await expect.poll(held.calls).toBeGreaterThan(0)
    held.release()
    await form.getByText(NEAR, { exact: true }).waitFor()
  })

  it('starts with the zip code at the top of a phone, without JavaScript, and is answered in the second step', async () => {
    const page = await site.open('/', { width: PHONE, context: { javaScriptEnabled: false } })
    const zip = page.getByLabel('Is a clinic near you? Your zip code')
    const { top, bottom } = await boxOf(zip)
    expect([top > 0, bottom < TALLEST_PHONE.height]).toEqual([true, true])
    await zip.fill('78702')
    await page.getByRole('button', { name: 'Check my area' }).click()
    await page.waitForURL(`${site.url}/start?zip_code=78702`)
    await page.getByRole('heading', { name: 'Tell us about you' }).waitFor()
    await page.getByText(NEAR, { exact: true }).waitFor()
  })

  it('takes what was typed along, but not the consent', async () => {
    const lead = leadForm()
    const page = await site.open('/', { width: PHONE })
    await wake(page)
    await fillIn(page, lead)
    const start = page.getByLabel('Is a clinic near you? Your zip code')
    await comesAlive(start)
    await start.fill('78704')
    await page.getByRole('button', { name: 'Check my area' }).click()
    await page.getByRole('heading', { name: 'Tell us about you' }).waitFor()
    expect(await field(page, 'First Name').inputValue()).toBe(lead.first_name)
    expect(await field(page, 'Phone').inputValue()).toBe(lead.phone)
    expect(await page.getByRole('checkbox').isChecked()).toBe(false)
    expect(page.url()).toBe(`${site.url}/start?zip_code=78704`)
    await page.reload()
    expect(await field(page, 'First Name').inputValue()).toBe('')
  })

  it.each([
    { path: '/', first: 'first_name' },
    { path: '/start?zip_code=78702', first: 'first_name' },
    { path: '/homev2?zip_code=78702', first: 'first_name' },
  ])('has the button of $path within a phone’s screen of the top of the form', async ({ path }) => {
    const page = await site.open(path, { width: PHONE })
    await page.setViewportSize(TALLEST_PHONE)
    await wake(page)
    const card = await boxOf(page.locator('#provider-form'))
    const button = await boxOf(submitButton(page))
    expect(button.bottom - card.top).toBeLessThanOrEqual(TALLEST_PHONE.height - HEADER)
    const [first, last] = [await boxOf(field(page, 'First Name')), await boxOf(field(page, 'Last Name'))]
    expect(first.top).toBe(last.top)
  })

  it.each([
    { path: '/start', width: PHONE, first: 'zip_code' },
    { path: '/homev2', width: 1440, first: 'zip_code' },
    { path: '/start?zip_code=78702', width: PHONE, first: 'first_name' },
    { path: '/', width: 1440, first: 'first_name' },
    { path: '/', width: PHONE, first: 'provider-form' },
  ])('stays on $path at $width px when it goes by header or banner, with $first in focus', async (way) => {
    const page = await site.open(way.path, { width: way.width })
    for (const link of ['Find a Provider', 'NEW ... Increase Size! No Surgery. No Fillers. Just Results.']) {
      await page.evaluate(() => (document.activeElement as HTMLElement).blur())
      await page.getByRole('link', { name: link }).click()
      await expect.poll(() => focused(page)).toBe(way.first)
      expect(page.url()).toBe(site.url + way.path)
    }
  })

  it('rings the form once where it was in sight before, but not for those who asked for less motion', async () => {
    const page = await site.open('/', { context: { reducedMotion: 'no-preference' } })
    const rings = () => page.evaluate(() => document.getElementById('provider-form')?.getAnimations().length)
    await page.clock.install()
    await page.getByRole('link', { name: 'Claim Your FREE Consultation' }).click()
    expect(await rings()).toBe(1)
    await expect.poll(rings).toBe(0)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.getByRole('link', { name: 'Claim Your FREE Consultation' }).click()
    expect(await rings()).toBe(0)
  })

  it('has toasts below the header of a phone, that cover neither the consent nor the button', async () => {
    const page = await site.open('/start?zip_code=78702', { width: PHONE })
    await page.setViewportSize(TALLEST_PHONE)
    await wake(page)
    await fillInPerson(page)
    await page.getByRole('checkbox').uncheck()
    await submitButton(page).click()
    await seesToast(page, 'Consent Required')
    const toast = await boxOf(page.locator('[data-sonner-toast][data-removed="false"]'))
    expect(toast.top).toBeGreaterThanOrEqual(HEADER)
    expect(await focused(page)).toBe('acceptance_consent')
    const consent = page.getByRole('checkbox')
    await expect.poll(async () => (await boxOf(consent)).top).toBeGreaterThan(toast.bottom)
    expect((await boxOf(submitButton(page))).top).toBeGreaterThan(toast.bottom)
  })

  it('opens a policy from below the button, and comes back to the form', async () => {
    const page = await site.open('/start')
    await wake(page)
    const link = page.getByRole('main').getByRole('link', { name: 'Privacy Policy' })
    await comesAlive(page.getByRole('contentinfo').getByText('Privacy Policy'))
    await link.click()
    await page.getByRole('dialog', { name: 'Privacy Policy' }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => isFocused(page, 'Privacy Policy')).toBe(true)
    expect(page.url()).toBe(`${site.url}/start`)
  })
})

function isFocused(page: Page, text: string): Promise<boolean> {
  return page.evaluate((text) => document.activeElement?.textContent === text, text)
}
