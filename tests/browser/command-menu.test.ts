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
    await page.getByRole('option').first().getByText('Leads', { exact: true }).waitFor()
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

  it('finds a clinic and an application, and opens a dialog whose focus returns to the row', async () => {
    const page = await site.open('/admin?tab=leads', { staff: true })
    await page.locator('tr[data-lead]').first().waitFor()
    await page.keyboard.press('j')
    await type(page, 'new lead', 'New lead')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'New lead' }).waitFor()
    await page.keyboard.press('Escape')
    await page.waitForFunction(() => document.activeElement?.matches('tr[data-lead]'))

    await type(page, 'high plains', 'High Plains Urology Dr. Mile · 80202')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.search === `?tab=providers&provider=${providerId}`)
    await gone(page)

    await page.keyboard.press('Control+k')
    await input(page).fill('northside')
    await page.getByRole('option', { name: /^Northside Wellness/ }).click()
    await page.waitForURL((url) => url.search === `?tab=applications&application=${applicationId}`)
    await gone(page)
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
