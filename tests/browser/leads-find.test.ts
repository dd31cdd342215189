import type { Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { createLead, createProvider, createStaff, leadForm, staffHeaders } from '../support/factories.ts'
import { waitFor } from '../support/wait.ts'
import { describeInBrowser } from './browser.ts'
import { isUsableByEverybody } from './inspect-page.ts'
import { holdCalls, losesSession, signIn } from './page-actions.ts'

describeInBrowser('finding leads', (site) => {
  let clinic: { id: number }
  beforeEach(async () => {
    // Without starting the ids anew: the worker may still be busy with a lead of the test before.
    await site.reset()
    clinic = await createProvider(site.db, { name: 'Dr. Rosa Quill' })
    for (const [first_name, last_name, zip_code, providerId] of [
      ['Anna', 'Zeller', '78702', clinic.id],
      ['Bruno', 'Moss', '60601', undefined],
      ['Carl', 'Avery', '04401', clinic.id],
    ] as const) {
      await createLead(site.db, { form: { first_name, last_name, zip_code }, providerId })
    }
  })

  const open = (path = '/admin', visitor = {}) => site.open(path, { staff: true, ...visitor })

  it('goes by words, and its address can be shared and gone back to', async () => {
    const page = await open()
    await sees(page, ['Carl Avery', 'Bruno Moss', 'Anna Zeller'])
    await page.keyboard.press('/')
    await page.keyboard.type('zel')
    await sees(page, ['Anna Zeller'])
    await page.getByText('Total: 1 leads', { exact: true }).waitFor()
    await page.getByRole('tab', { name: 'Leads (3)' }).waitFor()
    expect(new URL(page.url()).search).toBe('?q=zel')

    await page.getByRole('searchbox').fill('nobody')
    await page.getByText('No lead matches.').waitFor()
    expect(await page.getByText('No leads yet').count()).toBe(0)
    await page.goBack()
    await sees(page, ['Carl Avery', 'Bruno Moss', 'Anna Zeller'])
    expect(await page.getByRole('searchbox').inputValue()).toBe('')

    await page.goto('/admin?q=60601')
    await sees(page, ['Bruno Moss'])
    expect(await page.getByRole('searchbox').inputValue()).toBe('60601')
    await page.getByRole('button', { name: 'Clear all' }).click()
    await sees(page, ['Carl Avery', 'Bruno Moss', 'Anna Zeller'])
    expect(new URL(page.url()).search).toBe('')
  })

  it('goes by what became of them', async () => {
    await createLead(site.db, { form: { first_name: 'Dora', last_name: 'Held' }, heldReason: 'honeypot' })
    await waitFor('the deliveries', async () => {
      return (await site.db('jobs').whereIn('state', ['waiting', 'enqueued'])).length === 0
    })
    await site.db('leads').where('last_name', 'Avery').update({ crm_sync_status: 'failed', created_at: '2026-03-05' })
    const page = await open()
    await page.getByRole('button', { name: 'Unmatched' }).click()
    await sees(page, ['Dora Held', 'Bruno Moss'])
    await page.getByRole('button', { name: 'Held', exact: true }).click()
    await sees(page, ['Dora Held'])
    expect(await page.getByRole('button', { name: 'Held', exact: true }).getAttribute('aria-pressed')).toBe('true')
    await page.getByRole('button', { name: 'Clear all' }).click()

    await page.getByRole('button', { name: 'Failed', exact: true }).click()
    await sees(page, ['Carl Avery'])
    await page.getByRole('button', { name: 'Clear all' }).click()

    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByLabel('CRM Sync', { exact: true }).selectOption('Failed')
    await sees(page, ['Carl Avery'])
    await page.getByRole('button', { name: 'Filters (1)' }).waitFor()
    await page.getByLabel('CRM Sync', { exact: true }).selectOption('Any')
    await page.getByRole('search').getByLabel('Provider').selectOption({ label: 'Dr. Rosa Quill - 78701' })
    await sees(page, ['Anna Zeller', 'Carl Avery'])
    await page.getByLabel('To (UTC)').fill('2026-03-05')
    await sees(page, ['Carl Avery'])

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export Leads CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('leads.csv')
    const chunks: Buffer[] = []
    for await (const chunk of await download.createReadStream()) chunks.push(chunk)
    const csv = Buffer.concat(chunks).toString()
    expect(csv).toContain('Avery')
    expect(csv).not.toContain('Zeller')
  })

  it('sorts by what its column is headed with', async () => {
    const page = await open()
    const head = (name: string) => page.getByRole('columnheader', { name })
    await sees(page, ['Carl Avery', 'Bruno Moss', 'Anna Zeller'])
    expect(await head('Date').getAttribute('aria-sort')).toBe('descending')
    await head('Contact').getByRole('button').click()
    await sees(page, ['Carl Avery', 'Bruno Moss', 'Anna Zeller'])
    expect(await head('Contact').getAttribute('aria-sort')).toBe('ascending')
    expect(await head('Date').getAttribute('aria-sort')).toBe('none')
    await head('Contact').getByRole('button').click()
    await sees(page, ['Anna Zeller', 'Bruno Moss', 'Carl Avery'])
    await head('Zip Code').getByRole('button').click()
    await sees(page, ['Carl Avery', 'Bruno Moss', 'Anna Zeller'])
    expect(new URL(page.url()).search).toBe('?sort=zip_code')
  })

  it('leaves the rows in sight while others are on their way', async () => {
    const page = await open()
    await sees(page, ['Carl Avery', 'Bruno Moss', 'Anna Zeller'])
    const { release } = await holdCalls(page, /api.leads\?.*q=moss/)
    await page.getByRole('searchbox').fill('moss')
    await page.locator('table[aria-busy=true]').waitFor()
    expect(await page.getByText('Anna Zeller').count()).toBe(1)
    release()
    await sees(page, ['Bruno Moss'])
    await page.locator('table[aria-busy=false]').waitFor()
  })

  it('exports nothing where there is nothing', async () => {
    await site.reset()
    const page = await open()
    await page.getByText('No leads yet.').waitFor()
    expect(await page.getByRole('button', { name: 'Export Leads CSV' }).isDisabled()).toBe(true)
  })

  it('opens a lead beside the list, by its address too, and gives the focus back', async () => {
    const page = await open()
    await page.getByRole('link', { name: 'Bruno Moss' }).click()
    const panel = page.getByRole('complementary', { name: 'Bruno Moss' })
    await panel.getByText('SHA-256').waitFor()
    await panel.getByText('No clinic yet').waitFor()
    expect(new URL(page.url()).searchParams.get('lead')).toMatch(/^\d+$/)
    await page.getByRole('button', { name: 'Unmatched' }).click()
    await sees(page, ['Bruno Moss'])
    await panel.waitFor()

    await page.reload()
    await panel.waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await expect.poll(() => focused(page)).toContain('Bruno Moss')

    // On a phone it takes the place of the list.
    await page.setViewportSize({ width: 390, height: 800 })
    await page.getByRole('link', { name: 'Bruno Moss' }).click()
    await panel.waitFor()
    expect(await page.getByRole('table').count()).toBe(0)
    await panel.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('table').waitFor()
    await expect.poll(() => focused(page)).toContain('Bruno Moss')
  })

  it('is where it was, once somebody whose session has ended signs in again', async () => {
    for (let count = 0; count < 38; count++) await createLead(site.db, { providerId: clinic.id })
    await createLead(site.db, { form: { first_name: 'Dana', last_name: 'Latest' }, providerId: clinic.id })
    const page = await open(`/admin?provider_id=${clinic.id}&sort=created_at`, { expectErrors: /status of 401/ })
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('Page 2 of 2', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Dana Latest' }).click()
    const panel = page.getByRole('complementary', { name: 'Dana Latest' })
    await panel.waitFor()
    const address = page.url()
    expect(new URL(address).search).toMatch(/provider_id=\d+.*page=2.*lead=\d+/)

    await losesSession(page, site.db, panel.getByRole('button', { name: 'Resend Email' }))
    expect(await panel.count()).toBe(0)

    await signIn(page)
    await panel.getByText('SHA-256').waitFor()
    await page.getByText('Page 2 of 2', { exact: true }).waitFor()
    await sees(page, ['Dana Latest'])
    expect(page.url()).toBe(address)
  })

  it('says so when a lead is gone', async () => {
    const page = await open('/admin?lead=2147483647', { expectErrors: /status of 404/ })
    await page
      .getByRole('complementary', { name: 'Lead #2147483647' })
      .getByText('404: There is no such lead. It may have been deleted.')
      .waitFor()
  })

  it('tells where a visitor came from', async () => {
    const { last_name } = leadForm()
    const attribution = {
      first: { landing_page: '/?utm_source=journal', referrer: 'https://journal.example/', utm_source: 'journal' },
      last: { landing_page: '/start', referrer: '' },
    }
    const id = await createLead(site.db, { form: { last_name, attribution } as Parameters<typeof leadForm>[0] })
    const page = await open(`/admin?lead=${id}`)
    const panel = page.getByRole('complementary')
    await panel.getByRole('heading', { name: 'First visit' }).waitFor()
    await panel.getByText('journal', { exact: true }).waitFor()
    await panel.getByText('/start', { exact: true }).waitFor()
  })

  it('is for viewers too, who can do nothing', async () => {
    const viewer = await createStaff(site.db, { role: 'viewer' })
    const { cookie } = await staffHeaders(site.db, viewer.id)
    await createLead(site.db, { form: { first_name: 'Dora', last_name: 'Held' }, heldReason: 'honeypot' })
    const page = await site.open('/')
    const [name = '', value = ''] = cookie.split('=')
    await page.context().addCookies([{ name, value, url: site.url }])
    await page.goto('/admin')
    await page.getByRole('link', { name: 'Dora Held' }).click()
    await page.getByRole('complementary').getByText('until a manager releases').waitFor()
    for (const act of ['Delete', 'Resend Email', 'Retry CRM Sync', 'Release', 'Export Leads CSV']) {
      expect(await page.getByRole('button', { name: act }).count(), act).toBe(0)
    }
    expect(await page.getByRole('checkbox').count()).toBe(0)
    expect(await page.getByRole('combobox').count()).toBe(0)
  })

  it('is usable by everybody', { timeout: 120_000 }, async () => {
    await createLead(site.db, { heldReason: 'honeypot' })
    const page = await open()
    await page.getByRole('button', { name: 'Filters' }).click()
    await isUsableByEverybody(page, { name: 'leads' })
    await page.getByRole('link', { name: 'Bruno Moss' }).click()
    await page.getByRole('complementary').getByText('SHA-256').waitFor()
    await isUsableByEverybody(page, { name: 'a lead' })
  })
})

/** Waits until these are the leads of the page, in this order. */
async function sees(page: Page, names: string[]): Promise<void> {
  await expect.poll(() => page.getByTitle('What happened').allTextContents()).toEqual(names)
}

function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.textContent ?? '')
}
