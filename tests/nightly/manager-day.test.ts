import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import type { NewLead } from '../../core/contract/forms.ts'
import { describeInBrowser } from '../browser/browser.ts'
import { hasFocus, isInSight, withoutDialing } from '../browser/page-actions.ts'
import { countOpenJobs } from '../support/deliveries.ts'
import { createLead, createProvider } from '../support/factories.ts'
import { waitFor } from '../support/wait.ts'
import { countJobs } from './count-actions.ts'

const LIST = '/admin?tab=leads'

describeInBrowser('a day of a manager with leads', (site) => {
  const doJob = countJobs('A day of a manager: leads')
  const clinic = { quill: 0, hart: 0 }

  beforeAll(async () => {
    clinic.quill = (await createProvider(site.db, { name: 'Dr. Rosa Quill', practice_name: 'Quill Urology' })).id
    const hart = { name: 'Dr. Ada Hart', practice_name: 'Mile High Wellness', zip_code: '80202' }
    clinic.hart = (await createProvider(site.db, hart)).id
    // Earlier leads, so that the list has a second page.
    await Promise.all(
      Array.from({ length: 42 }, (_, index) => lead(`Earlier Number${index}`, { providerId: clinic.quill })),
    )
    await site.db('leads').update({ created_at: site.db.raw(`created_at - interval '10 days'`) })
    await settled()
  })

  async function lead(
    name: string,
    { providerId, ...form }: { providerId?: number | undefined } & Partial<NewLead> = {},
  ): Promise<number> {
    const [first_name = '', last_name = ''] = name.split(' ')
    return createLead(site.db, { form: { first_name, last_name, ...form }, ...(providerId && { providerId }) })
  }

  async function settled(): Promise<void> {
    await waitFor('the deliveries', async () => (await countOpenJobs(site.db)) === 0)
  }

  it('finds a person by two letters, the clinic, the place or the number', async () => {
    const id = await lead('Keisha Obi', { providerId: clinic.hart, zip_code: '80203' })
    await lead('Sam Lark')
    const page = await site.open(LIST, { staff: true })
    const search = page.getByRole('searchbox')
    const startOver = async () => {
      await page.keyboard.press('Escape')
      await search.fill('')
      await row(page, 'Sam Lark').waitFor()
      await search.blur()
    }
    for (const text of ['ke', 'mile high', 'denver co', `#${id}`]) {
      await startOver()
      const name = `Find one person by “${text.replace(/\d+/, '432')}” and open the lead`
      await doJob({ name, page, most: { clicks: 2, texts: 1 } }, async (hand) => {
        await hand.click(search)
        await hand.type(text)
        await row(page, 'Sam Lark').waitFor({ state: 'detached' })
        await hand.click(row(page, 'Keisha Obi').getByRole('link', { name: 'Keisha Obi' }))
        await panel(page, 'Keisha Obi').waitFor()
      })
    }
    await startOver()
    await doJob({ name: 'The same by keyboard', page, most: { keys: 3, texts: 1 } }, async (hand) => {
      await hand.press('/')
      await hand.type('ke')
      await hand.press('Enter')
      await hasFocus(row(page, 'Keisha Obi'))
      await hand.press('Enter')
      await panel(page, 'Keisha Obi').waitFor()
    })
  })

  it('retries what the CRM refused today, and sees how that ended', async () => {
    site.crm.answer({ status: 400, body: 'contact_type is required' })
    for (const name of ['Refused One', 'Refused Two', 'Refused Three']) await lead(name, { providerId: clinic.quill })
    await settled()
    site.crm.answer(({ data }) =>
      data.lead.last_name === 'Two'
        ? { status: 400, body: 'contact_type is required' }
        : { status: 200, body: '{"id":"1"}' },
    )
    const page = await site.open(LIST, { staff: true })
    await row(page, 'Refused Three').waitFor()
    const report = page.getByRole('alert', { name: 'What failed' })
    const name = 'Retry everyone whose CRM sync failed today, and see how it ended'
    await doJob({ name, page, most: { clicks: 6 } }, async (hand) => {
      await hand.click(page.getByRole('button', { name: 'Filters' }))
      await hand.choose(page.getByRole('search').getByLabel('CRM Sync'), 'Failed')
      await hand.click(page.getByRole('button', { name: 'Today', exact: true }))
      await page.getByText('Total: 3 leads').waitFor()
      await hand.click(page.getByRole('checkbox', { name: 'Select every lead on this page' }))
      await hand.click(bar(page).getByRole('button', { name: 'Retry CRM Sync' }))
      await report.getByText('CRM sync of 3 leads: 2 delivered, 1 refused, 0 waiting').waitFor()
      await report.getByText('contact_type is required').waitFor()
    })
    site.crm.answer({ status: 200, body: '{"id":"1"}' })
    await page.goto('/admin?tab=attention')
    await page.getByRole('heading', { name: 'CRM does not accept leads 1' }).waitFor()
    await doJob({ name: 'The same from Needs attention', page, most: { clicks: 1 } }, async (hand) => {
      await hand.click(page.getByRole('button', { name: /^Retry 1:/ }))
      await page.getByRole('heading', { name: /^CRM does not accept/ }).waitFor({ state: 'detached' })
    })
  })

  it('works through the list on a phone', async () => {
    const page = await site.open(LIST, {
      staff: true,
      context: { viewport: { width: 390, height: 844 }, hasTouch: true },
    })
    const first = page.locator('tr[data-lead]').first()
    await first.waitFor()
    const call = first.getByRole('link', { name: /^Call / })
    await doJob({ name: 'Call a person from the list on a phone', page, most: { clicks: 1 } }, async (hand) => {
      await isInSight(call)
      expect(await call.getAttribute('href')).toMatch(/^tel:\+1\d{10}$/)
      await withoutDialing(call)
      await hand.click(call)
    })
    const fifteenth = await page
      .locator('tr[data-lead]')
      .nth(14)
      .evaluate((node) => node.getBoundingClientRect().bottom)
    console.log(`Fifteen leads on a phone of 390 × 844: ${(fifteenth / 844).toFixed(1)} screens`)
    expect(fifteenth / 844).toBeLessThan(2.5)
  })
})

const row = (page: Page, name: string) => page.locator('tr[data-lead]').filter({ hasText: name })
const bar = (page: Page) => page.getByRole('region', { name: 'Chosen leads' })
const panel = (page: Page, name: string) => page.getByRole('complementary', { name })
