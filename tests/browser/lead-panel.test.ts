import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { waitUntilSettled } from '../support/deliveries.ts'
import { createLead, createProvider } from '../support/factories.ts'
import { found } from '../support/found.ts'
import { describeInBrowser } from './browser.ts'
import { isUsableByEverybody, violations } from './inspect-page.ts'
import { mailTo } from './page-actions.ts'

/** What the browser says when a test reads the frame, and when a link in it is pressed. */
const SANDBOXED = /frame is sandboxed|in a sandboxed frame/
const PHONE = { width: 390, height: 844 }

describeInBrowser('the panel of a lead', (site) => {
  const panelOf = (page: Page, name: string) => page.getByRole('complementary', { name })
  const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '')

  it('shows the e-mail that the clinic got, whose links lead nowhere, and the payload of the CRM', async () => {
    const email = 'viewed@clinics.example'
    const { id: providerId } = await createProvider(site.db, { email })
    const id = await createLead(site.db, { providerId, form: { first_name: 'Vera', last_name: 'Lane' } })
    const mail = await mailTo(site.smtp, email)
    const token = found(/\/r\/([\w-]{20,})/.exec(String(mail.html)))[1] as string

    const page = await site.open(`/admin?tab=leads&lead=${id}`, { staff: true, expectErrors: SANDBOXED })
    await panelOf(page, 'Vera Lane').getByRole('button', { name: 'View: E-mail to the clinic' }).click()
    const dialog = page.getByRole('dialog', { name: 'E-mail to the clinic' })
    await dialog.getByText(String(mail.subject)).waitFor()
    const frame = dialog.frameLocator('iframe')
    const answer = frame.getByRole('link', { name: 'I reached them' })
    await answer.waitFor()
    // The styles of the e-mail hold, and no token is there.
    const button = frame.getByRole('link', { name: 'Open the request' })
    expect(await button.evaluate((link) => getComputedStyle(link).paddingLeft)).toBe('19px')
    expect(await answer.getAttribute('href')).toBe(`${originIn(mail)}/r/•••`)
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
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })

    // The pictures are from our own host.
    await panelOf(page, 'Vera Lane').getByRole('button', { name: 'View: E-mail to the visitor' }).click()
    const mark = page.frameLocator('iframe').locator('img').first()
    await expect.poll(() => mark.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(120)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await panelOf(page, 'Vera Lane').getByRole('button', { name: 'View: CRM: lead created' }).click()
    await page.getByRole('dialog').getByText('"first_name": "Vera"').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Copy the payload' }).waitFor()
  })

  it('is a sheet on a phone: what its state asks for is in reach, and Back returns to the row', async () => {
    // Out of reach of every clinic, so that they stay unmatched.
    const form = { zip_code: '80202' }
    for (let index = 0; index < 14; index++) await createLead(site.db, { form: { ...form, first_name: `Row${index}` } })
    // What is on its way makes rows higher.
    await waitUntilSettled(site.db)
    const page = await site.open('/admin?tab=leads', { staff: true, width: PHONE.width })
    await page.setViewportSize(PHONE)
    const row = page.getByRole('link', { name: /^Row1 / })
    await row.evaluate((link) => link.scrollIntoView({ block: 'center' }))
    const before = await page.evaluate(() => scrollY)
    expect(before).toBeGreaterThan(0)
    await row.click()

    const panel = panelOf(page, 'Row1')
    await panel.waitFor()
    const call = panel.getByRole('link', { name: 'Call', exact: true })
    const match = panel.getByRole('button', { name: 'Match...', exact: true })
    const more = panel.getByRole('button', { name: /^More for Row1/ })
    for (const target of [call, match, more]) {
      const { y, height } = found(await target.boundingBox())
      expect(height).toBeGreaterThanOrEqual(44)
      expect(y + height).toBeGreaterThan(PHONE.height - 70)
      expect(y + height).toBeLessThanOrEqual(PHONE.height)
    }
    expect(await call.getAttribute('href')).toMatch(/^tel:/)
    // Nothing behind the sheet can be reached.
    await more.focus()
    for (let step = 0; step < 40; step++) {
      await page.keyboard.press('Tab')
      expect(await page.evaluate(() => document.activeElement?.closest('nav, header, table') ?? null)).toBeNull()
    }

    await match.click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await more.click()
    await page.getByRole('menuitem', { name: 'Record an outcome...' }).click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')

    await page.goBack()
    await panel.waitFor({ state: 'detached' })
    expect(await page.evaluate(() => scrollY)).toBe(before)
    await expect.poll(() => focused(page)).toContain('Row1')
    await page.getByRole('navigation', { name: 'Tabs' }).getByRole('button', { name: 'Clinics' }).click()
  })

  it('can be used by everybody', async () => {
    const { id: providerId } = await createProvider(site.db, { email: 'usable@clinics.example' })
    const id = await createLead(site.db, { providerId, form: { first_name: 'Ursula', last_name: 'Able' } })
    await mailTo(site.smtp, 'usable@clinics.example')
    const page = await site.open(`/admin?tab=leads&lead=${id}`, { staff: true })
    const view = panelOf(page, 'Ursula Able').getByRole('button', { name: 'View: E-mail to the clinic' })
    await view.waitFor()
    await isUsableByEverybody(page, { name: 'a lead in its panel' })
    await view.click()
    await page.getByRole('dialog').getByTitle('The e-mail').waitFor()
    await isUsableByEverybody(page, { name: 'an e-mail that was sent' })
  })
})

/** Returns the origin of our site in an e-mail. */
const originIn = ({ html }: { html: string | false }) =>
  found(/href="(https?:\/\/[^/"]+)\/r\//.exec(String(html)))[1] as string
