import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { CONSENT } from '../../core/contract/consent.ts'
import { createProvider, leadForm } from '../support/factories.ts'
import { type BrowserSite, describeInBrowser } from './browser.ts'
import { CALL, fillInPerson, focused, hostUrl, leadOf, leadsOf, onHost, problemAtField } from './form-actions.ts'
import { field, holdCalls, mailTo, seesToast, wake } from './page-actions.ts'

const FARAWAY = '99901' // Ketchikan, Alaska
const INVALID = 'Please enter a valid 5-digit zip code'

describeInBrowser('the quiz', (site) => {
  let austin: number
  let denver: number
  beforeAll(async () => {
    austin = (await createProvider(site.db, { name: 'Dr. Rosa Quill' })).id
    denver = (await createProvider(site.db, { zip_code: '80202', domain: 'denver.localhost' })).id
  })

  it('leads in two steps to the nearest clinic', async () => {
    const lead = leadForm()
    const page = await openQuiz(site)
    const held = await holdCalls(page, CALL)
    await toSecondStep(page, lead.zip_code)
    await page.getByRole('heading', { name: 'Tell us about you', exact: true, level: 1 }).waitFor()
    expect(await focused(page)).toBe('step-heading')
    await page.getByText(lead.zip_code, { exact: true }).waitFor()
    await fillInPerson(page, lead)
    await next(page).click()
    expect(await page.getByRole('button', { name: 'Wait! Submitting...', exact: true }).isDisabled()).toBe(true)
    held.release()

    await page.waitForURL(`${site.url}/success?providerId=${austin}`)
    await page.getByText('Dr. Rosa Quill', { exact: true }).waitFor()
    expect(await leadOf(site, lead)).toMatchObject({
      zip_code: lead.zip_code,
      provider_id: austin,
      match_kind: 'nearest',
      acceptance_consent: true,
      acceptance_message: CONSENT.form.wording,
      consent: { wording: CONSENT.form.wording, wording_version: CONSENT.form.version },
    })
    await mailTo(site.smtp, lead.email)
  })

  it('says when nobody is in reach', async () => {
    const lead = leadForm({ zip_code: FARAWAY })
    const page = await openQuiz(site)
    await toSecondStep(page, FARAWAY)
    await fillInPerson(page, lead)
    await next(page).click()

    await page.waitForURL(`${site.url}/success?noProvider=true`)
    await page.getByText('No Provider Found Yet', { exact: true }).waitFor()
    expect(await leadOf(site, lead)).toMatchObject({ provider_id: null, zip_code: FARAWAY })
  })

  describe('in its first step', () => {
    it.each(['', '7870', '7870a', 'abcde', '     '])('refuses what is no zip code: %j', async (zip) => {
      const page = await openQuiz(site)
      await field(page, 'Zip Code').fill(zip)
      await next(page).click()

      await seesToast(page, 'Invalid Zip Code', INVALID)
      expect(await problemAtField(page, 'Zip Code')).toBe(INVALID)
      expect(await focused(page)).toBe('zip_code')
      expect(new URL(page.url()).search).toBe('')

      await toSecondStep(page, '78702')
      expect(await focused(page)).toBe('step-heading')
    })

    it('makes five digits of a pasted ZIP+4', async () => {
      const page = await openQuiz(site)
      for (const text of ['90210-1234', ' 90210 ', '902101234']) {
        await field(page, 'Zip Code').fill('')
        await paste(page, text)
        expect(await field(page, 'Zip Code').inputValue(), text).toBe('90210')
      }
      await next(page).click()
      await page.waitForURL(/zip_code=90210$/)
    })

    it('is gone through with the keyboard', async () => {
      const page = await openQuiz(site)
      await field(page, 'Zip Code').focus()
      await page.keyboard.type('78702')
      await page.keyboard.press('Enter')
      await expect.poll(() => focused(page)).toBe('step-heading')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      expect(await focused(page)).toBe('first_name')
    })
  })

  describe('in its second step', () => {
    it('refuses to send without consent', async () => {
      const lead = leadForm()
      const page = await openQuiz(site)
      const { calls } = await holdCalls(page, CALL)
      await toSecondStep(page, lead.zip_code)
      await fillInPerson(page, lead)
      await page.getByRole('checkbox').uncheck()
      await next(page).click()

      await seesToast(page, 'Consent Required', 'You must agree to receive communications to continue.')
      expect(await focused(page)).toBe('acceptance_consent')
      expect(calls()).toBe(0)
      expect(await leadsOf(site, lead)).toEqual([])
    })

    it('leads back to the first step with the zip code, and keeps what was typed', async () => {
      const lead = leadForm()
      const page = await openQuiz(site)
      await toSecondStep(page, '78702')
      await fillInPerson(page, lead)
      await page.goBack()

      await page.getByRole('heading', { name: 'Is there a provider near you?' }).waitFor()
      expect(await field(page, 'Zip Code').inputValue()).toBe('78702')
      await expect.poll(() => focused(page)).toBe('step-heading')

      await toSecondStep(page, FARAWAY)
      expect(await field(page, 'Last Name').inputValue()).toBe(lead.last_name)
      expect(await field(page, 'Email').inputValue()).toBe(lead.email)
      await next(page).click()
      await page.waitForURL(`${site.url}/success?noProvider=true`)
      expect(await leadOf(site, lead)).toMatchObject({ zip_code: FARAWAY })
    })

    it('leads to the first step to change the zip code', async () => {
      const page = await openQuiz(site)
      await toSecondStep(page, '78702')
      await page.getByRole('link', { name: 'Change zip code' }).click()
      await page.getByRole('heading', { name: 'Is there a provider near you?' }).waitFor()
      expect(await field(page, 'Zip Code').inputValue()).toBe('78702')
    })

    it('is there again after a reload', async () => {
      const page = await openQuiz(site)
      await toSecondStep(page, '78702')
      await page.reload()
      await page.getByRole('heading', { name: 'Tell us about you' }).waitFor()
      const lead = leadForm()
      await wake(page)
      await fillInPerson(page, lead)
      await next(page).click()
      await page.waitForURL(`${site.url}/success?providerId=${austin}`)
      expect(await leadOf(site, lead)).toMatchObject({ zip_code: '78702' })
    })
  })

  it.each([
    { who: 'nobody has', zip: '00000' },
    { who: 'only the server refuses', zip: '78702' },
  ])('leads back to a zip code that $who, says so, and keeps the rest', async ({ zip }) => {
    const lead = leadForm()
    const page = await openQuiz(site, '/start', { expectErrors: /status of 422/ })
    await page.route(CALL, (route) =>
      route.continue({ postData: { ...route.request().postDataJSON(), zip_code: '00000' } }),
    )
    await toSecondStep(page, zip)
    await fillInPerson(page, lead)
    await next(page).click()

    await page.getByRole('heading', { name: 'Is there a provider near you?' }).waitFor()
    expect(await problemAtField(page, 'Zip Code')).toBe(INVALID)
    expect(await field(page, 'Zip Code').inputValue()).toBe(zip)
    await expect.poll(() => focused(page)).toBe('zip_code')
    expect(await leadsOf(site, lead)).toEqual([])

    await page.unroute(CALL)
    await toSecondStep(page, '78703')
    expect(await field(page, 'Phone').inputValue()).toBe(lead.phone)
    await next(page).click()
    await page.waitForURL(`${site.url}/success?providerId=${austin}`)
    expect(await leadOf(site, lead)).toMatchObject({ zip_code: '78703' })
  })

  it('sends to the clinic that the address names, and keeps it from step to step', async () => {
    const lead = leadForm()
    const page = await openQuiz(site, `/start?providerId=${denver}&utm_source=news`)
    await toSecondStep(page, lead.zip_code)
    expect(new URL(page.url()).search).toBe(`?providerId=${denver}&utm_source=news&zip_code=${lead.zip_code}`)
    await fillInPerson(page, lead)
    await next(page).click()
    await page.waitForURL(`${site.url}/success?providerId=${denver}`)
    expect(await leadOf(site, lead)).toMatchObject({ provider_id: denver, match_kind: 'chosen' })
  })

  it('sends to the clinic whose host it is on', async () => {
    const lead = leadForm()
    const home = hostUrl(site, 'denver.localhost')
    const page = await openQuiz(site, `${home}start`, { expectErrors: onHost('denver.localhost') })
    await toSecondStep(page, lead.zip_code)
    await fillInPerson(page, lead)
    await next(page).click()
    await page.waitForURL(`${home}success?providerId=${denver}`)
    expect(await leadOf(site, lead)).toMatchObject({ provider_id: denver, match_kind: 'chosen' })
  })
})

async function openQuiz(site: BrowserSite, path = '/start', visitor: Parameters<BrowserSite['open']>[1] = {}) {
  const page = await site.open(path, visitor)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await wake(page)
  return page
}

function next(page: Page) {
  return page.getByRole('button', { name: 'Continue', exact: true })
}

async function toSecondStep(page: Page, zip: string): Promise<void> {
  await field(page, 'Zip Code').fill(zip)
  await next(page).click()
  await field(page, 'First Name').waitFor()
}

async function paste(page: Page, text: string): Promise<void> {
  await field(page, 'Zip Code').evaluate((input, pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', pasted)
    input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)
}
