import axe from 'axe-core'
import type { Locator, Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { applicationForm, createApplication, createStaff, staffHeaders } from '../support/factories.ts'
import { waitFor } from '../support/wait.ts'
import { describeInBrowser } from './browser.ts'
import { mailTo, seesToast } from './page-actions.ts'

describeInBrowser(
  'the table of applications',
  (site) => {
    beforeEach(async () => {
      // Without starting the ids anew: the worker may still be busy with an application of the test before.
      await site.reset()
      site.smtp.answer('accept')
    })

    /** An application whose e-mails have all been sent. */
    async function settledApplication(options: Parameters<typeof createApplication>[1] = {}) {
      const form = applicationForm(options.form)
      const id = await createApplication(site.db, { ...options, form })
      await waitFor('the e-mails', async () => {
        const open = await site.db('jobs').where('application_id', id).whereIn('state', ['waiting', 'enqueued'])
        return open.length === 0
      })
      return { ...form, id }
    }

    async function openTab(visitor?: Parameters<typeof site.open>[1]): Promise<Page> {
      const page = await site.open('/admin', visitor)
      await page.getByRole('tab', { name: /^Applications/ }).click()
      return page
    }

    it('says that there are none yet', async () => {
      const page = await openTab()
      await page.getByText('No applications yet.').waitFor()
      await page.getByRole('tab', { name: 'Applications (0)' }).waitFor()
      await page.getByText('Total: 0 applications', { exact: true }).waitFor()
      expect(await page.getByRole('button', { name: 'Export Applications CSV' }).isDisabled()).toBe(true)
    })

    it('is for viewers too, who can do nothing', async () => {
      const { email } = await settledApplication()
      const { cookie } = await staffHeaders(site.db, (await createStaff(site.db, { role: 'viewer' })).id)
      const page = await site.open('/terms')
      const [name = '', value = ''] = cookie.split('=')
      await page.context().addCookies([{ name, value, url: site.url }])
      await page.goto('/admin?tab=applications')
      await rowOf(page, email).getByRole('cell', { name: 'New', exact: true }).waitFor()
      for (const act of ['Delete', 'Resend Email', 'Release', 'Export Applications CSV']) {
        expect(await page.getByRole('tabpanel').getByRole('button', { name: act }).count(), act).toBe(0)
      }
      expect(await rowOf(page, email).getByRole('combobox').count()).toBe(0)
    })

    it('shows who applies, and on demand the message and what happened', async () => {
      const application = await settledApplication()
      await site.db('provider_applications').update({ created_at: '2026-03-05T18:00:00Z' })
      const page = await openTab()
      expect(await page.getByRole('columnheader').allTextContents()).toEqual([
        'Practice',
        'Contact',
        'Zip Code',
        'Date',
        'Status',
        'E-mails',
        'Actions',
      ])
      const row = rowOf(page, application.email)
      for (const text of [application.practice_name, application.name, application.phone, '78701', 'Mar 5, 2026']) {
        await row.getByText(text).waitFor()
      }
      expect(await row.getByRole('link', { name: 'calloway.example' }).getAttribute('href')).toBe(application.website)
      await row.getByText('Sent', { exact: true }).waitFor()

      expect(await page.getByText('Call us in the morning.').count()).toBe(0)
      const button = row.getByRole('button', { name: 'Details' })
      await button.click()
      await page.getByText('Call us in the morning.').waitFor()
      expect(await button.getAttribute('aria-expanded')).toBe('true')
      for (const what of ['E-mail to the team', 'E-mail to the applicant']) {
        await page.getByRole('listitem').filter({ hasText: what }).getByText('Done', { exact: true }).waitFor()
      }
    })

    it('takes a new status, and filters by it', async () => {
      const [first, second] = [await settledApplication(), await settledApplication()]
      const page = await openTab()
      await rowOf(page, first.email).getByRole('combobox').selectOption({ label: 'Approved' })
      await seesToast(page, 'Success', 'Application status updated successfully')
      expect(await site.db('provider_applications').where('id', first.id).first()).toMatchObject({ status: 'approved' })

      const filter = page.getByLabel('Show')
      await filter.locator('option', { hasText: 'Approved (1)' }).waitFor({ state: 'attached' })
      expect(await filter.locator('option').allTextContents()).toEqual([
        'All (2)',
        'New (1)',
        'Contacted (0)',
        'Approved (1)',
        'Declined (0)',
      ])
      await filter.selectOption({ label: 'Approved (1)' })
      await page.getByText('Total: 1 applications', { exact: true }).waitFor()
      expect(await rowOf(page, second.email).count()).toBe(0)
      await page.getByRole('tab', { name: 'Applications (2)' }).waitFor()

      await filter.selectOption('declined')
      await page.getByText('No application has this status.').waitFor()
    })

    it('is turned page by page, 40 applications each, the newest first', async () => {
      for (let count = 0; count < 41; count++) await createApplication(site.db)
      const page = await openTab()
      await page.getByText('Page 1 of 2', { exact: true }).waitFor()
      expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(40)
      await page.getByRole('button', { name: 'Next' }).click()
      await page.getByText('Page 2 of 2', { exact: true }).waitFor()
      await expect.poll(() => page.getByRole('button', { name: 'Delete' }).count()).toBe(1)
    })

    it('sends the e-mail again, and says so when one could not be delivered', async () => {
      const email = `refused.${Date.now()}@clinics.example`
      site.smtp.answer((recipient) => (recipient === email ? { status: 550, text: 'no such box' } : 'accept'))
      await settledApplication({ form: { email } })
      const page = await openTab()
      const row = rowOf(page, email)
      await row.getByText('An e-mail could not be delivered.').waitFor()

      await row.getByRole('button', { name: 'Details' }).click()
      await page.getByText('no such box').waitFor()

      site.smtp.answer('accept')
      await row.getByRole('button', { name: 'Resend Email' }).click()
      await seesToast(page, 'Success', 'Successfully retried email')
      expect((await mailTo(site.smtp, email)).text).toContain('24–48 hours')
      await row.getByText('Sent', { exact: true }).waitFor()
    })

    it('shows why an application is held, and confirms it once it is released', async () => {
      const { email } = await settledApplication({ heldReason: 'honeypot' })
      const page = await openTab()
      const row = rowOf(page, email)
      await row.getByText('Held', { exact: true }).waitFor()
      await row.getByText('A field that people cannot see was filled in.').waitFor()
      expect(await row.getByRole('button', { name: 'Resend Email' }).isDisabled()).toBe(true)

      await row.getByRole('button', { name: 'Release' }).click()
      await seesToast(page, 'Success', 'Application released')
      await row.getByText('Held', { exact: true }).waitFor({ state: 'detached' })
      expect((await mailTo(site.smtp, email)).subject).toContain('We have received your application')
    })

    it('deletes an application, but asks first', async () => {
      const application = await settledApplication()
      const page = await openTab()
      const row = rowOf(page, application.email)
      await row.getByRole('button', { name: 'Delete' }).click()
      const dialog = page.getByRole('dialog', { name: 'Delete this application?' })
      await dialog.getByText(application.practice_name).waitFor()
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await dialog.waitFor({ state: 'detached' })

      await row.getByRole('button', { name: 'Delete' }).click()
      await dialog.getByRole('button', { name: 'Delete application' }).click()
      await seesToast(page, 'Success', 'Application deleted successfully')
      await page.getByText('No applications yet.').waitFor()
    })

    it('exports every application', async () => {
      const { practice_name } = await settledApplication()
      const page = await openTab()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Export Applications CSV' }).click(),
      ])
      expect(download.suggestedFilename()).toBe('provider-applications.csv')
      const chunks: Buffer[] = []
      for await (const chunk of await download.createReadStream()) chunks.push(chunk)
      expect(Buffer.concat(chunks).toString()).toContain(practice_name)
    })

    it('says why something failed', async () => {
      const { email, id } = await settledApplication()
      const page = await openTab({ expectErrors: /status of (404|500)/ })
      const row = rowOf(page, email)
      await row.waitFor()
      await site.db('jobs').where('application_id', id).delete()
      await site.db('provider_applications').delete()
      await row.getByRole('combobox').selectOption({ label: 'Declined' })
      await seesToast(page, 'Failed to update application status', '404: There is no such application.')

      await site.db.raw('alter table provider_applications rename to applications_gone')
      try {
        await page.reload()
        await page.getByRole('tab', { name: /^Applications/ }).click()
        const alert = page.getByRole('tabpanel').getByRole('alert')
        await alert.getByText('500: Something went wrong on our side. Please try again.').waitFor()
      } finally {
        await site.db.raw('alter table applications_gone rename to provider_applications')
      }
    })

    it.each([390, 768, 1024, 1440])('is readable and usable at %d px', async (width) => {
      await settledApplication()
      await settledApplication({
        heldReason: 'too_fast',
        form: {
          practice_name: `The ${'Very Long '.repeat(8)}Practice`,
          website: `https://${'long.'.repeat(15)}example`,
        },
      })
      const page = await openTab({ width })
      await page.getByRole('button', { name: 'Details' }).first().click()
      await page.getByText('Held', { exact: true }).waitFor()

      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0)
      await page.evaluate(axe.source)
      const found = await page.evaluate(
        async () => (await (window as unknown as { axe: typeof axe }).axe.run()).violations,
      )
      expect(found.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
    })
  },
  { ADMIN_ACCESS: 'open' },
)

function rowOf(page: Page, email: string): Locator {
  return page.getByRole('row').filter({ hasText: email })
}
