import { expect, it } from 'vitest'
import { createProvider, leadForm } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import { isUsableByEverybody, violations } from './inspect-page.ts'
import { mailTo } from './page-actions.ts'

describeInBrowser('a clinic that gets a request', (site) => {
  /** Path and query of the link with this answer in an e-mail. */
  const linkIn = (html = '', answer = '') => new RegExp(`/r/[\\w-]+${answer && `\\?answer=${answer}`}`).exec(html)?.[0]

  it.each([
    { how: 'with scripts', javaScriptEnabled: true },
    { how: 'without JavaScript', javaScriptEnabled: false },
  ])('answers from its e-mail on a phone, and changes the answer: $how', async ({ javaScriptEnabled }) => {
    const email = `phone.${javaScriptEnabled}@quill.example`
    const { id } = await createProvider(site.db, { email, practice_name: 'Quill Urology' })
    const body = JSON.stringify(leadForm({ first_name: 'Sam', last_name: 'Orchard' }))
    const headers = { 'content-type': 'application/json' }
    await fetch(`${site.url}/api/leads?providerId=${id}`, { method: 'POST', headers, body })
    const mail = await mailTo(site.smtp, email)

    const page = await site.open(String(linkIn(String(mail.html), 'booked')), {
      width: 390,
      context: { javaScriptEnabled },
    })
    await page.getByRole('heading', { level: 1, name: 'Sam Orchard' }).waitFor()
    expect(await page.getByRole('link', { name: 'Call (512) 555-' }).getAttribute('href')).toMatch(
      /^tel:\+1512555\d{4}$/,
    )
    if (javaScriptEnabled) {
      // Nothing else has been pressed before. At 3 AM in Austin.
      await page.waitForFunction(() => Object.keys(document.querySelector('a[href^="tel:"]') ?? {}).length > 0)
      await page.evaluate(() => {
        Date.now = () => Date.parse('2026-11-28T09:00:00Z')
      })
      await page.getByRole('link', { name: 'Call (512) 555-' }).click()
      const dialog = page.getByRole('dialog', { name: 'Call now?' })
      await dialog.getByText('It is 3:00 AM in Austin. Call between 8 AM and 8 PM there.').waitFor()
      await dialog.getByRole('button', { name: 'Cancel' }).click()
    }
    expect(await page.getByLabel('Booked').isChecked()).toBe(true)
    expect(await page.getByLabel('Reason').isVisible()).toBe(false)
    await page.getByLabel('Day of the appointment').fill('2026-12-01')
    await page.getByRole('button', { name: 'Send the answer' }).click()
    await page.getByText('Booked for Dec 1, 2026').first().waitFor()

    await page.getByLabel('Cannot help').check()
    expect(await page.getByLabel('Day of the appointment').isVisible()).toBe(false)
    await page.getByLabel('Reason').selectOption('We have no capacity')
    await page.getByLabel('Note').fill('Full until January.')
    await page.getByRole('button', { name: 'Send the answer' }).click()
    await page.getByText('Cannot help: We have no capacity').first().waitFor()
    const kinds = await site.db('lead_outcomes').where({ provider_id: id }).orderBy('id').pluck('kind')
    expect(kinds).toEqual(['opened', 'booked', 'declined'])

    if (javaScriptEnabled) await isUsableByEverybody(page, { name: 'a request that was answered' })
    await page.getByLabel('They do not want to be contacted').check()
    await page.getByRole('button', { name: 'Send the answer' }).click()
    await page.getByRole('heading', { level: 1, name: 'Stop all contact with this person?' }).waitFor()
    if (javaScriptEnabled) expect(await violations(page)).toEqual([])
    await page.getByRole('link', { name: 'Back to the request' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sam Orchard' }).waitFor()
  })
})
