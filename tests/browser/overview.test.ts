import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { createLead, createProvider } from '../support/factories.ts'
import { waitFor } from '../support/wait.ts'
import { type BrowserSite, describeInBrowser } from './browser.ts'
import { isUsableByEverybody } from './inspect-page.ts'
import { holdCalls } from './page-actions.ts'

const DAY = 24 * 60 * 60 * 1000

describeInBrowser(
  'the overview',
  (site) => {
    beforeAll(() => fill(site))

    it('shows how a period went, in figures', async () => {
      const page = await openOverview(site)
      await figure(page, 'Leads received').getByText('31', { exact: true }).waitFor()
      await figure(page, 'Leads received').getByText('1 held for somebody to look at').waitFor()
      await figure(page, 'Matched with a provider').getByText('90%', { exact: true }).waitFor()
      await figure(page, 'Matched with a provider').getByText('27 matched, 3 unmatched').waitFor()
      await figure(page, 'E-mails delivered').getByText('2 failed, 0 under way').waitFor()
      await figure(page, 'Leads in the CRM').getByText('100%', { exact: true }).waitFor()
      await figure(page, 'Time to the CRM')
        .getByText(/Median of 30 leads; 95% within/)
        .waitFor()
    })

    it('leads from a figure to its leads', async () => {
      const page = await openOverview(site)
      const link = page.getByRole('link', { name: '3 unmatched' })
      const query = new URL(String(await link.getAttribute('href')), site.url).searchParams
      expect(Object.fromEntries(query)).toMatchObject({ tab: 'leads', unmatched: 'true', to: isoDay(0) })
    })

    it('shows the leads of each day as bars and as a table', async () => {
      const page = await openOverview(site)
      const chart = page.getByRole('region', { name: 'Leads per day', exact: true })
      await chart.locator('.recharts-bar-rectangle path').first().waitFor()
      for (const kind of ['Matched', 'Unmatched', 'Held']) await chart.getByText(kind, { exact: true }).waitFor()

      await chart.getByRole('button', { name: 'Show as table' }).click()
      const rows = chart.getByRole('row')
      expect(await rows.count()).toBe(31)
      expect(await rows.nth(1).getByRole('cell').allTextContents()).toEqual(['6', '2', '3', '1'])
      await chart.getByRole('button', { name: 'Show as table', pressed: true }).click()
      await chart.locator('.recharts-bar-rectangle path').first().waitFor()
    })

    it('tells the day under the keyboard in words', async () => {
      const page = await openOverview(site)
      await page.locator('.recharts-bar-rectangle path').first().waitFor()
      await page.locator('svg.recharts-surface[tabindex="0"]').focus()
      await page.keyboard.press('ArrowRight')
      await page.getByText(/^\d+ received$/).waitFor()
    })

    it('says what fails, and what mends it', async () => {
      const page = await openOverview(site)
      const card = page.getByRole('region', { name: 'Failures by cause', exact: true })
      await card.getByText('The mailbox does not exist.').waitFor()
      await card.getByText('2 failed').waitFor()
      await card.getByText('Check the e-mail address, of the clinic above all, then resend.').waitFor()
      await card.getByRole('button', { name: 'Show as table' }).click()
      expect(await card.getByRole('row').nth(1).getByRole('cell').allTextContents()).toEqual([
        'E-mail',
        '2',
        '0',
        'Check the e-mail address, of the clinic above all, then resend.',
      ])
    })

    it('says where a clinic is missing', async () => {
      const page = await openOverview(site)
      const card = page.getByRole('region', { name: 'Where to recruit', exact: true })
      await card.getByText(/A clinic near Boise, ID would have taken the most of them: 2 leads; the nearest/).waitFor()
      await card.getByRole('img', { name: /^Map of the United States with 2 zip codes/ }).waitFor()
      await card.getByText(/^83702, nearest provider 1,\d\d\d miles away$/).waitFor()
      await card.getByRole('button', { name: 'Show as table' }).click()
      expect(await card.getByRole('rowheader').allTextContents()).toEqual(['83702', '99901'])
    })

    it('keeps the period in the address', async () => {
      const page = await openOverview(site)
      await page.getByRole('button', { name: '90 days' }).click()
      await figure(page, 'Leads received').getByText('32', { exact: true }).waitFor()
      expect(new URL(page.url()).searchParams.get('days')).toBe('90')
      await page.reload()
      await figure(page, 'Leads received').getByText('32', { exact: true }).waitFor()
      expect(await page.getByRole('button', { name: '90 days' }).getAttribute('aria-pressed')).toBe('true')

      await page.getByLabel('From').fill(isoDay(70))
      await page.getByLabel('To', { exact: true }).fill(isoDay(50))
      await figure(page, 'Leads received').getByText('1', { exact: true }).waitFor()
      expect(new URL(page.url()).search).toBe(`?tab=overview&from=${isoDay(70)}&to=${isoDay(50)}`)
    })

    it('says what it cannot show', async () => {
      const page = await site.open('/', { expectErrors: /status of (422|400|500|503)|ERR_FAILED/ })
      const { release } = await holdCalls(page, '**/api/overview**')
      await page.goto('/admin?tab=overview')
      await page.getByText('Loading...', { exact: true }).waitFor()
      release()
      await figure(page, 'Leads received').waitFor()

      await page.goto(`/admin?tab=overview&from=2026-02-02&to=2026-02-01`)
      await page.getByRole('alert').getByText('The last day must not be before the first.').waitFor()
      await page.goto('/admin?tab=overview&from=2025-02-01&to=2025-02-03')
      await page.getByText('No leads in this period.').waitFor()

      await page.route('**/api/overview**', (route) => route.abort())
      await page.goto('/admin?tab=overview')
      await page.getByRole('alert').getByText('Failed to load the overview').waitFor()
    })

    it('can be used by everybody', async () => {
      const page = await openOverview(site)
      await page.locator('.recharts-bar-rectangle path').first().waitFor()
      await page.getByRole('img', { name: /^Map of the United States/ }).waitFor()
      await isUsableByEverybody(page, { name: 'overview' })
    })

    it('can be used by everybody as tables', async () => {
      const page = await openOverview(site)
      const buttons = page.getByRole('button', { name: 'Show as table', pressed: false })
      while (await buttons.count()) await buttons.first().click()
      await isUsableByEverybody(page, { name: 'overview as tables' })
    })
  },
  { ADMIN_ACCESS: 'open' },
)

