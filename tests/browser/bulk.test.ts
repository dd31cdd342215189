import { expect, it } from 'vitest'
import { createLead, createProvider } from '../support/factories.ts'
import { waitFor } from '../support/wait.ts'
import { describeInBrowser } from './browser.ts'

describeInBrowser('a bulk action', (site) => {
  it('goes on without the page that asked for it, and is shown after a reload and in another tab', async () => {
    const { id: providerId } = await createProvider(site.db)
    for (let n = 0; n < 3; n++) await createLead(site.db, { form: { first_name: 'Bulk' }, providerId })
    await waitFor('the deliveries', async () => {
      return (await site.db('jobs').whereIn('state', ['waiting', 'enqueued'])).length === 0
    })
    let answer = () => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    site.crm.answer(async () => {
      await held
      return { status: 200, body: '{"id":"crm-1"}' }
    })
    const [page, other] = [
      await site.open('/admin?q=bulk', { staff: true }),
      await site.open('/admin?q=bulk', { staff: true }),
    ]
    await page.getByRole('checkbox', { name: 'Select every lead on this page' }).check()
    await page.getByRole('region', { name: 'Chosen leads' }).getByRole('button', { name: 'Retry CRM Sync' }).click()
    await page.getByText('Retrying CRM sync: 0 of 3').waitFor()
    await other.getByText('Retrying CRM sync: 0 of 3').waitFor()
    await page.reload()
    await page.getByText('Retrying CRM sync: 0 of 3').waitFor()

    answer()
    for (const tab of [page, other]) {
      const report = tab.getByRole('status', { name: 'Outcome' })
      await report.getByText('Successfully retried CRM sync of 3 leads').waitFor()
    }
    expect(await site.db('jobs').where({ name: 'sync-crm', generation: 2 }).pluck('id')).toHaveLength(3)
  })
})
