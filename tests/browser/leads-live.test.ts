import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { createLead, createProvider, leadForm } from '../support/factories.ts'
import { type BrowserSite, describeInBrowser } from './browser.ts'
import { violations } from './inspect-page.ts'
import { chooseInRow, pressInRow } from './page-actions.ts'

describeInBrowser('open dashboards', (site) => {
  beforeAll(async () => {
    await createProvider(site.db, { name: 'Dr. Rosa Quill', zip_code: '78701' })
  })

  it('show a new lead, and what becomes of it, wherever they are', async () => {
    site.crm.answer({ status: 422 })
    const [page, other] = [await openLive(site), await openLive(site)]
    const rowAt = (at: Page) => at.getByRole('row').filter({ hasText: email })

    const { email } = await send()
    for (const each of [page, other]) await rowAt(each).getByText('Failed', { exact: true }).waitFor()

    site.crm.answer({ status: 200 })
    await pressInRow(rowAt(page), 'Retry CRM Sync')
    await rowAt(other).getByText('Success', { exact: true }).waitFor()

    await chooseInRow(rowAt(page), 'Delete')
    await rowAt(other).waitFor({ state: 'detached' })
  })

  it('show an outcome that staff record elsewhere, which the filter and the export know', async () => {
    const form = leadForm()
    const { id: providerId } = await createProvider(site.db)
    await createLead(site.db, { form, providerId })
    const [page, other] = [await openLive(site), await openLive(site)]
    const rowAt = (at: Page) => at.getByRole('row').filter({ hasText: form.email })

    const unanswered = /^No answer yet$| left$/
    await rowAt(other).getByText(unanswered).waitFor()
    await rowAt(page).focus()
    await page.keyboard.press('s')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: 'Booked' }).check()
    expect(await violations(page)).toEqual([])
    await dialog.getByLabel(/^Value/).fill('1200')
    await page.keyboard.press('Enter')
    await rowAt(other).getByText('Booked', { exact: true }).waitFor()
    expect(await rowAt(other).getByText(unanswered).count()).toBe(0)

    await other.getByRole('button', { name: /^Filters/ }).click()
    await other.getByLabel('Outcome', { exact: true }).selectOption('None yet')
    await rowAt(other).waitFor({ state: 'detached' })
    await other.getByLabel('Outcome', { exact: true }).selectOption('Booked')
    await rowAt(other).waitFor()
    const [download] = await Promise.all([
      other.waitForEvent('download'),
      other.getByRole('link', { name: 'Export Leads CSV' }).click(),
    ])
    const csv = await readFile(await download.path(), 'utf8')
    expect(csv).toMatch(new RegExp(`${form.email}.*,booked,.*,1200,`))
  })

  it('keep their place, what is chosen and what is open', async () => {
    const ids: number[] = []
    for (let count = 0; count < 36; count++) ids.push(await createLead(site.db))
    const page = await openLive(site, `/admin?page=1&lead=${ids[34]}`)
    await page.getByRole('row').nth(3).getByRole('checkbox').check()
    await page.mouse.wheel(0, 900)
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(300)

    const { email } = await send()
    await page.getByRole('row').filter({ hasText: email }).waitFor()
    expect(await page.getByRole('row').nth(4).getByRole('checkbox').isChecked()).toBe(true)
    expect(await page.getByText('1 lead selected').count()).toBe(1)
    expect(await page.getByRole('complementary').getByRole('heading', { level: 2 }).count()).toBe(1)
    expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(300)
  })

  it('say when there is no stream, can be refreshed then, and read everything once it is back', async () => {
    const page = await site.open('/', { staff: true, expectErrors: /status of 503/ })
    await page.route('**/api/events', (route) => route.fulfill({ status: 503, body: 'not now' }))
    await page.goto('/admin?tab=leads')
    await page.getByText(/^Total: /).waitFor()
    const refresh = page.getByRole('status').getByRole('button', { name: 'Refresh' })
    await refresh.waitFor()
    const first = await send()
    await refresh.click()
    await page.getByText(first.email).waitFor()

    const missed = await send()
    await page.unroute('**/api/events')
    await page.getByText(missed.email).waitFor()
    await refresh.waitFor({ state: 'detached' })
    const told = await send()
    await page.getByText(told.email).waitFor()
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
})

let visitors = 0

/** Opens the dashboard, and waits until the server streams to it. */
async function openLive(site: BrowserSite, path = '/admin?tab=leads'): Promise<Page> {
  const page = await site.open('/success', { staff: true })
  const stream = page.waitForResponse((response) => response.url().endsWith('/api/events') && response.ok())
  await page.goto(path)
  await stream
  await page.getByText(/^Total: /).waitFor()
  return page
}
