import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import * as auditLog from '../../core/stores/audit-log.ts'
import { createLead, createProvider, createStaff } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import { isUsableByEverybody } from './inspect-page.ts'

describeInBrowser(
  'the activity',
  (site) => {
    let provider: { id: number }
    beforeAll(async () => {
      provider = await createProvider(site.db, { name: 'Dr. Rosa Quill' })
    })
    beforeEach(async () => {
      await site.reset()
    })

    it('says that nothing has been done', async () => {
      const page = await site.open('/admin?tab=activity')
      await page.getByText('Nothing has been done yet.').waitFor()
      await page.getByText('Total: 0 actions').waitFor()
    })

    it('tells in words who did what, and leads to the lead', async () => {
      const { email } = await createStaff(site.db, { name: 'Ada Park' })
      const { id: newcomer } = await createStaff(site.db, { name: 'Ben Ito' })
      const id = await createLead(site.db)
      const lead = { actor: email, entity: 'lead', entityId: id } as const
      const staff = { actor: 'staff', entity: 'staff', entityId: newcomer } as const
      await auditLog.record(site.db, { ...lead, action: 'retry-sync' })
      await auditLog.record(site.db, { ...lead, action: 'assign-provider', details: { from: null, to: provider.id } })
      await auditLog.record(site.db, { ...staff, action: 'add', details: { email: 'x@y.example', role: 'viewer' } })
      await auditLog.record(site.db, { ...staff, action: 'change', details: { from: 'viewer', to: 'manager' } })
      await auditLog.countFailedSignIn(site.db, newcomer)
      await auditLog.countFailedSignIn(site.db, newcomer)
      await auditLog.record(site.db, { actor: 'command line', action: 'sync', entity: 'provider', entityId: 'all' })

      const page = await site.open('/admin?tab=activity')
      await page.getByText('Total: 6 actions').waitFor()
      await page.getByText('Dr. Rosa Quill').waitFor()
      expect(await told(page)).toEqual([
        'Command line read the providers from WordPress',
        'Somebody entered 2 wrong passwords for the account of Ben Ito',
        'Shared password made Ben Ito a manager, who was a viewer',
        'Shared password added the account of Ben Ito as viewer',
        `Ada Park gave lead #${id} to Dr. Rosa Quill`,
        `Ada Park told the CRM again about lead #${id}`,
      ])
      await isUsableByEverybody(page, { name: 'activity' })

      await page
        .getByRole('link', { name: `lead #${id}` })
        .first()
        .click()
      expect(new URL(page.url()).search).toBe(`?tab=leads&lead=${id}`)
    })

    it('is filtered by person and kind, and turned page by page, in the address', async () => {
      const { email } = await createStaff(site.db, { name: 'Ada Park' })
      for (let count = 0; count < 41; count++) {
        await auditLog.record(site.db, { actor: 'staff', action: 'delete', entity: 'lead', entityId: 1000 + count })
      }
      await auditLog.record(site.db, { actor: email, action: 'sync', entity: 'provider', entityId: 'all' })

      const page = await site.open('/admin?tab=activity')
      await page.getByText('Page 1 of 2', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Next' }).click()
      await page.getByText('Page 2 of 2', { exact: true }).waitFor()
      await page.getByText('deleted lead #1000').waitFor()
      await page.reload()
      await page.getByText('deleted lead #1000').waitFor()

      await page.getByLabel('Who', { exact: true }).selectOption('Ada Park')
      await page.getByText('Total: 1 actions').waitFor()
      expect(await told(page)).toEqual(['Ada Park read the providers from WordPress'])
      expect(new URL(page.url()).searchParams.get('actor')).toBe(email)
      await page.getByLabel('What it was about').selectOption('Leads')
      await page.getByText('Nothing like that was done.').waitFor()
      await page.getByRole('button', { name: 'Show everything' }).click()
      await page.getByText('Total: 42 actions').waitFor()
      await page.getByLabel('What was done').selectOption('Deleted')
      await page.getByText('Total: 41 actions').waitFor()
      await page.goBack()
      await page.getByText('Total: 42 actions').waitFor()
    })

    it('says so when it cannot be loaded', async () => {
      const page = await site.open('/', { expectErrors: /ERR_FAILED/ })
      await page.route('**/api/audit-log**', (route) => route.abort())
      await page.goto('/admin?tab=activity')
      await page.getByRole('alert').getByText('Failed to load the activity').waitFor()
    })
  },
  { ADMIN_ACCESS: 'open' },
)

/** Who did what, line by line. */
async function told(page: Page): Promise<string[]> {
  const lines = await page.getByRole('tabpanel').locator('tbody tr').all()
  return Promise.all(
    lines.map(async (line) => {
      const who = await line.locator('td').nth(1).locator('span.font-semibold').textContent()
      const what = await line.locator('td').nth(2).locator('p').textContent()
      return `${who} ${what}`.trim()
    }),
  )
}
