import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { ACCOUNT_PASSWORD, createLead, createProvider, createStaff } from '../support/factories.ts'
import { type BrowserSite, describeInBrowser, type Visitor } from './browser.ts'
import { isUsableByEverybody } from './inspect-page.ts'
import { signInAs } from './page-actions.ts'

describeInBrowser('the command menu', (site) => {
  let leadId: number
  beforeAll(async () => {
    const { id } = await createProvider(site.db)
    const form = {
      first_name: 'Ignatius',
      last_name: 'Quennell',
      email: 'iggy@visitors.example',
      phone: '(512) 555-7788',
    }
    leadId = await createLead(site.db, { form, providerId: id })
  })

  it('goes to a tab, by the keyboard alone', async () => {
    const page = await openDashboard(site)
    await page.keyboard.press('Control+k')
    const search = page.getByRole('combobox', { name: 'Command menu' })
    await search.waitFor()
    expect(await search.evaluate((input) => input === document.activeElement)).toBe(true)
    await page.keyboard.type('activ')
    await page.getByRole('option', { name: 'Activity' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('tab', { name: 'Activity', selected: true }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await page.keyboard.press('Meta+k')
    await search.waitFor()
    await page.getByText('Recent', { exact: true }).waitFor()
    await page.getByRole('option').first().getByText('Activity').waitFor()
    expect(await page.getByRole('option', { name: 'Activity' }).count()).toBe(1)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('tab', { name: /^Leads/, selected: true }).waitFor()

    await page.keyboard.press('Control+k')
    await search.waitFor()
    await page.keyboard.press('Escape')
    await search.waitFor({ state: 'detached' })
  })

  it.each(['quenn', 'iggy@visitors', '512 555 7788'])('finds a lead by %s, and opens it', async (typed) => {
    const page = await openDashboard(site)
    await page.getByRole('button', { name: 'Search and commands' }).click()
    await page.getByRole('combobox', { name: 'Command menu' }).fill(typed)
    await page.getByRole('option', { name: 'Ignatius Quennell' }).getByText('iggy@visitors.example').waitFor()
    await page.getByRole('option').first().click()
    await page.waitForURL((url) => url.search === `?tab=leads&lead=${leadId}`)
  })

  it('says that nothing is called like that, and that it cannot search', async () => {
    const page = await openDashboard(site, { expectErrors: /ERR_FAILED/ })
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Command menu' }).fill('nobody of this name')
    await page.getByText('Nothing is called like that.').waitFor()
    await isUsableByEverybody(page, { name: 'command menu with nothing' })

    await page.route('**/api/leads?q=*', (route) => route.abort())
    await page.getByRole('combobox', { name: 'Command menu' }).fill('somebody')
    await page.getByText('The leads cannot be searched: the server does not answer.').waitFor()
  })

  it('syncs, exports, and signs out', async () => {
    const page = await openDashboard(site)
    const calls: string[] = []
    await page.route('**/api/sync', (route) => {
      calls.push(route.request().method())
      return route.fulfill({ json: { success: true } })
    })
    await choose(page, 'Sync Providers')
    await expect.poll(() => calls).toEqual(['POST'])

    const downloading = page.waitForEvent('download')
    await choose(page, 'Export Leads CSV')
    expect((await downloading).suggestedFilename()).toMatch(/leads.*\.csv$/)

    await choose(page, 'Sign out')
    await page.getByText('Enter the password to continue.').waitFor()
  })

  it('exports the leads that the list shows, as its button does', async () => {
    const page = await site.open('/admin?q=quennell&sort=name', { staff: true })
    const button = page.getByRole('link', { name: 'Export Leads CSV' })
    await button.waitFor()
    const exported = async () => {
      const downloading = page.waitForEvent('download')
      await choose(page, 'Export Leads CSV')
      return (await downloading).url()
    }
    expect(await exported()).toBe(new URL(String(await button.getAttribute('href')), site.url).href)
    expect(await exported()).toContain('q=quennell')

    // From another tab, where no list of leads is shown, it is every lead.
    await choose(page, 'Overview')
    await page.getByRole('tab', { name: 'Overview', selected: true }).waitFor()
    expect(new URL(await exported()).search).toBe('?sort=-created_at')
  })

  it('hides from viewers what they may not do', async () => {
    const { email } = await createStaff(site.db, { role: 'viewer' })
    const page = await site.open('/admin')
    await signInAs(page, email, ACCOUNT_PASSWORD)
    await page.getByRole('button', { name: 'Search and commands' }).click()
    const options = page.getByRole('option')
    await options.first().waitFor()
    const offered = (await options.allTextContents()).map((text) => text.replace(/ \(.*/, ''))
    expect(offered).toEqual(['Leads', 'Providers', 'Applications', 'Overview', 'Activity', 'Sign out'])
  })

  it('can be used by everybody', async () => {
    const page = await openDashboard(site)
    await page.getByRole('button', { name: 'Search and commands' }).click()
    await page.getByRole('combobox', { name: 'Command menu' }).fill('e')
    await page.getByRole('option', { name: 'Export Leads CSV' }).waitFor()
    await isUsableByEverybody(page, { name: 'command menu' })
  })
})

async function openDashboard(site: BrowserSite, visitor: Visitor = {}): Promise<Page> {
  const page = await site.open('/admin', { staff: true, ...visitor })
  await page.getByRole('tab', { name: 'Leads (1)' }).waitFor()
  return page
}

async function choose(page: Page, command: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Command menu' }).fill(command)
  await page.getByRole('option', { name: command }).waitFor()
  await page.keyboard.press('Enter')
}
