import type { Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { SECOND } from '../../core/time.ts'
import { createLead, createProvider, leadForm } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import { holdCalls } from './page-actions.ts'

/** How soon everybody sees what has changed. */
const SOON = { timeout: 2 * SECOND, interval: 50 }

describeInBrowser(
  'open dashboards',
  (site) => {
    beforeEach(async () => {
      // Without starting the ids anew: the worker may still be busy with a lead of the test before.
      await site.reset()
      site.crm.answer({ status: 200 })
      await createProvider(site.db, { name: 'Dr. Rosa Quill', zip_code: '78701' })
    })

    it('show a new lead, and what becomes of it, within two seconds, wherever they are', async () => {
      site.crm.answer({ status: 422 })
      const pages = [await site.open('/admin'), await site.open('/admin')]
      for (const page of pages) await isLive(page)

      const { email } = await send()
      for (const page of pages) {
        await expect.poll(() => page.getByText(email).count(), SOON).toBe(1)
        await expect.poll(() => page.getByRole('tab', { name: 'Leads (1)' }).count(), SOON).toBe(1)
      }
      const [page, other] = pages as [Page, Page]
      const status = (at: Page) => at.getByRole('row').filter({ hasText: email })
      await status(page).getByText('Failed', { exact: true }).waitFor()
      await status(other).getByText('Failed', { exact: true }).waitFor()

      site.crm.answer({ status: 200 })
      await status(page).getByRole('button', { name: 'Retry CRM Sync' }).click()
      await status(other).getByText('Success', { exact: true }).waitFor()

      await status(page).getByRole('button', { name: 'Delete' }).click()
      await expect.poll(() => other.getByText(email).count(), SOON).toBe(0)
    })

    it('keep their place, what is chosen and what is open', async () => {
      const ids: number[] = []
      for (let count = 0; count < 41; count++) ids.push(await createLead(site.db))
      const page = await site.open(`/admin?page=1&lead=${ids[39]}`)
      await isLive(page)
      const chosen = page.getByRole('row').nth(3).getByRole('checkbox')
      await chosen.check()
      const name = await chosen.getAttribute('aria-label')
      await page.mouse.wheel(0, 900)
      await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(300)

      const { email } = await send()
      await expect.poll(() => page.getByText(email).count(), SOON).toBe(1)
      expect(
        await page
          .getByRole('row')
          .nth(4)
          .getByRole('checkbox', { name: String(name) })
          .isChecked(),
      ).toBe(true)
      expect(await page.getByText('1 lead selected').count()).toBe(1)
      expect(await page.getByRole('complementary').getByRole('heading', { level: 2 }).count()).toBe(1)
      expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(300)
    })

    it('ask now and then while there is no stream, and come back to it', async () => {
      const page = await site.open('/', { expectErrors: /status of 503/ })
      await page.route('**/api/events', (route) => route.fulfill({ status: 503, body: 'not now' }))
      await page.goto('/admin')
      await page.getByText('No leads yet.').waitFor()
      const { email } = await send()
      await page.getByText(email).waitFor()

      await page.unroute('**/api/events')
      await page.waitForResponse(/api.events/)
      const second = await send()
      await expect.poll(() => page.getByText(second.email).count(), SOON).toBe(1)
    })

    it('do not start a call anew for each of many changes', async () => {
      const page = await site.open('/admin')
      await isLive(page)
      const { release, calls } = await holdCalls(page, /api.leads\?/)
      for (let count = 0; count < 5; count++) {
        await send()
        await page.waitForTimeout(0.3 * SECOND)
      }
      expect(calls()).toBe(1)
      release()
      await page.getByText('Total: 5 leads', { exact: true }).waitFor()
    })

    /** As a visitor does, each from an address of their own. */
    async function send() {
      const lead = leadForm()
      const response = await fetch(new URL('/api/leads', site.url), {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `192.0.2.${++visitors}` },
        body: JSON.stringify(lead),
      })
      expect(response.status).toBe(201)
      return lead
    }
  },
  { ADMIN_ACCESS: 'open' },
)

let visitors = 0

/** Waits for the stream, and for what it makes the page read at first. */
async function isLive(page: Page): Promise<void> {
  await page.getByText(/^Total: /).waitFor()
  await page.waitForLoadState('load')
  await page.waitForTimeout(SECOND)
}
