import type { Locator, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { createLead, createProvider, leadForm } from '../support/factories.ts'
import { waitFor } from '../support/wait.ts'
import { describeInBrowser } from './browser.ts'
import { mailTo, seesToast } from './page-actions.ts'

describeInBrowser(
  'the table of leads',
  (site) => {
    let clinic: { id: number; email: string }
    beforeEach(async () => {
      // Without starting the ids anew: the worker may still be busy with a lead of the test before.
      await site.reset()
      site.crm.answer({ status: 200 })
      const email = `clinic.${Date.now()}@clinics.example`
      const { id } = await createProvider(site.db, { name: 'Dr. Rosa Quill', email })
      clinic = { id, email }
    })

    /** A lead whose deliveries have all been made. */
    async function settledLead(options: Parameters<typeof createLead>[1] = { providerId: clinic.id }) {
      const form = leadForm(options?.form)
      const id = await createLead(site.db, { ...options, form })
      await waitFor('the deliveries', async () => {
        const open = await site.db('jobs').where('lead_id', id).whereIn('state', ['waiting', 'enqueued'])
        return open.length === 0
      })
      return { ...form, id }
    }

    it('says that there are none yet', async () => {
      const page = await site.open('/admin')
      await page.getByText('No leads yet.').waitFor()
      await page.getByText('Total: 0 leads', { exact: true }).waitFor()
      await page.getByRole('tab', { name: 'Leads (0)' }).waitFor()
      await page.getByText('Page 1 of 1', { exact: true }).waitFor()
      expect(await page.getByRole('button', { name: 'Previous' }).isDisabled()).toBe(true)
      expect(await page.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true)
    })

    it('shows whom, where, when and how far', async () => {
      const lead = await settledLead()
      await site.db('leads').where('id', lead.id).update({ created_at: '2026-03-05T18:00:00Z' })
      const inactive = await createProvider(site.db, { name: 'Dr. Former', status: 'f' })
      const other = await settledLead({ providerId: inactive.id })

      const page = await site.open('/admin')
      // The first one has a checkbox.
      expect(await page.getByRole('columnheader').allTextContents()).toEqual([
        '',
        'Contact',
        'Zip Code',
        'Provider',
        'Date',
        'CRM Sync',
        'Actions',
      ])
      const row = rowOf(page, lead.email)
      for (const text of [`${lead.first_name} ${lead.last_name}`, lead.phone, lead.zip_code, 'Mar 5, 2026']) {
        await row.getByText(text).waitFor()
      }
      await row.getByText('Dr. Rosa Quill', { exact: true }).waitFor()
      await sees(row, 'Success', 'green')
      await rowOf(page, other.email).getByText('Inactive', { exact: true }).waitFor()
      await page.getByText('Total: 2 leads', { exact: true }).waitFor()
    })

    it('is turned page by page, 40 leads each, the newest first', async () => {
      const ids: number[] = []
      for (let count = 0; count < 41; count++) ids.push(await createLead(site.db, { providerId: clinic.id }))
      await site.db('leads').where('id', ids[0]).update({ last_name: 'Oldest', created_at: '2026-01-01' })

      const page = await site.open('/admin')
      await page.getByText('Total: 41 leads', { exact: true }).waitFor()
      await page.getByText('Page 1 of 2', { exact: true }).waitFor()
      expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(40)
      expect(await page.getByText('Oldest').count()).toBe(0)
      expect(await page.getByRole('button', { name: 'Previous' }).isDisabled()).toBe(true)

      await page.getByRole('button', { name: 'Next' }).click()
      await page.getByText('Page 2 of 2', { exact: true }).waitFor()
      await page.getByText('Oldest').waitFor()
      expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(1)
      expect(await page.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true)

      await deleteLead(page, page.getByRole('row').filter({ hasText: 'Oldest' }))
      await page.getByText('Page 1 of 1', { exact: true }).waitFor()
      await page.getByText('Total: 40 leads', { exact: true }).waitFor()
    })

    it('matches a lead with a provider, who is told', async () => {
      await site.db('providers').update({ zip_code: '80202' })
      const lead = await settledLead({})
      const page = await site.open('/admin')
      const row = rowOf(page, lead.email)
      await row.getByText('Unmatched', { exact: true }).waitFor()

      const choice = row.getByRole('combobox')
      expect(await choice.locator('option').allTextContents()).toEqual([
        'Match with provider...',
        'Dr. Rosa Quill - 80202',
      ])
      expect(await choice.locator('optgroup').getAttribute('label')).toBe('Select Provider')
      await choice.selectOption({ label: 'Dr. Rosa Quill - 80202' })

      await seesToast(page, 'Success', 'Lead provider updated successfully')
      await row.getByText('Dr. Rosa Quill', { exact: true }).waitFor()
      expect(await row.getByText('Unmatched').count()).toBe(0)
      expect((await mailTo(site.smtp, clinic.email)).text).toContain(lead.email)
      await waitFor('the CRM to be told', () =>
        site.crm.events.find(({ type, data }) => type === 'lead.matched' && data.lead.email === lead.email),
      )
    })

    it('sends the e-mail again', async () => {
      const lead = await settledLead()
      const first = await mailTo(site.smtp, clinic.email)
      const page = await site.open('/admin')
      await rowOf(page, lead.email).getByRole('button', { name: 'Resend Email' }).click()

      await seesToast(page, 'Success', 'Successfully retried email')
      const second = await mailTo(site.smtp, clinic.email, { count: 2 })
      expect(second.text).toBe(first.text)
      expect(second.messageId).not.toBe(first.messageId)
    })

    it('shows that the CRM refused, why, and that it took the lead in the end', async () => {
      site.crm.answer({ status: 422 })
      const lead = await settledLead()
      const page = await site.open('/admin')
      const row = rowOf(page, lead.email)
      await sees(row, 'Failed', 'red')
      const panel = await openLead(page, row)
      await panel.getByText('The CRM refused the lead: it answered 422.').waitFor()
      await panel.getByText('The CRM does not accept this lead.').waitFor()

      site.crm.answer({ status: 200 })
      await panel.getByRole('button', { name: 'Retry CRM Sync' }).click()
      await seesToast(page, 'Success', 'Successfully retried CRM sync')
      await sees(row, 'Success', 'green')
      const delivery = page.getByRole('listitem').filter({ hasText: 'CRM: lead created' }).filter({ hasText: 'Run 2' })
      await delivery.getByText('Done', { exact: true }).waitFor()
      expect(site.crm.events.filter(({ data }) => data.lead.email === lead.email)).toHaveLength(2)
    })

    it('shows what becomes of a retry while the CRM is down, and of another once it is back', async () => {
      site.crm.answer({ status: 422 })
      const lead = await settledLead()
      const page = await site.open('/admin')
      const row = rowOf(page, lead.email)
      await sees(row, 'Failed', 'red')
      const panel = await openLead(page, row)
      const run = (number: number) =>
        panel
          .getByRole('listitem')
          .filter({ hasText: 'CRM: lead created' })
          .filter({ hasText: `Run ${number}` })

      site.crm.answer({ status: 503 })
      await panel.getByRole('button', { name: 'Retry CRM Sync' }).click()
      await run(2).getByText('Trying again', { exact: true }).waitFor()
      await run(2).getByText('it answered 503.').first().waitFor()
      await run(2)
        .getByText(/, next try /)
        .waitFor()
      await sees(row, 'Pending', 'yellow')
      expect(await row.getByText('Success', { exact: true }).count()).toBe(0)

      site.crm.answer({ status: 200 })
      await panel.getByRole('button', { name: 'Retry CRM Sync' }).click()
      await run(3).getByText('Done', { exact: true }).waitFor()
      await run(2).getByText('Cancelled', { exact: true }).waitFor()
      await sees(row, 'Success', 'green')
    })

    it('shows a lead as pending while the CRM does not answer', async () => {
      site.crm.answer({ status: 503 })
      const id = await createLead(site.db, { providerId: clinic.id })
      await waitFor('the first attempt', () =>
        site.db('jobs').where({ lead_id: id }).whereLike('last_error', '%503%').first(),
      )
      const page = await site.open('/admin')
      await sees(page.getByRole('row').last(), 'Pending', 'yellow')
      const panel = await openLead(page, page.getByRole('row').last())
      const delivery = panel.getByRole('listitem').filter({ hasText: 'CRM: lead created' })
      await delivery.getByText('Trying again', { exact: true }).waitFor()
      await delivery.getByText(/, next try /).waitFor()
    })

    it('tells what happened', async () => {
      site.smtp.answer((recipient) => (recipient === clinic.email ? { status: 550, text: 'no such box' } : 'accept'))
      const lead = await settledLead()
      site.smtp.answer('accept')
      const page = await site.open('/admin')
      const row = rowOf(page, lead.email)
      await row.getByText('An e-mail could not be delivered.').waitFor()

      const panel = await openLead(page, row)
      await panel.getByText('Nearest clinic in reach, 1.5 miles away', { exact: true }).waitFor()
      await panel.getByText('Given from 203.0.113.7').waitFor()
      await panel.getByText(lead.acceptance_message).waitFor()
      await panel.getByText('Received', { exact: true }).waitFor()
      await panel.getByText('Matched with Dr. Rosa Quill', { exact: true }).waitFor()
      for (const [what, outcome] of [
        ['E-mail to the clinic', 'Failed'],
        ['E-mail to the visitor', 'Done'],
        ['CRM: lead created', 'Done'],
      ]) {
        const delivery = panel.getByRole('listitem').filter({ hasText: what })
        await delivery.getByText(String(outcome), { exact: true }).waitFor()
        await delivery.getByText(/^1 attempt, took [\d.]+ m?s$/).waitFor()
      }
      await panel.getByText('no such box').waitFor()
      await panel.getByText('Correct the clinic’s e-mail address in WordPress').waitFor()

      await panel.getByRole('button', { name: 'Close' }).click()
      await panel.waitFor({ state: 'detached' })
    })

    it('shows why a lead is held, and delivers it once it is released', async () => {
      const lead = await settledLead({ providerId: clinic.id, heldReason: 'honeypot' })
      const page = await site.open('/admin')
      const row = rowOf(page, lead.email)
      await sees(row, 'Held', 'yellow')
      await row.getByText('A field that people cannot see was filled in.').waitFor()
      await sees(row, 'Pending', 'yellow')
      for (const name of ['Resend Email', 'Retry CRM Sync']) {
        const button = row.getByRole('button', { name })
        expect(await button.isDisabled()).toBe(true)
        const reason = await button.getAttribute('aria-describedby')
        expect(await page.locator(`[id="${reason}"]`).textContent()).toContain('Nothing is sent until you release')
      }
      const panel = await openLead(page, row)
      await panel.getByText('Asked to look at the held lead.').waitFor()
      await panel.getByRole('button', { name: 'Close' }).click()
      expect(site.crm.events.filter(({ data }) => data.lead.email === lead.email)).toEqual([])

      await row.getByRole('button', { name: 'Release' }).click()
      await seesToast(page, 'Success', 'Lead released')
      await sees(row, 'Success', 'green')
      expect(await row.getByText('Held', { exact: true }).count()).toBe(0)
      expect(await row.getByRole('button', { name: 'Resend Email' }).isDisabled()).toBe(false)
      expect((await mailTo(site.smtp, clinic.email)).text).toContain(lead.email)
      expect((await mailTo(site.smtp, lead.email)).subject).toBe('Your request has reached a provider near you')
    })

    it('says so when a lead cannot be released', async () => {
      const lead = await settledLead({ providerId: clinic.id, heldReason: 'too_fast' })
      const page = await site.open('/admin', { expectErrors: /status of 409/ })
      const row = rowOf(page, lead.email)
      await row.getByText('The form was sent within two seconds of opening the page').waitFor()

      await site.db('leads').update({ held_reason: null })
      await row.getByRole('button', { name: 'Release' }).click()
      await seesToast(page, 'Failed to release lead', '409: This lead is not held. There is nothing to release.')
      await row.getByText('Held', { exact: true }).waitFor({ state: 'detached' })
    })

    it('deletes a lead, and keeps the evidence of its consent', async () => {
      const lead = await settledLead()
      const page = await site.open('/admin')
      await deleteLead(page, rowOf(page, lead.email))
      await page.getByText('No leads yet.').waitFor()
      expect(await site.db('leads').where('id', lead.id)).toEqual([])
      expect(await site.db('consents').select('wording')).toEqual([{ wording: lead.acceptance_message }])
    })

    it('says so when the leads cannot be loaded', async () => {
      const page = await site.open('/admin', { expectErrors: /status of 500|ERR_CONNECTION_REFUSED/ })
      await page.getByText('Total: 0 leads').waitFor()
      await site.db.raw('alter table leads rename to leads_gone')
      try {
        await page.reload()
        const alert = page.getByRole('tabpanel').getByRole('alert')
        await alert.getByText('Error', { exact: true }).waitFor()
        await alert.getByText('500: Something went wrong on our side. Please try again.').waitFor()
      } finally {
        await site.db.raw('alter table leads_gone rename to leads')
      }

      await page.route(/api.leads/, (route) => route.abort('connectionrefused'))
      await page.reload()
      await page.getByRole('alert').getByText('Failed to load leads', { exact: true }).waitFor()
      await page.unroute(/api.leads/)

      await page.route(/api.providers/, (route) => route.abort('connectionrefused'))
      await page.reload()
      await page.getByRole('alert').getByText('Failed to load providers', { exact: true }).waitFor()
    })

    describe('when an action fails', () => {
      const ACTIONS: { does: string; title: string; act(page: Page): Promise<unknown> }[] = [
        {
          does: 'resending the e-mail',
          title: 'Failed to retry email',
          act: (page) => page.getByRole('button', { name: 'Resend Email' }).click(),
        },
        {
          does: 'telling the CRM again',
          title: 'Failed to retry CRM sync',
          act: (page) => page.getByRole('button', { name: 'Retry CRM Sync' }).click(),
        },
        {
          does: 'matching',
          title: 'Failed to update lead provider',
          act: (page) => page.getByRole('combobox').selectOption({ index: 1 }),
        },
        {
          does: 'deleting',
          title: 'Failed to delete lead',
          act: (page) => page.getByRole('button', { name: 'Delete' }).click(),
        },
      ]
      it.each(ACTIONS)('$does: says why', async ({ act, title }) => {
        await site.db('providers').update({ zip_code: '80202' })
        const lead = await settledLead({})
        const page = await site.open('/admin', { expectErrors: /status of (404|503)/ })
        await rowOf(page, lead.email).waitFor()

        await page.route(/api.leads.\d+/, (route) =>
          route.fulfill({ status: 503, contentType: 'text/html', body: '<h1>Not now</h1>' }),
        )
        await act(page)
        await seesToast(page, title, title === 'Failed to delete lead' ? `${title}: Service Unavailable` : '503: ')
        await page.unroute(/api.leads.\d+/)
        await expect.poll(() => page.locator('dialog, tbody :disabled').count()).toBe(0)

        await site.db('jobs').delete()
        await site.db('leads').delete()
        await act(page)
        await seesToast(page, title, '404: There is no such lead. It may have been deleted.')
        await page.getByText('No leads yet.').waitFor()
      })
    })
  },
  { ADMIN_ACCESS: 'open' },
)

function rowOf(page: Page, email: string): Locator {
  return page.getByRole('row').filter({ hasText: email })
}

async function deleteLead(page: Page, row: Locator): Promise<void> {
  await row.getByRole('button', { name: 'Delete' }).click()
  await seesToast(page, 'Success', 'Lead deleted successfully')
}

/** Opens a lead beside the list. */
async function openLead(page: Page, row: Locator): Promise<Locator> {
  await row.getByRole('link').first().click()
  const panel = page.getByRole('complementary')
  await panel.waitFor()
  return panel
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
