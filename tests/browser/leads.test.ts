import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { retryNow, waitUntilSettled } from '../support/deliveries.ts'
import { createApplication, createLead, createProvider } from '../support/factories.ts'
import { found } from '../support/found.ts'
import { waitFor } from '../support/wait.ts'
import { describeInBrowser } from './browser.ts'
import { download, mailTo, pressInRow } from './page-actions.ts'

/** What the browser says when a test reads the frame, and when a link in it is pressed. */
const SANDBOXED = /frame is sandboxed|in a sandboxed frame/

describeInBrowser('the leads in the dashboard', (site) => {
  const clinic = { id: 0, name: 'Dr. Rosa Quill', email: 'rosa.quill@clinics.example' }
  beforeAll(async () => {
    // In Colorado, out of reach of the leads, which stay unmatched.
    clinic.id = (await createProvider(site.db, { name: clinic.name, email: clinic.email, zip_code: '80202' })).id
  })

  const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
  const panelOf = (page: Page, name: string) => page.getByRole('complementary', { name })
  const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '')
  const sees = (page: Page, ...names: string[]) =>
    expect.poll(() => page.getByTitle('What happened').allTextContents()).toEqual(names)
  const lead = (first_name: string, last_name: string, more: Parameters<typeof createLead>[1] = {}) =>
    createLead(site.db, { ...more, form: { first_name, last_name, ...more.form } })

  it('are matched with a provider that is searched for, which is told, and told again on demand', async () => {
    const email = 'mattie@visitors.example'
    await lead('Mattie', 'Unmatched', { form: { email } })
    await waitUntilSettled(site.db)
    const page = await site.open('/admin?q=mattie', { staff: true })
    const row = rowOf(page, 'Mattie')
    await row.getByText('Unmatched', { exact: true }).waitFor()
    await pressInRow(row, /^Match with provider/)
    const dialog = page.getByRole('dialog', { name: 'Match with provider' })
    await dialog.getByRole('option').first().waitFor()
    await page.keyboard.type('quill')
    await dialog.getByRole('option', { name: /^Dr\. Rosa Quill - 80202/ }).click()
    await dialog.getByRole('button', { name: /^Send/ }).last().click()
    await page.getByRole('button', { name: 'Undo', exact: true }).waitFor()
    // The seconds in which it can be undone.
    await retryNow(site.db)
    await row.getByText('Dr. Rosa Quill', { exact: true }).waitFor()
    const mails = () =>
      site.smtp.mails.filter(({ recipients, text }) => recipients.includes(clinic.email) && text?.includes(email))
    await waitFor('the mail to the clinic', () => mails().length === 1)
    await waitFor('the CRM to be told', () =>
      site.crm.events.some(({ type, data }) => type === 'lead.matched' && data.lead.email === email),
    )
    await pressInRow(row, 'Resend Email')
    await waitFor('the second mail', () => mails().length === 2)
    const [first, second] = mails()
    // It says what time it is where the visitor lives, if that is at night.
    const lines = (text = '') => text.split('\n').filter((line) => !line.startsWith('It is '))
    expect(lines(second?.text)).toEqual(lines(first?.text))
    expect(second?.messageId).not.toBe(first?.messageId)
  })

  it('are searched and filtered, exported as they are found, and shown again by Back and a reload', async () => {
    const other = await createProvider(site.db, { name: 'Dr. Ada Field' })
    await lead('Anna', 'Zeller', { providerId: other.id })
    await lead('Carl', 'Avery', { providerId: other.id })
    await site.db('leads').where('first_name', 'Carl').update({ created_at: '2026-03-05' })
    const page = await site.open(`/admin?tab=leads&provider_id=${other.id}`, { staff: true })
    await sees(page, 'Anna Zeller', 'Carl Avery')
    await page.keyboard.press('/')
    await page.keyboard.type('zel')
    await sees(page, 'Anna Zeller')
    await page.goBack()
    await sees(page, 'Anna Zeller', 'Carl Avery')
    expect(await page.getByRole('searchbox').inputValue()).toBe('')

    await page.getByRole('button', { name: 'Filters (1)' }).click()
    await page.getByLabel('To', { exact: true }).fill('2026-03-05')
    await sees(page, 'Carl Avery')
    const { name, lines } = await download(page.getByRole('link', { name: 'Export Leads CSV' }))
    expect(name).toMatch(/^leads-provider-id-\d+-to-2026-03-05\.csv$/)
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain('Avery')
    await page.reload()
    await sees(page, 'Carl Avery')
  })

  it('are reached by the keyboard alone, from the command menu too, and give the focus back', async () => {
    const leadId = await lead('Ignatius', 'Quennell', { form: { phone: '(512) 555-7788' } })
    await lead('Ignatius', 'Moss')
    const applicationId = await createApplication(site.db, { form: { practice_name: 'Northside Wellness' } })
    const page = await site.open('/admin?q=ignatius', { staff: true })
    await sees(page, 'Ignatius Moss', 'Ignatius Quennell')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await panelOf(page, 'Ignatius Quennell').getByText('SHA-256').waitFor({ state: 'attached' })
    await page.keyboard.press('k')
    await panelOf(page, 'Ignatius Moss').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('complementary').waitFor({ state: 'detached' })
    await expect.poll(() => focused(page)).toContain('Ignatius Moss')

    /** Types a command, waits until it is on offer, and chooses it. */
    const command = async (words: string, option: string | RegExp) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Command menu' }).waitFor()
      await page.keyboard.type(words)
      await page.getByRole('option', { name: option, selected: true }).waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: 'Command menu' }).waitFor({ state: 'detached' })
    }
    await command('new lead', 'New lead')
    await page.getByRole('dialog', { name: 'New lead' }).waitFor()
    await page.keyboard.press('Escape')
    await page.waitForFunction(() => document.activeElement?.matches('tr[data-lead]'))
    await command('activ', 'Activity')
    await page.getByRole('region', { name: 'Activity' }).waitFor()
    await command('512 555 7788', 'Ignatius Quennell')
    await page.waitForURL((url) => url.searchParams.get('lead') === String(leadId))
    await panelOf(page, 'Ignatius Quennell').getByText('SHA-256').waitFor({ state: 'attached' })
    await command('northside', /^Northside Wellness/)
    await page.waitForURL((url) => url.searchParams.get('application') === String(applicationId))
  })

  it('have a panel with the email that the clinic got, whose links lead nowhere, and the payload of the CRM', async () => {
    const email = 'viewed@clinics.example'
    const { id: providerId } = await createProvider(site.db, { email })
    const id = await lead('Vera', 'Lane', { providerId })
    const mail = await mailTo(site.smtp, email)
    const token = found(/\/r\/([\w.-]{20,})/.exec(String(mail.html)))[1] as string
    await waitUntilSettled(site.db)

    const page = await site.open(`/admin?tab=leads&lead=${id}`, { staff: true, expectErrors: SANDBOXED })
    const panel = panelOf(page, 'Vera Lane')
    await panel.getByText(/^Delivered to /).click()
    await panel.getByRole('button', { name: 'View: Email to the provider' }).click()
    const dialog = page.getByRole('dialog', { name: 'Email to the provider' })
    await dialog.getByText(String(mail.subject)).waitFor()
    const frame = dialog.frameLocator('iframe')
    const answer = frame.getByRole('link', { name: 'I reached them' })
    await answer.waitFor()
    // The styles of the email hold, and no token is there.
    const button = frame.getByRole('link', { name: 'Open the request' })
    expect(await button.evaluate((link) => getComputedStyle(link).paddingLeft)).toBe('19px')
    expect(await answer.getAttribute('href')).toMatch(/^http:\/\/[^/]+\/r\/•••$/)
    expect(await frame.locator('html').innerHTML()).not.toContain(token)

    const [pages, address] = [page.context().pages().length, page.url()]
    await answer.click()
    await button.press('Enter')
    await frame.getByRole('link', { name: '(512)' }).first().click()
    expect([page.context().pages().length, page.url()]).toEqual([pages, address])
    await answer.waitFor()
    expect(await site.db('lead_outcomes').where({ lead_id: id }).pluck('kind')).toEqual([])
    await dialog.getByRole('button', { name: 'Plain text' }).click()
    await dialog.getByText('/r/•••').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await panel.getByRole('button', { name: 'View: CRM: lead created' }).click()
    await page.getByRole('dialog').getByText('"first_name": "Vera"').waitFor()
  })
})
