import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { createProvider, leadForm } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import { isUsableByEverybody } from './inspect-page.ts'
import { fillIn, isInSight, leadOf, mailTo, onHost, wake } from './page-actions.ts'

const HOST = 'clinic.localhost'
const CLINIC_EMAIL = 'quill@clinics.example'
const TAGS = 'https://(www\\.googletagmanager\\.com|bat\\.bing\\.com)/'

describeInBrowser('a provider’s site', (site) => {
  let clinic: number
  let home: string
  beforeAll(async () => {
    const far = { zip_code: '80202', latitude: 39.75, longitude: -104.99, email: CLINIC_EMAIL, domain: HOST }
    const offers = { practice_name: 'Quill Clinic', accepts_free_consultation: true, accepts_financing: true }
    const measured = { google_ads_id: 'AW-123456789/AbC', bing_ads_id: '98765432' }
    clinic = (await createProvider(site.db, { ...far, ...offers, ...measured })).id
    home = site.urlOf(HOST, '/')
  })

  const question = (page: Page) => page.getByRole('complementary', { name: 'Ad measurement' })

  /** Answers calls to advertisers by a script that says that it ran. @returns the addresses that were asked */
  async function standInForTags(page: Page): Promise<string[]> {
    const loaded: string[] = []
    await page.route(new RegExp(`^${TAGS}`), (route) => {
      loaded.push(route.request().url())
      return route.fulfill({ contentType: 'text/javascript', body: 'window.tagsRun = (window.tagsRun ?? 0) + 1' })
    })
    return loaded
  }

  it('is on its host, sends its leads to it, however far, with how the visitor came, and measures a sent form, if allowed', async () => {
    const lead = leadForm()
    const page = await site.blank({
      width: 390,
      expectErrors: new RegExp(`^foreign host: ${TAGS}|${onHost(HOST).source}`),
    })
    const calls: string[] = []
    page.on('request', (request) => calls.push(new URL(request.url()).pathname))
    const loaded = await standInForTags(page)
    await page.goto(`${home}?utm_source=mail&gclid=click-1&email=private@x.example`)
    for (const text of ['Quill Clinic', 'Denver, CO']) {
      await isInSight(page.getByRole('main').getByText(text, { exact: true }).first())
    }
    await page.getByText('Submit the form to connect with Quill Clinic.', { exact: true }).waitFor()
    await wake(page)
    // The server has told whose page it is.
    expect(calls.filter((path) => path.startsWith('/api/'))).toEqual([])
    await isUsableByEverybody(page, 'the question about ads')
    await question(page).getByRole('button', { name: 'Allow', exact: true }).click()
    await question(page).waitFor({ state: 'detached' })
    expect(loaded).toEqual([])

    const plans = page.getByRole('region', { name: 'Affordable, Flexible Payment Plans' })
    await plans.getByRole('link', { name: 'Schedule Free Consultation', exact: true }).click()
    await isInSight(page.locator('#lead-form-heading'))
    await fillIn(page, lead)
    await page.getByRole('button', { name: 'Learn More!', exact: true }).click()
    await page.waitForURL(`${home}success?providerId=${clinic}`)
    const { reference, ...stored } = await leadOf(site, lead)
    const touch = { landing_page: home, utm_source: 'mail', network: 'google' }
    expect(stored).toMatchObject({
      ...{ provider_id: clinic, match_kind: 'chosen', held_reason: null, attribution: { first: touch, last: touch } },
    })
    await expect
      .poll(() => loaded.toSorted())
      .toEqual(['https://bat.bing.com/bat.js', 'https://www.googletagmanager.com/gtag/js?id=AW-123456789'])
    // The page's Content-Security-Policy has let both run.
    await expect.poll(() => page.evaluate(() => (window as unknown as { tagsRun?: number }).tagsRun)).toBe(2)
    const measured = await page.evaluate(() => JSON.stringify([...(window.dataLayer ?? []), window.uetq]))
    expect(measured).toContain(`"transaction_id":"${reference}"`)
    expect(measured).toContain('"send_to":"AW-123456789/AbC"')
    await mailTo(site.smtp, CLINIC_EMAIL)
  })

  it('covers no focus by its question about ads in a window as low as at a zoom of 400%', async () => {
    const page = await site.open(`/microsite?providerId=${clinic}`, { width: 320 })
    await page.setViewportSize({ width: 320, height: 256 })
    await wake(page)
    await question(page).waitFor()
    const opacity = () =>
      question(page).evaluate(({ parentElement }) => Number(getComputedStyle(parentElement as Element).opacity))
    expect(await opacity()).toBe(1)
    await page.getByLabel('Zip Code').focus()
    await page.keyboard.press('Tab')
    expect(await page.getByRole('checkbox', { name: /^I consent/ }).evaluate(isOnTop)).toBe(true)
    expect(await opacity()).toBe(0)
    await question(page).getByRole('button', { name: 'Allow' }).focus()
    expect(await opacity()).toBe(1)
  })
})

/** Whether nothing lies above the middle of an element. */
function isOnTop(element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect()
  return document.elementFromPoint(left + width / 2, top + height / 2) === element
}
