import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { retryNow } from '../support/deliveries.ts'
import { createLead, createProvider, leadForm } from '../support/factories.ts'
import { waitFor } from '../support/wait.ts'
import { describeInBrowser } from './browser.ts'
import { isUsableByEverybody } from './inspect-page.ts'
import { mailTo, pressInRow } from './page-actions.ts'

/** In Maine, where no clinic is in reach. */
const OUT_OF_REACH = '04401'

describeInBrowser('the table of leads', (site) => {
  const clinic = { id: 0, name: 'Dr. Rosa Quill', email: 'rosa.quill@clinics.example' }
  beforeAll(async () => {
    const { id } = await createProvider(site.db, { name: clinic.name, email: clinic.email })
    clinic.id = id
  })

  /** A lead whose deliveries have all been made. */
  async function settledLead(options: NonNullable<Parameters<typeof createLead>[1]>) {
    const form = leadForm(options.form)
    const id = await createLead(site.db, { ...options, form })
    await waitFor('the deliveries', async () => {
      const open = await site.db('jobs').where('lead_id', id).whereIn('state', ['waiting', 'enqueued'])
      return open.length === 0
    })
    return { ...form, id }
  }

  const mailsAbout = (email: string) =>
    site.smtp.mails.filter(({ recipients, text }) => recipients.includes(clinic.email) && text?.includes(email))
  const eventsAbout = (email: string) => site.crm.events.filter(({ data }) => data.lead.email === email)

  it('matches a lead with a provider, who is told, and told again on demand', async () => {
    const { email } = await settledLead({ form: { zip_code: OUT_OF_REACH } })
    // So many that the clinic is not among the ten that are offered at first.
    const nearer = await Promise.all(
      Array.from({ length: 10 }, () =>
        createProvider(site.db, { name: 'Dr. Nearer', zip_code: OUT_OF_REACH, status: 't' }),
      ),
    )
    onTestFinished(async () => {
      await site
        .db('providers')
        .whereIn(
          'id',
          nearer.map(({ id }) => id),
        )
        .delete()
    })
    const page = await site.open('/admin?tab=leads', { staff: true })
    const row = rowOf(page, email)
    await row.getByText('Unmatched', { exact: true }).waitFor()
    await pressInRow(row, /^Match with provider/)
    const dialog = page.getByRole('dialog', { name: 'Match with provider' })
    // The keys go to the search from the start, and Enter chooses what it finds.
    await dialog
      .getByRole('option', { name: /^Dr\. Nearer/ })
      .first()
      .waitFor()
    await page.keyboard.type('quill')
    await dialog
      .getByRole('option', { name: /^Dr\. Nearer/ })
      .first()
      .waitFor({ state: 'detached' })
    await dialog.getByRole('option', { name: /^Dr\. Rosa Quill - 78701/, selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Send anyway' }).click()
    await page.getByRole('button', { name: 'Undo', exact: true }).waitFor()
    // The seconds in which it can be undone.
    await retryNow(site.db)
    await row.getByText('Dr. Rosa Quill', { exact: true }).waitFor()
    await row.getByText('Unmatched').waitFor({ state: 'detached' })
    await waitFor('the mail to the clinic', () => mailsAbout(email).length === 1)
    await waitFor('the CRM to be told', () => eventsAbout(email).some(({ type }) => type === 'lead.matched'))

    await pressInRow(row, 'Resend Email')
    await waitFor('the second mail', () => mailsAbout(email).length === 2)
    const [first, second] = mailsAbout(email)
    expect(second?.text).toBe(first?.text)
    expect(second?.messageId).not.toBe(first?.messageId)
  })

  it('shows what the CRM answers to each try, and that it took the lead in the end', async () => {
    site.crm.answer({ status: 422 })
    const { email } = await settledLead({ providerId: clinic.id })
    const page = await site.open('/admin?tab=leads', { staff: true })
    const row = rowOf(page, email)
    await sees(row, 'Failed', 'red')
    await row.getByRole('link').first().click()
    const panel = page.getByRole('complementary')
    const retry = (number: number) =>
      panel
        .getByRole('listitem')
        .filter({ hasText: 'CRM: lead created' })
        .filter({ hasText: 'Retried by staff' })
        .nth(number - 1)
    await panel.getByText('The CRM refused the lead: it answered 422.').waitFor()

    site.crm.answer({ status: 503 })
    await panel.getByRole('button', { name: 'Retry CRM Sync' }).click()
    await retry(1).getByText('Trying again', { exact: true }).waitFor()
    await retry(1).getByText('it answered 503.').first().waitFor()
    await sees(row, 'Pending', 'yellow')

    site.crm.answer({ status: 200 })
    await panel.getByRole('button', { name: 'Retry CRM Sync' }).click()
    await retry(2).getByText('Done', { exact: true }).waitFor()
    await retry(1).getByText('Cancelled', { exact: true }).waitFor()
    await sees(row, 'Success', 'green')
  })

  it('delivers a held lead to the clinic and the visitor once it is released', async () => {
    const { email } = await settledLead({ providerId: clinic.id, heldReason: 'honeypot' })
    const page = await site.open('/admin?tab=leads', { staff: true })
    const row = rowOf(page, email)
    await sees(row, 'Held', 'yellow')
    expect(mailsAbout(email)).toEqual([])
    expect(eventsAbout(email)).toEqual([])

    await pressInRow(row, 'Release')
    await sees(row, 'Success', 'green')
    await row.getByText('Held', { exact: true }).waitFor({ state: 'detached' })
    await waitFor('the mail to the clinic', () => mailsAbout(email).length === 1)
    expect((await mailTo(site.smtp, email)).subject).toBe('Your request has reached a provider near you')
  })

  it('is usable by everybody', async () => {
    await createLead(site.db, { providerId: clinic.id, heldReason: 'honeypot' })
    const { email } = await settledLead({ form: { zip_code: OUT_OF_REACH } })
    const page = await site.open('/admin?tab=leads', { staff: true })
    await rowOf(page, email).getByText('Unmatched').waitFor()
    await page.getByRole('button', { name: 'Filters' }).click()
    await isUsableByEverybody(page, { name: 'leads' })
  })
})

function rowOf(page: Page, email: string): Locator {
  return page.getByRole('row').filter({ hasText: email })
}

/** Waits for a status in a row, and looks at the colour that it is written in. */
async function sees(row: Locator, status: string, colour: 'red' | 'green' | 'yellow'): Promise<void> {
  const badge = row.getByText(status, { exact: true })
  await badge.waitFor()
  const [red = 0, green = 0, blue = 0] = await badge.evaluate((element) =>
    (getComputedStyle(element).color.match(/\d+/g) ?? []).map(Number),
  )
  const seen = green > red ? 'green' : green > 2 * blue ? 'yellow' : 'red'
  expect(seen).toBe(colour)
}
