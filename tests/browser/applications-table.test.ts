import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { applicationForm, createApplication } from '../support/factories.ts'
import { waitFor } from '../support/wait.ts'
import { describeInBrowser } from './browser.ts'
import { isUsableByEverybody } from './inspect-page.ts'
import { mailTo } from './page-actions.ts'

describeInBrowser('the table of applications', (site) => {
  /** An application whose e-mails have all been sent or given up. */
  async function settledApplication(options: Parameters<typeof createApplication>[1] = {}) {
    const form = applicationForm(options.form)
    const id = await createApplication(site.db, { ...options, form })
    await waitFor('the e-mails', async () => {
      const open = await site.db('jobs').where('application_id', id).whereIn('state', ['waiting', 'enqueued'])
      return open.length === 0
    })
    return { ...form, id }
  }

  const open = () => site.open('/admin?tab=applications', { staff: true })

  it('sends the e-mail again, takes a new status, is exported, and deletes after asking', async () => {
    const email = 'refused@clinics.example'
    site.smtp.answer((recipient) => (recipient === email ? { status: 550, text: 'no such box' } : 'accept'))
    const { id, practice_name } = await settledApplication({ form: { email } })
    const page = await open()
    const row = rowOf(page, email)
    await row.getByText('An e-mail could not be delivered.').waitFor()
    await row.getByRole('button', { name: 'Details' }).click()
    await page.getByText('no such box').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()

    site.smtp.answer('accept')
    await row.getByRole('button', { name: 'Resend Email' }).click()
    expect((await mailTo(site.smtp, email)).text).toContain('24-48 hours')
    await row.getByText('Sent', { exact: true }).waitFor()

    await row.getByRole('combobox').selectOption({ label: 'Approved' })
    await row.getByRole('button', { name: /^Save/ }).click()
    await page.locator('option', { hasText: 'Approved (1)' }).waitFor({ state: 'attached' })
    expect(await site.db('provider_applications').where({ id }).pluck('status')).toEqual(['approved'])

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export Applications CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('provider-applications.csv')
    const chunks: Buffer[] = []
    for await (const chunk of await download.createReadStream()) chunks.push(chunk)
    expect(Buffer.concat(chunks).toString()).toContain(practice_name)

    await row.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete application' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await row.waitFor({ state: 'detached' })
    expect(await site.db('provider_applications').where({ id })).toEqual([])
  })

  it('confirms a held application to its sender once it is released', async () => {
    const { email } = await settledApplication({ heldReason: 'honeypot' })
    const page = await open()
    const row = rowOf(page, email)
    await row.getByText('Held', { exact: true }).waitFor()
    expect(site.smtp.mails.filter(({ recipients }) => recipients.includes(email))).toEqual([])
    await row.getByRole('button', { name: 'Release' }).click()
    await row.getByText('Held', { exact: true }).waitFor({ state: 'detached' })
    expect((await mailTo(site.smtp, email)).subject).toContain('We have received your application')
  })

  it('is usable by everybody, however long its words are', async () => {
    const { email } = await settledApplication({
      heldReason: 'too_fast',
      form: {
        practice_name: `The ${'Very Long '.repeat(8)}Practice`,
        website: `https://${'long.'.repeat(15)}example`,
      },
    })
    const page = await open()
    await rowOf(page, email).getByRole('button', { name: 'Details' }).click()
    await page.getByText('E-mail to the team').waitFor()
    await isUsableByEverybody(page, { name: 'applications' })
  })
})

function rowOf(page: Page, email: string): Locator {
  return page.getByRole('row').filter({ hasText: email })
}
