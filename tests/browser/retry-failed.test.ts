import { beforeAll, expect, it } from 'vitest'
import { createLead, createProvider } from '../support/factories.ts'
import { waitFor } from '../support/wait.ts'
import { type BrowserSite, describeInBrowser } from './browser.ts'
import { isUsableByEverybody } from './inspect-page.ts'

describeInBrowser(
  'what failed',
  (site) => {
    let leadId: number
    beforeAll(async () => {
      const { id } = await createProvider(site.db, { email: 'gone@clinics.example' })
      site.smtp.answer((to) => (to === 'gone@clinics.example' ? { status: 550, text: '5.1.1 no such box' } : 'accept'))
      leadId = await createLead(site.db, { providerId: id })
      await settled(site)
    })

    it('is shown in the timeline with how long it took, and what to do', async () => {
      const page = await site.open(`/admin?lead=${leadId}`)
      const panel = page.getByRole('complementary')
      await panel
        .getByText(/^1 attempt, took [\d.]+ m?s$/)
        .first()
        .waitFor()
      await panel.getByText('Correct the clinic’s e-mail address in WordPress').waitFor()
    })

    it('is shown with every attempt where there were several', async () => {
      const { id } = await site.db('jobs').where({ lead_id: leadId, purpose: 'provider' }).first('id')
      const earlier = { job_id: id, started_at: '2026-01-02T10:00:00Z', next_attempt_at: '2026-01-02T10:01:00Z' }
      await site.db('job_attempts').insert([
        { ...earlier, duration_ms: 1200, outcome: 'failed', status: 451, error: 'Not yet: 451 greylisted' },
        { job_id: id, started_at: '2026-01-02T10:01:00Z' },
      ])
      const page = await site.open(`/admin?lead=${leadId}`)
      const attempts = page.getByRole('list', { name: 'Attempts: E-mail to the clinic' }).getByRole('listitem')
      await attempts.nth(2).waitFor()
      const texts = await attempts.allTextContents()
      expect(texts[0]).toMatch(/took 1\.2 sFailed \(451\): Not yet: 451 greylistedNext try/)
      expect(texts[1]).toContain('Cut off')
      expect(texts[2]).toMatch(/Failed \(550\)/)
      await isUsableByEverybody(page, { name: 'lead with attempts' })
      await site.db('job_attempts').where('started_at', '<', '2026-02-01').delete()
    })

    it('is tried again from the overview, all that failed since, and once', async () => {
      const page = await site.open('/admin?tab=overview')
      await page.getByRole('button', { name: 'Retry what failed...' }).click()
      const dialog = page.getByRole('dialog', { name: 'Retry what failed' })
      await dialog.getByText('1 delivery failed.').waitFor()
      await isUsableByEverybody(page, { name: 'retry what failed' })
      await dialog.getByLabel('Kind').selectOption('CRM calls')
      await dialog.getByText('Nothing failed that was not tried again.').waitFor()
      expect(await dialog.getByRole('button', { name: 'Retry', exact: true }).isDisabled()).toBe(true)

      await dialog.getByLabel('Kind').selectOption('All')
      await dialog.getByLabel('Failed in the').selectOption('Last 7 days')
      site.smtp.answer('accept')
      await dialog.getByRole('button', { name: 'Retry 1 delivery' }).click()
      await page.getByText('1 delivery tried again', { exact: true }).waitFor()
      await dialog.getByText('Nothing failed that was not tried again.').waitFor()
      await settled(site)
      expect(site.smtp.mails.filter(({ recipients }) => recipients[0] === 'gone@clinics.example')).toHaveLength(1)

      await page.goto('/admin?tab=activity')
      await page.getByText('tried everything again that had failed, 1 in all').waitFor()
    })
  },
  { ADMIN_ACCESS: 'open' },
)

async function settled(site: BrowserSite): Promise<void> {
  await waitFor('the deliveries', async () => {
    const open = await site.db('jobs').whereIn('state', ['waiting', 'enqueued'])
    return open.length === 0
  })
}
