import type { Locator, Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { SECOND } from '../../core/time.ts'
import { createLead, createProvider } from '../support/factories.ts'
import { waitFor } from '../support/wait.ts'
import { describeInBrowser } from './browser.ts'
import { violations } from './inspect-page.ts'
import { holdCalls, seesToast } from './page-actions.ts'

describeInBrowser(
  'acting on leads',
  (site) => {
    let clinic: { id: number }
    beforeEach(async () => {
      // Without starting the ids anew: the worker may still be busy with a lead of the test before.
      await site.reset()
      site.crm.answer({ status: 200 })
      clinic = await createProvider(site.db, { name: 'Dr. Rosa Quill', zip_code: '80202' })
    })

    /** Leads by their last names, the first one being the oldest. */
    async function leads(...names: string[]): Promise<number[]> {
      const ids: number[] = []
      for (const last_name of names) {
        ids.push(await createLead(site.db, { form: { first_name: 'Lead', last_name }, providerId: clinic.id }))
      }
      return ids
    }
    const stored = () => site.db('leads').orderBy('id').pluck('last_name')
    const box = (page: Page, name: string) => page.getByRole('checkbox', { name: `Choose Lead ${name}` })
    const bar = (page: Page) => page.getByRole('region', { name: 'Chosen leads' })

    it('deletes one at once, and takes it back', async () => {
      await leads('One', 'Two')
      const page = await site.open('/admin')
      await rowOf(page, 'One').getByRole('button', { name: 'Delete' }).click()
      await seesToast(page, 'Success', 'Lead deleted successfully')
      await page.getByText('Total: 1 leads', { exact: true }).waitFor()
      expect(await stored()).toEqual(['Two'])
      expect(await violations(page)).toEqual([])

      await page.getByRole('button', { name: 'Undo' }).click()
      await seesToast(page, 'Success', '1 lead restored successfully')
      await page.getByText('Total: 2 leads', { exact: true }).waitFor()
      expect(await stored()).toEqual(['One', 'Two'])
    })

    it('takes a deletion back by keyboard, and offers it for ten seconds', async () => {
      await leads('One', 'Two')
      const page = await site.open('/admin')
      await rowOf(page, 'One').getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('button', { name: 'Undo' }).waitFor()
      await page.keyboard.press('u')
      await page.getByText('Total: 2 leads', { exact: true }).waitFor()

      await rowOf(page, 'One').getByRole('button', { name: 'Delete' }).click()
      const undo = page.getByRole('button', { name: 'Undo' })
      await undo.getByText(/^[89]$/).waitFor()
      await undo.waitFor({ state: 'detached', timeout: 12_000 })
    })

    it('does the same to several, chosen one by one and as a range', async () => {
      await leads('One', 'Two', 'Three', 'Four', 'Five')
      await settled()
      const page = await site.open('/admin')
      await box(page, 'Five').check()
      await box(page, 'Three').click({ modifiers: ['Shift'] })
      await bar(page).getByText('3 leads selected', { exact: true }).waitFor()
      expect(await box(page, 'Four').isChecked()).toBe(true)
      await box(page, 'Four').uncheck()

      await bar(page).getByRole('button', { name: 'Retry CRM Sync' }).click()
      await seesToast(page, 'Success', 'Successfully retried CRM sync of 2 leads')
      await bar(page).waitFor({ state: 'detached' })
      const retried = await site.db('jobs').where({ name: 'sync-crm', generation: 2 }).pluck('lead_id')
      expect(retried).toHaveLength(2)
    })

    it('asks before it deletes several, says what failed, and takes back the rest', async () => {
      const [first = 0] = await leads('One', 'Two', 'Three')
      const page = await site.open('/admin')
      await page.getByRole('checkbox', { name: 'Choose every lead of this page' }).check()
      await bar(page).getByRole('button', { name: 'Delete' }).click()
      const dialog = page.getByRole('dialog', { name: 'Delete 3 leads?' })
      await dialog.getByText('You can undo this for 10 seconds.').waitFor()
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      expect(await stored()).toHaveLength(3)

      // Nobody announces that this one is gone.
      await site.db('leads').where('id', first).delete()
      await bar(page).getByRole('button', { name: 'Delete' }).click()
      await dialog.getByRole('button', { name: 'Delete 3 leads' }).click()
      await seesToast(page, 'Success', '2 leads deleted successfully')
      const report = page.getByRole('alert', { name: 'What failed' })
      await report.getByText('Failed to delete lead: 1 of 3 leads').waitFor()
      await report.getByText('There is no such lead. It may have been deleted.').waitFor()
      expect(await violations(page)).toEqual([])

      await page.getByRole('button', { name: 'Undo' }).click()
      await seesToast(page, 'Success', '2 leads restored successfully')
      await page.getByText('Total: 2 leads', { exact: true }).waitFor()
      await report.getByRole('button', { name: 'Close report' }).click()
      await report.waitFor({ state: 'detached' })
    })

    it('matches several with a provider', async () => {
      const ids = [await createLead(site.db), await createLead(site.db, { heldReason: 'honeypot' })]
      const page = await site.open('/admin')
      await page.getByRole('checkbox', { name: 'Choose every lead of this page' }).check()
      await bar(page).getByRole('button', { name: 'Match with provider...' }).click()
      const dialog = page.getByRole('dialog', { name: 'Match 2 leads with a provider' })
      await dialog.getByRole('combobox').selectOption({ label: 'Dr. Rosa Quill - 80202' })
      expect(await violations(page)).toEqual([])
      await dialog.getByRole('button', { name: 'Match 2 leads' }).click()
      await seesToast(page, 'Success', 'Provider of 2 leads updated successfully')
      expect(await site.db('leads').whereIn('id', ids).pluck('provider_id')).toEqual([clinic.id, clinic.id])
    })

    it('does it to all that match, on whatever page, and only to those', async () => {
      await leads(...Array.from({ length: 42 }, (_, index) => `Many${index}`))
      await leads('Other')
      const page = await site.open('/admin?q=Many')
      await page.getByText('Page 1 of 2', { exact: true }).waitFor()
      await page.getByRole('checkbox', { name: 'Choose every lead of this page' }).check()
      await bar(page).getByText('40 leads selected', { exact: true }).waitFor()
      await bar(page).getByRole('button', { name: 'Select all 42 that match' }).click()
      await bar(page).getByText('All 42 leads selected', { exact: true }).waitFor()
      await bar(page).getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete 42 leads' }).click()
      await seesToast(page, 'Success', '42 leads deleted successfully')
      expect(await stored()).toEqual(['Other'])
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('Total: 42 leads', { exact: true }).waitFor()
    })

    it('says so when others have changed what matches', async () => {
      const [first = 0] = await leads(...Array.from({ length: 42 }, (_, index) => `Many${index}`))
      const page = await site.open('/admin', { expectErrors: /status of 409/ })
      await page.getByRole('checkbox', { name: 'Choose every lead of this page' }).check()
      await bar(page).getByRole('button', { name: 'Select all 42 that match' }).click()
      // It has not been seen here yet.
      const { release } = await holdCalls(page, /api.leads\?/)
      await page.waitForTimeout(SECOND)
      await site.db('leads').where('id', first).delete()
      await bar(page).getByRole('button', { name: 'Retry CRM Sync' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Retry CRM Sync of 42 leads' }).click()
      await seesToast(page, 'Failed to retry CRM sync', '41 leads match now, not 42')
      release()
      await page.getByText('Total: 41 leads', { exact: true }).waitFor()
    })

    it('goes by keyboard', async () => {
      await leads('One', 'Two', 'Three')
      const page = await site.open('/admin')
      await rowOf(page, 'One').waitFor()
      await page.keyboard.press('j')
      expect(await focused(page)).toContain('Lead Three')
      await page.keyboard.press('ArrowDown')
      expect(await focused(page)).toContain('Lead Two')
      await page.keyboard.press('x')
      await bar(page).getByText('1 lead selected', { exact: true }).waitFor()
      await page.keyboard.press('x')
      await bar(page).waitFor({ state: 'detached' })

      await page.keyboard.press('Enter')
      await page.getByRole('complementary', { name: 'Lead Two' }).waitFor()
      await page.keyboard.press('k')
      await page.getByRole('complementary', { name: 'Lead Three' }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('complementary').waitFor({ state: 'detached' })
      await expect.poll(() => focused(page)).toContain('Lead Three')

      await page.keyboard.press('?')
      const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
      await keys.getByText('Undo the deletion').waitFor()
      await page.keyboard.press('j')
      await page.keyboard.press('Escape')
      await keys.waitFor({ state: 'detached' })

      await page.keyboard.press('/')
      await page.keyboard.type('jxk?u')
      expect(await page.getByRole('searchbox').inputValue()).toBe('jxk?u')
      expect(await page.getByRole('dialog').count()).toBe(0)
      expect(await bar(page).count()).toBe(0)
    })

    /** Waits until everything has been delivered. */
    async function settled(): Promise<void> {
      await waitFor('the deliveries', async () => {
        return (await site.db('jobs').whereIn('state', ['waiting', 'enqueued'])).length === 0
      })
    }
  },
  { ADMIN_ACCESS: 'open' },
)

function rowOf(page: Page, name: string): Locator {
  return page.getByRole('row').filter({ hasText: `Lead ${name}` })
}

function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.textContent ?? '')
}
