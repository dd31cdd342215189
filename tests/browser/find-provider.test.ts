import { expect, it } from 'vitest'
import { brand } from '../../core/brand/brand.ts'
import { CONSENT } from '../../core/contract/consent.ts'
import { createProvider, leadForm } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import { fillInPerson, focused, leadOf } from './form-actions.ts'
import { field, mailTo, seesToast, wake } from './page-actions.ts'

describeInBrowser('the search for a provider', (site) => {
  it('leads to the nearest, keeps the consent that it has shown, and can be repeated after a failure', async () => {
    const { id } = await createProvider(site.db)
    const lead = leadForm()
    const page = await site.open('/homev2', { expectErrors: /status of 503|HttpError: 503/ })
    await wake(page)
    await page.getByRole('heading', { name: 'Where Are You Located?', exact: true, level: 2 }).waitFor()
    await page.getByLabel('ZIP Code', { exact: true }).fill(lead.zip_code)
    await page.getByRole('button', { name: 'Find Providers', exact: true }).click()
    await page.getByRole('heading', { name: 'Complete Your Information', exact: true, level: 2 }).waitFor()
    await expect.poll(() => focused(page)).toBe('step-heading')
    await page.getByLabel(CONSENT.finder.wording, { exact: true }).waitFor()
    await fillInPerson(page, lead)

    const submit = page.getByRole('button', { name: 'Find My Provider', exact: true })
    site.gateway.block()
    try {
      await submit.click()
      await seesToast(page, 'Something went wrong', 'We cannot save anything right now. Please try again in a moment.')
    } finally {
      site.gateway.unblock()
    }
    expect(await field(page, 'Email').inputValue()).toBe(lead.email)

    await submit.click()
    await page.waitForURL(`${site.url}/success?providerId=${id}`)
    await seesToast(page, 'Success!', "We've received your information.")
    expect(await leadOf(site, lead)).toMatchObject({
      provider_id: id,
      zip_code: lead.zip_code,
      acceptance_message: `I agree to receive communications about ${brand.product} treatment and related services.`,
      consent: { wording: CONSENT.finder.wording, wording_version: CONSENT.finder.version },
    })
    await mailTo(site.smtp, lead.email)
  })
})
