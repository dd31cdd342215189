import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { dayOf } from '../../core/dates.ts'
import { DEFAULT_TIME_ZONE } from '../../core/env.ts'
import { createLead, createProvider } from '../support/factories.ts'
import { waitFor } from '../support/wait.ts'
import { type BrowserSite, describeInBrowser } from './browser.ts'
import { isUsableByEverybody } from './inspect-page.ts'

const DAY = 24 * 60 * 60 * 1000

describeInBrowser('the overview', (site) => {
  beforeAll(() => fill(site))

  it('shows how a period went, in figures, bars and words, and keeps the period in the address', async () => {
    const page = await openOverview(site)
    await figure(page, 'Leads received').getByText('31', { exact: true }).waitFor()
    await figure(page, 'Matched with a provider').getByText('27 matched, 3 unmatched').waitFor()
    await figure(page, 'E-mails delivered').getByText('2 failed, 0 under way').waitFor()
    await figure(page, 'Leads in the CRM').getByText('100%', { exact: true }).waitFor()
    await page.getByText('The mailbox does not exist.').waitFor()
    await page.getByText(/A clinic near Boise, ID would have taken the most of them: 2 leads; the nearest/).waitFor()

    await page.locator('.recharts-bar-rectangle path').first().waitFor()
    await page.getByRole('application', { name: 'Leads per day' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.getByText(/^\d+ received$/).waitFor()

    await page.getByRole('button', { name: '90 days' }).click()
    await figure(page, 'Leads received').getByText('32', { exact: true }).waitFor()
    expect(new URL(page.url()).searchParams.get('days')).toBe('90')
    await page.reload()
    await page.getByRole('button', { name: '90 days', pressed: true }).waitFor()
    await figure(page, 'Leads received').getByText('32', { exact: true }).waitFor()
    await page.getByLabel('From').fill(isoDay(70))
    await page.getByLabel('To', { exact: true }).fill(isoDay(50))
    await figure(page, 'Leads received').getByText('1', { exact: true }).waitFor()
    expect(new URL(page.url()).search).toBe(`?tab=overview&from=${isoDay(70)}&to=${isoDay(50)}`)
  })

  it('can be used by everybody, as charts and as tables', async () => {
    const page = await openOverview(site)
    await page.locator('.recharts-bar-rectangle path').first().waitFor()
    await isUsableByEverybody(page, { name: 'overview' })
    const buttons = page.getByRole('button', { name: 'Show as table' })
    while (await buttons.count()) await buttons.first().click()
    await isUsableByEverybody(page, { name: 'overview as tables' })
  })
})

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
  const page = await site.open('/admin?tab=overview', { staff: true })
  await figure(page, 'Leads received').waitFor()
  return page
}

function figure(page: Page, name: string) {
  return page.locator('dl > div').filter({ has: page.getByText(name, { exact: true }) })
}

/** A day of the network some days ago. */
function isoDay(age: number): string {
  return dayOf(new Date(Date.now() - age * DAY), DEFAULT_TIME_ZONE)
}
