import { beforeAll, expect, it } from 'vitest'
import { CONSENT } from '../../core/contract/consent.ts'
import { createProvider, leadForm } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import { CALL, chunk, leadOf, leadsOf } from './form-actions.ts'
import { field, filledIn, fillIn, holdCalls, mailTo, seesToast, submitButton, wake } from './page-actions.ts'

const CLINIC_EMAIL = 'lead-form@clinics.example'

describeInBrowser('the lead form', (site) => {
  let clinic: number
  beforeAll(async () => {
    clinic = (await createProvider(site.db, { email: CLINIC_EMAIL })).id
  })

  it('makes one lead of a double click: with its consent, told to the clinic, the visitor and the page', async () => {
    const lead = leadForm()
    const page = await openForm()
    const held = await holdCalls(page, CALL)
    await fillIn(page, lead)
    await submitButton(page).dblclick()
    await page.getByRole('button', { name: 'Wait! Submitting...' }).waitFor()
    held.release()
    await arrives(page)

    expect(held.calls()).toBe(1)
    const stored = await leadOf(site, lead)
    expect(stored).toMatchObject({
      first_name: lead.first_name,
      last_name: lead.last_name,
      phone: lead.phone,
      zip_code: lead.zip_code,
      provider_id: clinic,
      match_kind: 'nearest',
      acceptance_consent: true,
      held_reason: null,
      consent: { wording: CONSENT.form.wording, wording_version: CONSENT.form.version, page_url: `${site.url}/` },
    })
    expect(await page.evaluate(() => window.dataLayer)).toEqual([
      { event: 'form_submit', value: 1, lead_id: Number(stored.reference) },
    ])
    await mailTo(site.smtp, lead.email)
    expect((await mailTo(site.smtp, CLINIC_EMAIL)).text).toContain(lead.phone)
  })

  it('keeps what was typed while the database is away or the answer is lost, and then makes one lead', async () => {
    const lead = leadForm()
    const page = await openForm({ expectErrors: /status of 503|ERR_CONNECTION_RESET/ })
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

  it('makes five digits of a zip code from the clipboard, and takes no more than five characters', async () => {
    const page = await openForm()
    for (const pasted of ['90210-1234', ' 90210 ', '902101234']) {
      await field(page, 'First Name').fill(pasted)
      await field(page, 'First Name').selectText()
      await page.keyboard.press('ControlOrMeta+c')
      await field(page, 'Zip Code').fill('')
      await page.keyboard.press('ControlOrMeta+v')
      expect(await field(page, 'Zip Code').inputValue(), pasted).toBe('90210')
    }
    await field(page, 'Zip Code').fill('')
    await field(page, 'Zip Code').pressSequentially('787029')
    expect(await field(page, 'Zip Code').inputValue()).toBe('78702')
  })

  it('can be sent again by those who go back before the thank-you page is there', async () => {
    const lead = leadForm()
    const page = await openForm()
    const held = await holdCalls(page, chunk('success-page'))
    await fillIn(page, lead)
    await submitButton(page).click()
    await arrives(page)

    await page.goBack()
    await page.getByRole('button', { name: 'Get Started Now!' }).waitFor()
    expect(await submitButton(page).isEnabled()).toBe(true)
    const { acceptance_message, consent_version: _, ...typed } = lead
    expect(await filledIn(page)).toEqual(typed)
    held.release()
    await submitButton(page).click()
    await page.getByText('Your Path to Natural Male Enhancement Has Begun!').waitFor()
    expect(await leadsOf(site, lead)).toHaveLength(1)
  })

  async function openForm(visitor?: Parameters<typeof site.open>[1]) {
    const page = await site.open('/', visitor)
    await wake(page)
    return page
  }

  function arrives(page: Awaited<ReturnType<typeof openForm>>) {
    return page.waitForURL(`${site.url}/success?providerId=${clinic}`)
  }
})
