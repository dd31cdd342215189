import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { createProvider, leadForm } from '../support/factories.ts'
import { type BrowserSite, describeInBrowser } from './browser.ts'
import { CALL, fillInPerson, hostUrl, leadOf, onHost } from './form-actions.ts'
import { field, fillIn, submitButton, wake } from './page-actions.ts'

const HOST = 'clinic.localhost'
const TAGS = 'https://(www\\.googletagmanager\\.com|bat\\.bing\\.com)/'
const GOOGLE = 'https://www.googletagmanager.com/gtag/js?id=AW-123456789'
const MICROSOFT = 'https://bat.bing.com/bat.js'

describeInBrowser('what is measured', (site) => {
  let clinic: number
  let other: number
  beforeAll(async () => {
    await createProvider(site.db)
    const ids = { google_ads_id: 'AW-123456789/AbC', bing_ads_id: '98765432' }
    clinic = (await createProvider(site.db, { ...ids, domain: HOST, zip_code: '80202' })).id
    other = (await createProvider(site.db, { zip_code: '10001', google_ads_id: 'not an id' })).id
  })

  it.each([
    { form: 'the landing page', path: '/', button: 'Get Started Now!' },
    { form: 'the quiz', path: '/start?zip_code=78702', button: 'Continue' },
    { form: 'the finder', path: '/homev2?zip_code=78702', button: 'Find My Provider' },
  ])('is a sent form, told to the page itself and to nobody else: $form', async ({ path, button }) => {
    const lead = leadForm()
    const page = await site.open(path)
    await wake(page)
    expect(await page.evaluate(() => window.dataLayer)).toBeUndefined()
    if (path === '/') await field(page, 'Zip Code').fill(lead.zip_code)
    await fillInPerson(page, lead)
    await page.getByRole('button', { name: button, exact: true }).click()
    await page.waitForURL(/success/)
    const { id } = await leadOf(site, lead)
    expect(await page.evaluate(() => window.dataLayer)).toEqual([{ event: 'form_submit', value: 1, lead_id: id }])
  })

  it('is nothing when a form could not be sent', async () => {
    const page = await site.open('/', { expectErrors: /status of 500/ })
    await wake(page)
    await page.route(CALL, (route) => route.fulfill({ status: 500, body: '' }))
    await fillIn(page, leadForm())
    await submitButton(page).click()
    await page.getByText('500: Internal Server Error').waitFor()
    expect(await page.evaluate(() => window.dataLayer)).toBeUndefined()
  })

  describe('with the clinic’s advertising', () => {
    const ways = [
      { where: 'by its id', path: () => `/?providerId=${clinic}` },
      { where: 'on its host', path: () => hostUrl(site, HOST) },
    ]

    it.each(ways)('is asked first, and then a sent form is reported: $where', async ({ path }) => {
      const { page, loaded } = await openClinic(site, path())
      await page.getByText('Google and Microsoft would learn that a form was sent', { exact: false }).waitFor()
      await question(page).getByRole('button', { name: 'Allow', exact: true }).click()
      await question(page).waitFor({ state: 'detached' })
      expect(loaded).toEqual([])

      const { id } = await send(site, page)
      await expect.poll(() => loaded.toSorted()).toEqual([MICROSOFT, GOOGLE])
      const told = await page.evaluate(() => JSON.stringify([...(window.dataLayer ?? []), window.uetq]))
      expect(told).toContain(`"transaction_id":"${id}"`)
      expect(told).toContain('"send_to":"AW-123456789/AbC"')
      expect(await page.evaluate(() => (window as unknown as { tagsRun?: number }).tagsRun)).toBe(2)
    })

    it.each(['no answer', 'No, thanks'])('is nothing with %s', async (answer) => {
      const { page, loaded } = await openClinic(site, `/?providerId=${clinic}`)
      await question(page).waitFor()
      if (answer !== 'no answer') await question(page).getByRole('button', { name: answer, exact: true }).click()
      await send(site, page)
      await page.waitForLoadState('networkidle')
      expect(loaded).toEqual([])
    })

    it('is not asked again after either answer, and is asked by every clinic anew', async () => {
      const another = await createProvider(site.db, { google_ads_id: 'AW-999999999' })
      for (const answer of ['Allow', 'No, thanks']) {
        const { page } = await openClinic(site, `/?providerId=${clinic}`)
        await question(page).getByRole('button', { name: answer, exact: true }).click()
        await page.reload()
        await wake(page)
        expect(await question(page).count(), answer).toBe(0)

        await page.goto(`/?providerId=${another.id}`)
        await wake(page)
        await page.getByText('Google would learn that a form was sent', { exact: false }).waitFor()
      }
    })

    it('is not asked where there is nothing to measure', async () => {
      for (const path of ['/', `/?providerId=${other}`, '/start', '/success?noProvider=true']) {
        const page = await site.open(path)
        await page.mouse.move(10, 10)
        await page.waitForLoadState('networkidle')
        expect(await question(page).count(), path).toBe(0)
      }
    })

    it('is not asked of a browser that has refused already', async () => {
      const page = await site.open('/terms')
      await page.addInitScript(() => Object.defineProperty(navigator, 'globalPrivacyControl', { value: true }))
      await page.goto(`/?providerId=${clinic}`)
      await wake(page)
      expect(await question(page).count()).toBe(0)
    })

    it('needs hosts that the policy of no other page allows', async () => {
      const page = await site.open('/')
      const policyOf = async (path: string) => {
        const headers = (await page.request.get(path)).headers()
        return String(headers['content-security-policy'])
      }
      for (const path of ['/', '/start', '/homev2', '/terms', '/admin', `/?providerId=${other}`, '/no/such/page']) {
        expect(await policyOf(path), path).not.toMatch(/google|bing/)
      }
      expect(await policyOf(`/?providerId=${clinic}`)).toMatch(/script-src [^;]*googletagmanager\.com[^;]*;/)
      expect(await policyOf(`/?providerId=${clinic}`)).toMatch(/script-src [^;]*bat\.bing\.com[^;]*;/)
    })
  })

  it('is how a visitor came, first and last', async () => {
    const lead = leadForm()
    const page = await site.open('/terms?utm_source=first&utm_medium=mail&gclid=click-1&email=private@x.example')
    await page.goto('/?utm_source=last&msclkid=click-2', { referer: 'https://news.example/article?who=private' })
    await page.goto('/start')
    await page.goto('/')
    await wake(page)
    await fillIn(page, lead)
    await submitButton(page).click()
    await page.waitForURL(/success/)

    expect((await leadOf(site, lead)).attribution).toEqual({
      first: { landing_page: `${site.url}/terms`, utm_source: 'first', utm_medium: 'mail', gclid: 'click-1' },
      last: {
        landing_page: `${site.url}/`,
        // Browsers tell another site no more than the origin.
        referrer: expect.stringMatching(/^https:\/\/news\.example\/(article)?$/),
        utm_source: 'last',
        msclkid: 'click-2',
      },
    })
  })

  it.each(['/', '/start?zip_code=78702'])('is whether a program has filled the form in: %s', async (path) => {
    const lead = leadForm()
    const page = await site.open(path)
    await wake(page)
    await page.evaluate(() => {
      const trap = document.querySelector<HTMLInputElement>('input[name="topic"]')
      if (trap) trap.value = 'cheap watches'
    })
    if (path === '/') await field(page, 'Zip Code').fill(lead.zip_code)
    await fillInPerson(page, lead)
    await page.locator('main form button[type="submit"]').click()

    await page.waitForURL(`${site.url}/success?noProvider=true`)
    const { id, held_reason } = await leadOf(site, lead)
    expect(held_reason).toBe('honeypot')
    expect(await site.db('jobs').where('lead_id', id).whereIn('purpose', ['provider', 'visitor'])).toEqual([])
    expect(site.smtp.mails.filter(({ recipients }) => recipients.includes(lead.email))).toEqual([])
  })
})

function question(page: Page) {
  return page.getByRole('complementary', { name: 'Measuring advertising' })
}

/** A clinic's page, and the foreign scripts that it loads: these are answered here, and only say that they were run. */
async function openClinic(site: BrowserSite, path: string) {
  const page = await site.open(path, { expectErrors: new RegExp(`^foreign host: ${TAGS}|${onHost(HOST).source}`) })
  const loaded: string[] = []
  await page.route(new RegExp(`^${TAGS}`), (route) => {
    loaded.push(route.request().url())
    return route.fulfill({ contentType: 'text/javascript', body: 'window.tagsRun = (window.tagsRun ?? 0) + 1' })
  })
  await wake(page)
  return { page, loaded }
}

async function send(site: BrowserSite, page: Page) {
  const lead = leadForm()
  await fillIn(page, lead)
  await submitButton(page).click()
  await page.waitForURL(/success/)
  return leadOf(site, lead)
}
