import { expect, it } from 'vitest'
import { CONSENT } from '../../core/contract/consent.ts'
import { createProvider, leadForm } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import { CALL, fillInPerson, focused, leadOf } from './form-actions.ts'
import { field, holdCalls, mailTo, wake } from './page-actions.ts'

describeInBrowser('the quiz', (site) => {
  it('leads with the keyboard, through a reload and Back, to the nearest clinic', async () => {
    const { id } = await createProvider(site.db, { name: 'Dr. Rosa Quill' })
    const lead = leadForm()
    const page = await site.open('/start?utm_source=news')
    await wake(page)
    const heading = (name: string) => page.getByRole('heading', { name, exact: true, level: 1 })

    await field(page, 'Zip Code').focus()
    await page.keyboard.type(lead.zip_code)
    await page.keyboard.press('Enter')
    await heading('Tell us about you').waitFor()
    await expect.poll(() => focused(page)).toBe('step-heading')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('first_name')

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

    const held = await holdCalls(page, CALL)
    await page.getByRole('button', { name: 'Continue', exact: true }).dblclick()
    await page.getByRole('button', { name: 'Wait! Submitting...', exact: true }).waitFor()
    held.release()
    await page.waitForURL(`${site.url}/success?providerId=${id}`)
    await page.getByText('Dr. Rosa Quill', { exact: true }).waitFor()
    expect(held.calls()).toBe(1)
    expect(await leadOf(site, lead)).toMatchObject({
      zip_code: lead.zip_code,
      provider_id: id,
      match_kind: 'nearest',
      held_reason: null,
      acceptance_message: CONSENT.form.wording,
      consent: { wording: CONSENT.form.wording, wording_version: CONSENT.form.version },
    })
    await mailTo(site.smtp, lead.email)
  })
})
