import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { CONSENT } from '../../core/contract/consent.ts'
import { createProvider, leadForm } from '../support/factories.ts'
import { waitFor } from '../support/wait.ts'
import { type BrowserSite, describeInBrowser } from './browser.ts'
import {
  boxOf,
  CALL,
  field,
  filledIn,
  fillIn,
  fillInPerson,
  focused,
  holdCalls,
  leadOf,
  mailTo,
  seesToast,
  signIn,
  submitButton,
  wake,
} from './page-actions.ts'

const CLINIC_EMAIL = 'rosa@clinics.example'

describeInBrowser('a visitor', (site) => {
  let austin: number
  beforeAll(async () => {
    const clinic = { name: 'Dr. Rosa Quill', practice_name: 'Quill Clinic', email: CLINIC_EMAIL }
    const contact = { website: 'quill.example', phone: '(512) 555-0177', zip_code: '78702' }
    // Nobody agrees to be measured, and every call to another host fails the test.
    const measured = { google_ads_id: 'AW-123456789', bing_ads_id: '98765432' }
    austin = (await createProvider(site.db, { ...clinic, ...contact, ...measured })).id
  })

  it.each([
    { path: '/', width: 390 },
    { path: '/', width: 1280 },
    { path: '/start', width: 390 },
  ])('finds everything where it was when a zip code is answered: $path, $width px', async ({ path, width }) => {
    const page = await site.open(path, { context: { viewport: { width, height: 900 } } })
    await wake(page)
    const below = page
      .locator('#provider-form')
      .locator(path === '/' ? '[name="acceptance_consent"]' : '[type="submit"]')
    const placeOf = async () => (await boxOf(below)).top - (await boxOf(page.locator('#provider-form'))).top
    const before = await placeOf()
    for (const [zip, words] of [
      ['78702', /^Yes\. /],
      // The longest names of a place that is answered.
      ['92688', /^No clinic within 100 miles of Rancho Santa Margarita, CA yet\./],
    ] as const) {
      await page.locator('#provider-form [name="zip_code"]').fill(zip)
      await page.getByText(words).waitFor()
      expect(await placeOf(), zip).toBe(before)
    }
  })

  it('makes one lead of a double click: the clinic, the visitor and the CRM are told, and staff retry what failed', async () => {
    site.crm.answer({ status: 422 })
    const lead = leadForm({ last_name: 'Quillfeather' })
    const page = await openForm('/')
    const held = await holdCalls(page, CALL)
    await fillIn(page, lead)
    await submitButton(page).dblclick()
    await page.getByRole('button', { name: 'Wait! Submitting...', exact: true }).waitFor()
    held.release()

    await arrives(page)
    expect(held.calls()).toBe(1)
    await page
      .getByText("We've sent your contact info to the provider below—stay tuned for their call!", { exact: true })
      .waitFor()
    const card = page.getByRole('region', { name: 'Provider Near You:' })
    await card.getByText('Quill Clinic', { exact: true }).waitFor()
    expect(await card.getByRole('link', { name: 'Visit Website' }).getAttribute('href')).toBe('https://quill.example')

    const stored = await leadOf(site, lead)
    expect(stored).toMatchObject({
      first_name: lead.first_name,
      last_name: lead.last_name,
      phone: lead.phone,
      zip_code: lead.zip_code,
      provider_id: austin,
      match_kind: 'nearest',
      held_reason: null,
      consent: { wording: CONSENT.form.wording, wording_version: CONSENT.form.version, page_url: `${site.url}/` },
    })
    expect(await page.evaluate(() => window.dataLayer)).toEqual([
      { event: 'form_submit', value: 1, lead_id: Number(stored.reference) },
    ])
    const toClinic = await mailTo(site.smtp, CLINIC_EMAIL)
    expect(toClinic.text).toContain('Quillfeather')
    expect(toClinic.text).toContain(lead.phone)
    expect((await mailTo(site.smtp, lead.email)).text).toContain('Quill Clinic')

    const [staff, other] = [await site.open('/admin?tab=leads'), await site.open('/admin?tab=leads', { staff: true })]
    await signIn(staff)
    const rowIn = (at: Page) => at.getByRole('row').filter({ hasText: lead.email })
    await rowIn(staff).getByText('Failed', { exact: true }).waitFor()
    await rowIn(staff).getByRole('link').first().click()
    const panel = staff.getByRole('complementary')
    await panel.getByText('The CRM refused the lead: it answered 422.').waitFor()
    site.crm.answer({ status: 200 })
    await panel.getByRole('button', { name: 'Retry CRM Sync' }).click()
    for (const dashboard of [staff, other]) await rowIn(dashboard).getByText('Success', { exact: true }).waitFor()
    expect(await crmEvent(lead.email)).toMatchObject({
      type: 'lead.created',
      data: { lead: { id: stored.id }, provider: { id: austin } },
    })
  })

  it('keeps what was typed while the database is away or the answer is lost, and then makes one lead', async () => {
    const lead = leadForm()
    const page = await openForm('/', { expectErrors: /status of 503|ERR_CONNECTION_RESET/ })
    await fillIn(page, lead)
    const { acceptance_message, consent_version: _, ...typed } = lead

    site.gateway.block()
    try {
      await submitButton(page).click()
      await seesToast(page, 'Error', '503: We cannot save anything right now. Please try again in a moment.')
    } finally {
      site.gateway.unblock()
    }
    expect(await filledIn(page)).toEqual(typed)

    await page.route(CALL, async (route) => {
      await route.fetch()
      await route.abort('connectionreset')
    })
    await submitButton(page).click()
    await seesToast(page, 'Error', 'Failed to submit form. Please try again later.')
    await page.unroute(CALL)
    expect(await filledIn(page)).toEqual(typed)

    await submitButton(page).click()
    await arrives(page)
    await leadOf(site, lead)
    await mailTo(site.smtp, lead.email)
  })

  it('does everything with the keyboard', async () => {
    const lead = leadForm()
    const page = await site.open('/')
    const text = () => page.evaluate(() => document.activeElement?.textContent)
    const press = (key: string) => page.keyboard.press(key)

    await press('Tab')
    expect(await text()).toBe('Skip to content')
    await press('Enter')
    expect(await page.getByRole('form').count()).toBe(1)
    await press('Tab')
    expect(await text()).toBe('Claim Your FREE Consultation')
    await press('Enter')
    for (const value of [lead.first_name, lead.last_name, lead.email, lead.phone, lead.zip_code]) {
      await page.keyboard.type(value)
      await press('Tab')
    }
    await press('Space')
    expect(await filledIn(page)).toMatchObject({ last_name: lead.last_name, acceptance_consent: true })
    await press('Tab')
    await press('Enter')

    await arrives(page)
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
    await leadOf(site, lead)
  })

  it('is led through the quiz, through a reload and Back, to the nearest clinic', async () => {
    const lead = leadForm()
    const page = await openForm('/start?utm_source=news')
    const heading = (name: string) => page.getByRole('heading', { name, exact: true, level: 1 })

    await field(page, 'Zip Code').focus()
    await page.keyboard.type(lead.zip_code)
    await page.keyboard.press('Enter')
    await heading('Tell us about you').waitFor()
    await expect.poll(() => focused(page)).toBe('step-heading')

    await page.reload()
    await heading('Tell us about you').waitFor()
    await wake(page)
    await fillInPerson(page, lead)

    await page.goBack()
    await heading('Is there a provider near you?').waitFor()
    expect(await field(page, 'Zip Code').inputValue()).toBe(lead.zip_code)
    await expect.poll(() => focused(page)).toBe('step-heading')
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await heading('Tell us about you').waitFor()
    expect(await field(page, 'Last Name').inputValue()).toBe(lead.last_name)
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await arrives(page)
    expect(await leadOf(site, lead)).toMatchObject({
      zip_code: lead.zip_code,
      provider_id: austin,
      match_kind: 'nearest',
      held_reason: null,
      consent: { wording: CONSENT.form.wording, wording_version: CONSENT.form.version },
    })
    await mailTo(site.smtp, lead.email)
  })

  async function openForm(path: string, visitor?: Parameters<BrowserSite['open']>[1]) {
    const page = await site.open(path, visitor)
    await wake(page)
    return page
  }

  const arrives = (page: Page) => page.waitForURL(`${site.url}/success?providerId=${austin}`)

  const crmEvent = (email: string) =>
    waitFor('the CRM to be told', () => site.crm.events.find(({ data }) => data.lead.email === email))
})
