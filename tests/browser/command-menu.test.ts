import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { createApplication, createLead, createProvider } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import { isUsableByEverybody } from './inspect-page.ts'

describeInBrowser('the command menu', (site) => {
  let leadId: number
  let providerId: number
  let applicationId: number
  beforeAll(async () => {
    const { id } = await createProvider(site.db, {
      name: 'Dr. Mile',
      practice_name: 'High Plains Urology',
      zip_code: '80202',
    })
    providerId = id
    applicationId = await createApplication(site.db, { form: { practice_name: 'Northside Wellness' } })
    await site.db('lead_views').insert({
      name: 'Quiet Texas',
      query: JSON.stringify({ filter: { state: 'TX' }, sort: 'name' }),
      is_shared: true,
      is_pinned: false,
    })
    const form = { first_name: 'Ignatius', last_name: 'Quennell', phone: '(512) 555-7788' }
    leadId = await createLead(site.db, { form, providerId: id })
  })

  const input = (page: Page) => page.getByRole('combobox', { name: 'Command menu' })

  const gone = (page: Page) => page.getByRole('dialog', { name: 'Command menu' }).waitFor({ state: 'detached' })

  /** Types a command, and waits until it is on offer. */
  async function type(page: Page, words: string, option: string): Promise<void> {
    await page.keyboard.press('Control+k')
    await input(page).waitFor()
    await page.keyboard.type(words)
    await page.getByRole('option', { name: option }).waitFor()
  }

  it('goes to a tab and to a lead by the keyboard alone', async () => {
    const page = await site.open('/admin?tab=leads', { staff: true })
    await page.getByRole('tab', { name: 'Leads (1)' }).waitFor()
    await type(page, 'activ', 'Activity')
    await page.keyboard.press('Enter')
    await page.getByRole('tab', { name: 'Activity', selected: true }).waitFor()
    await gone(page)

    await page.keyboard.press('Meta+k')
    await page.getByRole('option').first().getByText('Activity').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('tab', { name: /^Leads/, selected: true }).waitFor()

    await page.keyboard.press('Control+k')
    await input(page).waitFor()
    await page.keyboard.press('Escape')
    await gone(page)

    await type(page, '512 555 7788', 'Ignatius Quennell')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.search === `?tab=leads&lead=${leadId}`)
  })

  it('acts on the selected leads, and finds a clinic by its city, an application and a saved view', async () => {
    await createLead(site.db, { form: { first_name: 'Ada', last_name: 'Zett' }, providerId })
    await site.db('leads').update({ crm_sync_status: 'failed' })
    const page = await site.open('/admin?tab=leads', { staff: true })
    await page.locator('tr[data-lead]').nth(1).waitFor()
    for (const key of 'jxjx') await page.keyboard.press(key)
    await page.getByText('2 leads selected').waitFor()
    await type(page, 'retry', 'Retry CRM Sync of 2 leads')
    await page.getByRole('option').first().getByText('Retry CRM Sync of 2 leads').waitFor()
    const [retry] = await Promise.all([
      page.waitForRequest((request) => request.url().endsWith('/api/leads/bulk')),
      page.keyboard.press('Enter'),
    ])
    expect(retry.postDataJSON()).toMatchObject({ action: 'retry-sync', ids: expect.arrayContaining([leadId]) })
    await gone(page)

    await type(page, 'denver', 'High Plains Urology Dr. Mile · Denver, CO')
    await page.getByRole('option', { name: /^High Plains Urology/ }).click()
    await page.waitForURL((url) => url.search === `?tab=providers&provider=${providerId}`)
    await page.getByRole('heading', { name: 'High Plains Urology' }).waitFor()
    await gone(page)
    await page.keyboard.press('Control+k')
    await page.getByRole('option', { name: 'Send test e-mail' }).waitFor()
    await page.keyboard.press('Escape')
    await gone(page)

    await page.keyboard.press('Control+k')
    await input(page).fill('northside')
    await page.getByRole('option', { name: /^Northside Wellness/ }).click()
    await page.waitForURL((url) => url.search === `?tab=applications&application=${applicationId}`)
    await page.getByRole('complementary', { name: 'Northside Wellness' }).waitFor()
    await gone(page)

    await type(page, 'quiet', 'Quiet Texas View for all')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.search === '?tab=leads&state=TX&sort=name')
    await page.getByRole('button', { name: 'State: TX: remove this filter' }).waitFor()
  })

  it('opens a dialog whose focus returns to the row, and acts of other tabs there', async () => {
    const page = await site.open('/admin?tab=leads', { staff: true })
    await page.locator('tr[data-lead]').first().waitFor()
    await page.keyboard.press('j')
    await type(page, 'record', 'Record an outcome...')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: /^What became of/ }).waitFor()
    await page.keyboard.press('Escape')
    await page.waitForFunction(() => document.activeElement?.matches('tr[data-lead]'))

    await type(page, 'invite', 'Add an account')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Add an account' }).waitFor()
    await page.keyboard.press('Escape')
    await page.waitForFunction(() => document.activeElement?.textContent === 'Add an account')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await isUsableByEverybody(page, { name: 'keys' })
  })

  it('exports the leads that the list shows, and signs out', async () => {
    const page = await site.open('/admin?q=quennell&sort=name', { staff: true })
    await page.getByRole('link', { name: 'Export Leads CSV' }).waitFor()
    await type(page, 'export leads', 'Export Leads CSV')
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
    expect(new URL(download.url()).search).toBe('?sort=name&q=quennell')
    await gone(page)

    await type(page, 'sign out', 'Sign out')
    await page.keyboard.press('Enter')
    await page.getByText('Enter the password to continue.').waitFor()
  })

  it('is usable by everybody, whether it finds something or nothing', async () => {
    const page = await site.open('/admin?tab=leads', { staff: true })
    await page.getByRole('button', { name: 'Search and commands' }).click()
    await input(page).fill('e')
    await page.getByRole('option', { name: 'Export Leads CSV' }).waitFor()
    await isUsableByEverybody(page, { name: 'command menu' })
    await input(page).fill('nobody of this name')
    await page.getByText('No results for “nobody of this name”').waitFor()
    await isUsableByEverybody(page, { name: 'command menu with nothing' })
  })
})
