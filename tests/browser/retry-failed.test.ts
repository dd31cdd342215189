import { expect, it } from 'vitest'
import { createLead, createProvider } from '../support/factories.ts'
import { found } from '../support/found.ts'
import { waitFor } from '../support/wait.ts'
import { describeInBrowser } from './browser.ts'
import { isUsableByEverybody } from './inspect-page.ts'

describeInBrowser('what failed', (site) => {
  it('is shown with every attempt at it, and is tried again from the overview', async () => {
    const email = 'gone@clinics.example'
    const { id: providerId } = await createProvider(site.db, { email })
    site.smtp.answer((to) => (to === email ? { status: 550, text: '5.1.1 no such box' } : 'accept'))
    const leadId = await createLead(site.db, { providerId })
    await settled()
    const { id } = found(await site.db('jobs').where({ lead_id: leadId, purpose: 'provider' }).first('id'))
    const earlier = { job_id: id, started_at: '2026-01-02T10:00:00Z', next_attempt_at: '2026-01-02T10:01:00Z' }
    await site.db('job_attempts').insert({
      ...earlier,
      duration_ms: 1200,
      outcome: 'failed',
      status: 451,
      error: 'Not yet.',
      cause: 'busy',
      detail: '451 greylisted',
    })

    const page = await site.open(`/admin?lead=${leadId}`, { staff: true })
    const attempts = page.getByRole('list', { name: 'Attempts: E-mail to the clinic' })
    await attempts.getByText('Details: 451 greylisted').waitFor()
    await attempts.getByText(/^Details: .*no such box/).waitFor()
    await page.getByText('Correct the clinic’s e-mail address in WordPress').waitFor()
    await isUsableByEverybody(page, { name: 'lead with attempts' })

    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto('/admin?tab=overview')
    await page.getByRole('button', { name: 'Retry what failed...' }).click()
    const dialog = page.getByRole('dialog', { name: 'Retry what failed' })
    await dialog.getByText('1 delivery failed.').waitFor()
    await isUsableByEverybody(page, { name: 'retry what failed' })

    site.smtp.answer('accept')
    await dialog.getByRole('button', { name: 'Retry 1 delivery' }).click()
    await dialog.getByText('1 delivered, 0 refused, 0 waiting').waitFor()
    await dialog.getByText('Nothing is left to retry.').waitFor()
    await settled()
    expect(site.smtp.mails.filter(({ recipients }) => recipients[0] === email)).toHaveLength(1)

    await page.goto('/admin?tab=activity')
    await page.getByText('retried 1 failed delivery').waitFor()
  })

  async function settled(): Promise<void> {
    await waitFor('the deliveries', async () => {
      const open = await site.db('jobs').whereIn('state', ['waiting', 'enqueued'])
      return open.length === 0
    })
  }
})
