import { beforeAll, expect, it } from 'vitest'
import { CONSENT } from '../../core/contract/consent.ts'
import { createProvider, leadForm } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import {
  boxOf,
  field,
  filledIn,
  fillIn,
  fillInPerson,
  focused,
  leadOf,
  mailTo,
  onHost,
  problemAt,
  submitButton,
} from './page-actions.ts'

const AUSTIN = { latitude: 30.27, longitude: -97.74 }
const NO_SUCH_ZIP = '00000'
/** The browser takes it, and the server does not. */
const REFUSED_EMAIL = 'jordan@visitors'
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

  it('lets a visitor read every page, open the questions, and find the form', async () => {
    const page = await open('/', { width: 390, expectErrors: /status of 404/ })
    for (const name of ['How It Works', 'Results', 'FAQs', 'Provider Map', 'Find a Provider']) {
      await page.getByRole('banner').getByRole('link', { name, exact: true }).waitFor()
    }
    const [question, other] = [page.locator('details').nth(0), page.locator('details').nth(1)]
    await question.locator('summary').click()
    expect(await question.locator('p').isVisible()).toBe(true)
    await other.locator('summary').click()
    expect(await other.locator('p').isVisible()).toBe(true)
    expect(await question.locator('p').isVisible()).toBe(false)

    for (const name of ['Terms and Conditions', 'Privacy Policy', 'Refund & Cancellation Policy']) {
      await page.getByRole('contentinfo').getByRole('link', { name }).click()
      await page.getByRole('heading', { level: 1, name: name.replace('&', 'and') }).waitFor()
    }
    await page.getByRole('link', { name: 'FAQs', exact: true }).click()
    await page.waitForURL(`${site.url}/#faq`)
    await page.getByRole('link', { name: 'Find a Provider', exact: true }).click()
    await page.waitForURL(`${site.url}/#provider-form`)
    expect(await submitButton(page).isVisible()).toBe(true)

    await page.goto('/success?providerId=999999')
    await page.getByText('Provider information not available.', { exact: true }).waitFor()
    expect(await page.getByText('Loading provider information...').isVisible()).toBe(false)
  })

  it('starts with the zip code at the top of a phone, which is answered in the second step', async () => {
    const page = await open('/', { width: 390 })
    const zip = page.getByLabel('Is there a clinic near you? Enter your zip code')
    const { top, bottom } = await boxOf(zip)
    expect([top > 0, bottom < 844]).toEqual([true, true])
    await zip.fill('78702')
    await page.getByRole('button', { name: 'Check my area' }).click()
    await page.waitForURL(`${site.url}/start?zip_code=78702`)
    await page.getByRole('heading', { name: 'Tell us about you' }).waitFor()
    await page.getByText(/^Yes\. .* from you, in Austin, TX\.$/).waitFor()
  })

  it('takes the form of the landing page, again after it was refused, and once when it is sent twice', async () => {
    const lead = leadForm({ first_name: 'Zoë "Z" & Sons' })
    const refused = { first_name: 'Zoë "Z" & <b>Sons</b>', zip_code: NO_SUCH_ZIP }
    const page = await open('/', { expectErrors: REFUSED })
    await fillIn(page, { ...lead, ...refused })
    await submitButton(page).click()
    await expect.poll(() => problemAt(field(page, 'Zip Code'))).toBe(ZIP_INVALID)
    const { acceptance_message, consent_version: _, ...typed } = lead
    expect(await filledIn(page)).toEqual({ ...typed, ...refused })
    expect(await page.locator('[aria-invalid="true"]').count()).toBe(1)
    await expect.poll(() => focused(page)).toBe('zip_code')

    await fillIn(page, lead)
    await page.getByRole('button', { name: 'Get Started Now!', exact: true }).click()
    await page.waitForURL(`${site.url}/success?providerId=${austin}`)
    const card = page.getByRole('region', { name: 'Provider Near You:' })
    await card.getByText('Dr. Rosa Quill', { exact: true }).waitFor()
    await card.getByRole('link', { name: '(512) 555-0177' }).waitFor()
    expect(await leadOf(site, lead)).toMatchObject({
      first_name: lead.first_name,
      provider_id: austin,
      match_kind: 'nearest',
      acceptance_message: CONSENT.form.wording,
      held_reason: null,
      consent: { wording_version: CONSENT.form.version },
    })
    await mailTo(site.smtp, lead.email)

    await page.goto('/')
    await fillIn(page, lead)
    await submitButton(page).click()
    await page.waitForURL(`${site.url}/success?providerId=${austin}`)
    await leadOf(site, lead)
  })

  it('keeps to the clinic of its host, also when the form was refused', async () => {
    const lead = leadForm()
    const page = await open(site.urlOf(HOST, '/'), {
      expectErrors: new RegExp(`${REFUSED.source}|${onHost(HOST).source}`),
    })
    await fillIn(page, { ...lead, zip_code: NO_SUCH_ZIP })
    await submitButton(page).click()
    await page.getByText(ZIP_INVALID).waitFor()
    await page.getByText('Submit the form to connect with Holt Clinic.', { exact: true }).waitFor()

    await field(page, 'Zip Code').fill(lead.zip_code)
    await submitButton(page).click()
    await page.waitForURL(`**/success?providerId=${denver}`)
    expect(new URL(page.url()).hostname).toBe(HOST)
    await page.getByRole('main').getByText('Holt Clinic', { exact: true }).waitFor()
    expect(await leadOf(site, lead)).toMatchObject({ provider_id: denver, match_kind: 'chosen' })
  })

  it.each([
    { form: 'the quiz', path: '/start', first: 'Continue', second: 'Continue', consent: CONSENT.form },
    {
      form: 'the finder',
      path: '/homev2',
      first: 'Find Providers',
      second: 'Find My Provider',
      consent: CONSENT.finder,
    },
  ])('goes with $form in two steps to the clinic that the address names', async ({ path, first, second, consent }) => {
    const lead = leadForm()
    const page = await open(`${path}?providerId=${denver}`, { expectErrors: REFUSED })
    const zip = page.getByLabel(/^zip code$/i)
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    await zip.fill('78702')
    await press(first)
    await page.getByText('78702', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Change zip code' }).click()
    // The finder takes any.
    if (path === '/start') {
      await zip.fill(NO_SUCH_ZIP)
      await press(first)
      await expect.poll(() => problemAt(zip)).toBe(ZIP_INVALID)
    }
    await zip.fill(lead.zip_code)
    await press(first)
    await fillInPerson(page, { ...lead, email: REFUSED_EMAIL })
    await press(second)

    await expect.poll(() => problemAt(field(page, 'Email'))).toBe('Invalid email format')
    expect(await zip.inputValue()).toBe(lead.zip_code)
    expect(await field(page, 'Last Name').inputValue()).toBe(lead.last_name)
    await field(page, 'Email').fill(lead.email)
    await press(second)
    await page.waitForURL(`${site.url}/success?providerId=${denver}`)
    expect(await leadOf(site, lead)).toMatchObject({
      zip_code: lead.zip_code,
      provider_id: denver,
      match_kind: 'chosen',
      consent: { wording: consent.wording, wording_version: consent.version },
    })
  })
})
