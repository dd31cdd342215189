import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { CONSENT } from '../../core/contract/consent.ts'
import { createProvider, leadForm } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import { fillInPerson, focused, hostUrl, leadOf, leadsOf, onHost, problemAt, problemAtField } from './form-actions.ts'
import { field, filledIn, fillIn, mailTo, submitButton } from './page-actions.ts'

const AUSTIN = { latitude: 30.27, longitude: -97.74 }
const FARAWAY = '99901' // Ketchikan, Alaska
const NO_SUCH_ZIP = '00000'
const ZIP_INVALID = 'Please enter a valid 5-digit zip code'
const REFUSED = /status of 422/
const HOST = 'clinic.localhost'

describeInBrowser('without JavaScript', (site) => {
  let austin: number
  let denver: number
  beforeAll(async () => {
    austin = (await createProvider(site.db, { name: 'Dr. Rosa Quill', phone: '(512) 555-0177', ...AUSTIN })).id
    denver = (await createProvider(site.db, { practice_name: 'Holt Clinic', zip_code: '80202', domain: HOST })).id
  })

  const open = (path: string, { width = 1440, expectErrors }: { width?: number; expectErrors?: RegExp } = {}) =>
    site.open(path, { width, expectErrors, context: { javaScriptEnabled: false } })

  describe('a visitor', () => {
    it('reads the whole landing page, and opens the questions', async () => {
      const page = await open('/')
      for (const name of ['How It Works', 'Results', 'FAQs', 'Provider Map', 'Find a Provider']) {
        await page.getByRole('link', { name, exact: true }).waitFor()
      }
      for (const text of ['Limited Spots Available!', 'Frequently Asked Questions', 'See Your Potential Results']) {
        await page.getByText(text, { exact: true }).waitFor()
      }
      const [question, other] = [page.locator('details').nth(0), page.locator('details').nth(1)]
      await question.locator('summary').click()
      expect(await question.locator('p').isVisible()).toBe(true)
      await other.locator('summary').click()
      expect(await other.locator('p').isVisible()).toBe(true)
      expect(await question.locator('p').isVisible()).toBe(false)
    })

    it('sees where the clinics are', async () => {
      const page = await open('/map')
      await page.getByRole('img', { name: 'Map of certified providers' }).waitFor()
      expect(await page.locator('[data-mark]').count()).toBe(1)
      await page.getByText('The list of providers needs JavaScript.').waitFor()
      expect(await page.getByText('Loading providers...').isVisible()).toBe(false)
    })

    it.each([390, 1440])('comes to the sections and to the form by the links (%i px)', async (width) => {
      const page = await open('/terms', { width })
      await page.getByRole('link', { name: 'FAQs', exact: true }).click()
      await page.waitForURL(`${site.url}/#faq`)
      await page.getByRole('link', { name: 'Find a Provider', exact: true }).click()
      await page.waitForURL(`${site.url}/#provider-form`)
      expect(await submitButton(page).isVisible()).toBe(true)
    })

    it.each(['Terms and Conditions', 'Privacy Policy', 'Refund & Cancellation Policy'])(
      'reads the %s',
      async (name) => {
        const page = await open('/')
        await page.getByRole('contentinfo').getByRole('link', { name }).click()
        await page
          .getByRole('heading', { level: 1, name: name.replace('& ', '') })
          .or(page.getByRole('heading', { level: 1, name }))
          .waitFor()
      },
    )

    it('is told that a page does not exist', async () => {
      const page = await open('/no/such/page', { expectErrors: /status of 404/ })
      await page.getByRole('heading', { name: 'Page Not Found', exact: true }).waitFor()
    })
  })

  describe('the form of the landing page', () => {
    it('leads to the thank-you page, with the provider', async () => {
      const lead = leadForm()
      const page = await open('/')
      await fillIn(page, lead)
      await page.getByRole('button', { name: 'Get Started Now!', exact: true }).click()

      await page.waitForURL(`${site.url}/success?providerId=${austin}`)
      const card = page.getByRole('region', { name: 'Provider Near You:' })
      await card.getByText('Dr. Rosa Quill', { exact: true }).waitFor()
      await card.getByRole('link', { name: '(512) 555-0177' }).waitFor()
      expect(await leadOf(site, lead)).toMatchObject({
        provider_id: austin,
        match_kind: 'nearest',
        acceptance_message: CONSENT.form.wording,
        held_reason: null,
        consent: { wording_version: CONSENT.form.version },
      })
      await mailTo(site.smtp, lead.email)
    })

    it('says when nobody is in reach', async () => {
      const lead = leadForm({ zip_code: FARAWAY })
      const page = await open('/')
      await fillIn(page, lead)
      await submitButton(page).click()
      await page.waitForURL(`${site.url}/success?noProvider=true`)
      await page.getByText('No Provider Found Yet', { exact: true }).waitFor()
      expect(await leadOf(site, lead)).toMatchObject({ provider_id: null })
    })

    it('comes back with what was typed and what is wrong, and can be mended', async () => {
      const lead = leadForm({ first_name: 'Zoë "Z" & <b>Sons</b>' })
      const page = await open('/', { expectErrors: REFUSED })
      await fillIn(page, { ...lead, zip_code: NO_SUCH_ZIP })
      await submitButton(page).click()

      await expect.poll(() => problemAtField(page, 'Zip Code')).toBe(ZIP_INVALID)
      const { acceptance_message, ...typed } = lead
      expect(await filledIn(page)).toEqual({ ...typed, zip_code: NO_SUCH_ZIP })
      expect(await page.locator('[aria-invalid="true"]').count()).toBe(1)
      await expect.poll(() => focused(page)).toBe('zip_code')

      await field(page, 'Zip Code').fill(lead.zip_code)
      await submitButton(page).click()
      await page.waitForURL(`${site.url}/success?providerId=${austin}`)
      expect(await leadOf(site, lead)).toMatchObject({ first_name: lead.first_name })
    })

    it('comes back when we cannot take it, and works when it is sent again', async () => {
      const lead = leadForm()
      const page = await open('/', { expectErrors: /status of 503/ })
      await fillIn(page, lead)
      site.gateway.block()
      try {
        await submitButton(page).click()
        await page
          .getByRole('alert')
          .getByText('We cannot save anything right now. Please try again in a moment.')
          .waitFor()
      } finally {
        site.gateway.unblock()
      }
      await submitButton(page).click()
      await page.waitForURL(`${site.url}/success?providerId=${austin}`)
      await leadOf(site, lead)
    })

    it('makes one lead when it is sent again after going back', async () => {
      const lead = leadForm()
      const page = await open('/')
      await fillIn(page, lead)
      await submitButton(page).click()
      await page.waitForURL(/success/)
      await page.goBack()
      await fillIn(page, lead)
      await submitButton(page).click()
      await page.waitForURL(`${site.url}/success?providerId=${austin}`)
      expect(await leadsOf(site, lead)).toHaveLength(1)
    })
  })

  describe('the form of a provider', () => {
    it.each([
      { where: 'by id', path: () => `/?providerId=${denver}` },
      { where: 'by id on /microsite', path: () => `/microsite?providerId=${denver}` },
      { where: 'on its host', path: () => hostUrl(site, HOST) },
    ])('keeps to that provider, also when it was refused: $where', async ({ path }) => {
      const lead = leadForm()
      const page = await open(path(), { expectErrors: new RegExp(`${REFUSED.source}|${onHost(HOST).source}`) })
      await fillIn(page, { ...lead, zip_code: NO_SUCH_ZIP })
      await submitButton(page).click()
      await page.getByText(ZIP_INVALID).waitFor()
      await page.getByText('Submit the form to connect with Holt Clinic.', { exact: true }).waitFor()

      await field(page, 'Zip Code').fill(lead.zip_code)
      await submitButton(page).click()
      await page.waitForURL(`**/success?providerId=${denver}`)
      expect(new URL(page.url()).host).toBe(new URL(path(), site.url).host)
      await page.getByText('Holt Clinic', { exact: true }).waitFor()
      expect(await leadOf(site, lead)).toMatchObject({ provider_id: denver, match_kind: 'chosen' })
    })
  })

  describe.each([
    {
      form: 'the quiz',
      path: '/start',
      label: 'Zip Code',
      first: 'Continue',
      second: 'Continue',
      heading: 'Tell us about you',
      consent: CONSENT.form,
    },
    {
      form: 'the finder',
      path: '/homev2',
      label: 'ZIP Code',
      first: 'Find Providers',
      second: 'Find My Provider',
      heading: 'Complete Your Information',
      consent: CONSENT.finder,
    },
  ])('$form', ({ path, label, first, second, heading, consent }) => {
    const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
    const toSecondStep = async (page: Page, zip: string) => {
      await page.getByLabel(label, { exact: true }).fill(zip)
      await button(page, first).click()
      await page.getByRole('heading', { name: heading, exact: true }).waitFor()
    }

    it('goes in two steps to the thank-you page', async () => {
      const lead = leadForm()
      const page = await open(path)
      await toSecondStep(page, lead.zip_code)
      await page.getByText(lead.zip_code, { exact: true }).waitFor()
      await fillInPerson(page, lead)
      await button(page, second).click()

      await page.waitForURL(`${site.url}/success?providerId=${austin}`)
      expect(await leadOf(site, lead)).toMatchObject({
        zip_code: lead.zip_code,
        provider_id: austin,
        consent: { wording: consent.wording, wording_version: consent.version },
      })
    })

    it('keeps the provider from step to step', async () => {
      const lead = leadForm()
      const page = await open(`${path}?providerId=${denver}`)
      await toSecondStep(page, lead.zip_code)
      await fillInPerson(page, lead)
      await button(page, second).click()
      await page.waitForURL(`${site.url}/success?providerId=${denver}`)
      expect(await leadOf(site, lead)).toMatchObject({ provider_id: denver, match_kind: 'chosen' })
    })

    it('comes back with all that was typed when the zip code is refused, and can be mended', async () => {
      const lead = leadForm()
      const page = await open(path, { expectErrors: REFUSED })
      await toSecondStep(page, NO_SUCH_ZIP)
      await fillInPerson(page, lead)
      await button(page, second).click()

      await expect.poll(() => problemAt(page.getByLabel(/^zip code$/i))).toBe(ZIP_INVALID)
      const { acceptance_message, ...typed } = lead
      await page.getByRole('heading', { name: heading, exact: true }).waitFor()
      expect(await filledIn(page)).toEqual({ ...typed, zip_code: NO_SUCH_ZIP })

      await page.getByLabel(/^zip code$/i).fill(lead.zip_code)
      await button(page, second).click()
      await page.waitForURL(`${site.url}/success?providerId=${austin}`)
      expect(await leadOf(site, lead)).toMatchObject({ zip_code: lead.zip_code })
    })

    it('leads back to the zip code', async () => {
      const page = await open(path)
      await toSecondStep(page, '78702')
      await page.getByRole('link', { name: 'Change zip code' }).click()
      await button(page, first).waitFor()
    })
  })

  it('says in the first step of the quiz what is no zip code', async () => {
    const page = await open('/start')
    await field(page, 'Zip Code').fill('787')
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect.poll(() => problemAtField(page, 'Zip Code')).toBe(ZIP_INVALID)
    expect(await field(page, 'Zip Code').inputValue()).toBe('787')
  })
})