/** 27 leads in thirty days that found a clinic, two of them one without a mailbox; three that found none; one held. */
async function fill(site: BrowserSite): Promise<void> {
  const { id } = await createProvider(site.db)
  const unreachable = await createProvider(site.db, { email: 'gone@clinics.example' })
  site.smtp.answer((to) => (to === 'gone@clinics.example' ? { status: 550, text: '5.1.1 no such box' } : 'accept'))
  for (let age = 1; age <= 25; age++) await leadOf(site, age, { providerId: id })
  await leadOf(site, 60, { providerId: id })
  for (let count = 0; count < 2; count++) await leadOf(site, 0, { providerId: unreachable.id })
  for (const zip_code of ['83702', '83702', '99901']) await leadOf(site, 0, { form: { zip_code } })
  await leadOf(site, 0, { providerId: id, heldReason: 'honeypot' })
  await waitFor(
    'the deliveries',
    async () => {
      const open = await site.db('jobs').whereIn('state', ['waiting', 'enqueued'])
      return open.length === 0
    },
    { within: 60_000 },
  )
}

async function leadOf(site: BrowserSite, age: number, lead: Parameters<typeof createLead>[1]): Promise<void> {
  const id = await createLead(site.db, lead)
  const created_at = new Date(Date.now() - age * DAY)
  await site.db('leads').where({ id }).update({ created_at })
}

async function openOverview(site: BrowserSite): Promise<Page> {
  const page = await site.open('/admin?tab=overview')
  await figure(page, 'Leads received').waitFor()
  return page
}

function figure(page: Page, name: string) {
  return page.locator('dl > div').filter({ has: page.getByText(name, { exact: true }) })
}

/** A day some days ago, in UTC. */
function isoDay(age: number): string {
  return new Date(Date.now() - age * DAY).toISOString().slice(0, 10)
}
