import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { CONSENT } from '../../core/contract/consent.ts'
import { createProvider, leadForm } from '../support/factories.ts'
import { type BrowserSite, describeInBrowser } from './browser.ts'
import { CALL, fillInPerson, focused, leadOf, leadsOf, problemAt } from './form-actions.ts'
import { field, holdCalls, seesToast, wake } from './page-actions.ts'

const FARAWAY = '99901' // Ketchikan, Alaska

describeInBrowser('the search for a provider', (site) => {
  let austin: number
  beforeAll(async () => {
    austin = (await createProvider(site.db)).id
  })

  it('says what it is, step by step', async () => {
    const page = await openFinder(site)
    await page.getByRole('heading', { name: 'Want to Increase Size?', exact: true, level: 1 }).waitFor()
    await page.getByRole('heading', { name: 'Where Are You Located?', exact: true, level: 2 }).waitFor()
    await toSecondStep(page, '78702')
    await page.getByRole('heading', { name: 'Complete Your Information', exact: true, level: 2 }).waitFor()
    expect(await focused(page)).toBe('step-heading')
    await page.getByLabel(CONSENT.finder.wording, { exact: true }).waitFor()
    expect(await submit(page).textContent()).toBe('Find My Provider')
  })

  it('sends the form to the nearest, says so, and keeps the consent that it has shown', async () => {
    const lead = leadForm()
    const page = await openFinder(site)
    const held = await holdCalls(page, CALL)
    await toSecondStep(page, lead.zip_code)
    await fillInPerson(page, lead)
    await submit(page).click()

    const busy = page.getByRole('button', { name: 'Submitting...', exact: true })
    await busy.waitFor()
    expect(await busy.isDisabled()).toBe(true)
    held.release()

    await page.waitForURL(`${site.url}/success?providerId=${austin}`)
    await seesToast(page, 'Success!', "We've received your information.")
    expect(await leadOf(site, lead)).toMatchObject({
      provider_id: austin,
      zip_code: lead.zip_code,
      acceptance_consent: true,
      acceptance_message: 'I agree to receive communications about Velmora Protocol treatment and related services.',
      consent: { wording: CONSENT.finder.wording, wording_version: CONSENT.finder.version },
    })
  })

  it('says when nobody is in reach', async () => {
    const lead = leadForm({ zip_code: FARAWAY })
    const page = await openFinder(site)
    await toSecondStep(page, FARAWAY)
    await fillInPerson(page, lead)
    await submit(page).click()
    await page.waitForURL(`${site.url}/success?noProvider=true`)
    await seesToast(page, 'Success!', "We've received your information.")
    expect(await leadOf(site, lead)).toMatchObject({ provider_id: null })
  })

  it('sends to the provider that the address names', async () => {
    const { id } = await createProvider(site.db, { zip_code: '80202' })
    const lead = leadForm()
    const page = await openFinder(site, `/homev2?providerId=${id}`)
    await toSecondStep(page, lead.zip_code)
    await fillInPerson(page, lead)
    await submit(page).click()
    await page.waitForURL(`${site.url}/success?providerId=${id}`)
    expect(await leadOf(site, lead)).toMatchObject({ provider_id: id, match_kind: 'chosen' })
  })

  it.each(['', '   '])('asks for the ZIP code when there is none: %j', async (zip) => {
    const page = await openFinder(site)
    await page.getByLabel('ZIP Code', { exact: true }).fill(zip)
    await page.getByRole('button', { name: 'Find Providers', exact: true }).click()
    await seesToast(page, 'ZIP Code Required', 'Please enter your ZIP code to continue.')
    expect(await problemAt(page.getByLabel('ZIP Code', { exact: true }))).toBe(
      'Please enter your ZIP code to continue.',
    )
    expect(await focused(page)).toBe('zip_code')
    expect(await page.getByText('Complete Your Information').count()).toBe(0)
  })

  it('takes any ZIP code at first, and leads back to it when it turns out to be none', async () => {
    const lead = leadForm()
    const page = await openFinder(site)
    await toSecondStep(page, '787')
    await fillInPerson(page, lead)
    await submit(page).click()

    await page.getByRole('heading', { name: 'Where Are You Located?' }).waitFor()
    expect(await problemAt(page.getByLabel('ZIP Code', { exact: true }))).toBe('Please enter a valid 5-digit zip code')
    await toSecondStep(page, lead.zip_code)
    expect(await field(page, 'Email').inputValue()).toBe(lead.email)
    await submit(page).click()
    await page.waitForURL(`${site.url}/success?providerId=${austin}`)
    expect(await leadOf(site, lead)).toMatchObject({ zip_code: lead.zip_code })
  })

  it('refuses to send without consent', async () => {
    const lead = leadForm()
    const page = await openFinder(site)
    await toSecondStep(page, lead.zip_code)
    await fillInPerson(page, lead)
    await page.getByRole('checkbox').uncheck()
    await submit(page).click()
    await seesToast(page, 'Consent Required', 'You must agree to receive communications to continue.')
    expect(await leadsOf(site, lead)).toEqual([])
  })

  describe('when sending fails', () => {
    it.each([
      {
        what: 'the server says why',
        expectErrors: /status of 503|HttpError: 503/,
        fail: () => site.gateway.block(),
        mend: () => site.gateway.unblock(),
        message: 'We cannot save anything right now. Please try again in a moment.',
        logged: '503: We cannot save anything right now.',
      },
      {
        what: 'nobody answers',
        expectErrors: /ERR_CONNECTION_REFUSED|NoAnswerError/,
        fail: (page: Page) => page.route(CALL, (route) => route.abort('connectionrefused')),
        mend: (page: Page) => page.unroute(CALL),
        message: 'Please try again later.',
        logged: 'NoAnswerError',
      },
      {
        what: 'a proxy answers with words of its own',
        expectErrors: /status of 502|HttpError: 502/,
        fail: (page: Page) =>
          page.route(CALL, (route) => route.fulfill({ status: 502, contentType: 'text/plain', body: 'upstream gone' })),
        mend: (page: Page) => page.unroute(CALL),
        message: 'Please try again later.',
        logged: '502: upstream gone',
      },
    ])('because $what: says so, logs it, and another try makes the one lead', async (failure) => {
      const lead = leadForm()
      const page = await openFinder(site, '/homev2', { expectErrors: failure.expectErrors })
      const logged: string[] = []
      page.on('console', (message) => logged.push(message.text()))
      await toSecondStep(page, lead.zip_code)
      await fillInPerson(page, lead)
      try {
        await failure.fail(page)
        await submit(page).click()
        await seesToast(page, 'Something went wrong', failure.message)
      } finally {
        await failure.mend(page)
      }
      const description = page.locator('[data-sonner-toast][data-removed="false"] [data-description]')
      expect(await description.textContent()).toBe(failure.message)
      await expect.poll(() => logged.join('\n')).toContain(failure.logged)
      expect(await field(page, 'Email').inputValue()).toBe(lead.email)

      await submit(page).click()
      await page.waitForURL(`${site.url}/success?providerId=${austin}`)
      await leadOf(site, lead)
    })
  })
})

async function openFinder(site: BrowserSite, path = '/homev2', visitor: Parameters<BrowserSite['open']>[1] = {}) {
  const page = await site.open(path, visitor)
  await wake(page)
  return page
}

function submit(page: Page) {
  return page.getByRole('button', { name: 'Find My Provider', exact: true })
}

async function toSecondStep(page: Page, zip: string): Promise<void> {
  await page.getByLabel('ZIP Code', { exact: true }).fill(zip)
  await page.getByRole('button', { name: 'Find Providers', exact: true }).click()
  await field(page, 'First Name').waitFor()
}
