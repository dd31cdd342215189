import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import * as links from '../../core/stores/staff-links.ts'
import { ACCOUNT_PASSWORD, createLead, createProvider, createStaff } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import { isUsableByEverybody } from './inspect-page.ts'
import { chooseInMenu, losesSession, seesToast, signIn, signInAs } from './page-actions.ts'

const OWN = 'lilac otter bench window'
// The browser tells of every refused call in its console.
const REFUSED = { expectErrors: /status of 401/ }

describeInBrowser('the staff pages behind a password', (site) => {
  beforeAll(async () => {
    const { id } = await createProvider(site.db)
    await createLead(site.db, { form: { last_name: 'Confidential' }, providerId: id })
  })

  it('/admin asks for the password, and stays open until signing out', async () => {
    const page = await site.open('/admin?tab=leads', REFUSED)
    await page.getByText('Enter the password to continue.').waitFor()
    expect(await page.getByText('Confidential').count()).toBe(0)
    await signIn(page, 'a wrong password')
    await page.getByText('Invalid password', { exact: true }).waitFor()
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-invalid'))).toBe('true')

    await signIn(page)
    await isOpen(page)
    await page.reload()
    await isOpen(page)
    await chooseInMenu(page, 'Sign out')
    await page.getByText('Enter the password to continue.').waitFor()
    await page.reload()
    await page.getByLabel('Password').waitFor()
  })

  it('/getmpx wants the password in each tab, which then opens /admin as well', async () => {
    const page = await site.open('/getmpx')
    await signIn(page)
    await isOpen(page)
    await page.goto('/admin')
    await isOpen(page)
    await page.goto('/getmpx')
    await isOpen(page)

    const otherTab = await page.context().newPage()
    await otherTab.goto('/admin')
    await isOpen(otherTab)
    await otherTab.goto('/getmpx')
    await otherTab.getByLabel('Password').waitFor()

    await chooseInMenu(page, 'Sign out')
    await page.reload()
    await page.getByLabel('Password').waitFor()
  })

  it('ask again when the session has ended on the server', async () => {
    const page = await site.open('/admin?tab=leads', REFUSED)
    await signIn(page)
    await isOpen(page)

    await page.locator('tr[data-lead]').hover()
    await losesSession(page, site.db, page.getByRole('button', { name: 'Resend Email' }))
    expect(await page.getByText('Confidential').count()).toBe(0)
    await signIn(page)
    await isOpen(page)
  })
})

describeInBrowser('an account of one’s own', (site) => {
  it('opens with the link of an invitation, which leaves no trace of its token', async () => {
    const { id } = await createStaff(site.db, { name: 'Ada Park', password_hash: null })
    await site.db('staff_links').insert({ account_id: id, kind: 'invitation', requested_by: 'staff' })
    const token = String((await links.makeToken(site.db, id, 'invitation'))?.token)
    const page = await site.open(`/admin/password#${token}`, { expectErrors: /status of (404|422)/ })
    await page.getByRole('heading', { name: 'Choose your password' }).waitFor()
    await page.getByLabel('New password', { exact: true }).waitFor()
    expect(page.url()).not.toContain(token)
    await isUsableByEverybody(page, { name: 'choose a password' })
    const choose = async (password: string) => {
      await page.getByLabel('New password', { exact: true }).fill(password)
      await page.getByLabel('Confirm new password').fill(password)
      await page.getByRole('button', { name: 'Save password and sign in' }).click()
    }
    await choose('password1234')
    await page.getByText(/commonly used password/).waitFor()
    await choose(OWN)
    await page.getByRole('button', { name: 'Account of Ada Park Manager' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/admin')

    await page.goto(`/admin/password#${token}`)
    await page.getByText(/^This link does not work any more/).waitFor()
    await isUsableByEverybody(page, { name: 'a used link' })
  })

  it('has a menu, in which the password is changed and sessions are ended', async () => {
    const { email } = await createStaff(site.db, { name: 'Ada Park' })
    const page = await site.open('/admin?tab=leads', { expectErrors: /status of 401/ })
    await signInAs(page, email, ACCOUNT_PASSWORD)
    const phone = await site.open('/admin?tab=leads', {
      width: 390,
      expectErrors: /status of 401/,
      context: { userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1' },
    })
    await signInAs(phone, email, ACCOUNT_PASSWORD)
    await phone.getByRole('button', { name: 'Account of Ada Park' }).waitFor()

    await chooseInMenu(page, 'My sessions')
    const dialog = page.getByRole('dialog', { name: 'My sessions' })
    await dialog.getByText('This browser').waitFor()
    expect(await dialog.getByRole('listitem').count()).toBe(2)
    await isUsableByEverybody(page, { name: 'my sessions' })
    await dialog.getByRole('button', { name: 'End session of Ada Park in Safari on iPhone' }).click()
    await seesToast(page, 'Success', 'Session ended')
    await dialog.getByText('iPhone').waitFor({ state: 'detached' })
    await phone.reload()
    await phone.getByLabel('Password').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()

    await chooseInMenu(page, 'Change password')
    await fillInPasswords(page, [ACCOUNT_PASSWORD, OWN, OWN])
    await seesToast(page, 'Success', 'Your password has been changed')
    await page.getByRole('button', { name: 'Account of Ada Park' }).click()
    await isUsableByEverybody(page, { name: 'account menu' })
  })
})

describeInBrowser('a session without activity', (site) => {
  it('asks before it ends, and Enter keeps it open', async () => {
    const { email } = await createStaff(site.db, { name: 'Ada Park' })
    const page = await site.open('/admin?tab=leads', REFUSED)
    await signInAs(page, email, ACCOUNT_PASSWORD)
    await page.getByRole('button', { name: 'Account of Ada Park Manager' }).waitFor()
    const pass = (seconds: number) =>
      site.db('staff_sessions').update({
        idle_ends_at: site.db.raw(`now() + ? * interval '1 second'`, [seconds]),
        last_seen_at: site.db.raw(`now() - interval '1 hour'`),
      })
    await pass(100)
    await page.reload()
    const dialog = page.getByRole('dialog', { name: 'Are you still there?' })
    await dialog.waitFor()
    await isUsableByEverybody(page, { name: 'are you still there' })
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Account of Ada Park Manager' }).waitFor()

    // Longer than a busy machine takes to open the page.
    await pass(8)
    await page.reload()
    await page.getByText('Your session has ended. Please sign in again.').waitFor()
  })
})

describeInBrowser(
  'the staff pages of the local demo',
  (site) => {
    it('open straight away', async () => {
      const page = await site.open('/admin?tab=leads')
      await page.getByRole('heading', { name: 'Admin Dashboard' }).waitFor()
      await page.getByText('Total: 0 leads', { exact: true }).waitFor()
      await page.getByText('Open to everybody').waitFor()
      expect(await page.getByRole('button', { name: /^Account of/ }).count()).toBe(0)
    })
  },
  { ADMIN_ACCESS: 'open' },
)

async function isOpen(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Admin Dashboard' }).waitFor()
  await page.getByText('Confidential').waitFor()
}

async function fillInPasswords(page: Page, passwords: string[]): Promise<void> {
  const form = page.getByRole('form', { name: 'Change password' })
  const labels = ['Current password', 'New password', 'Confirm new password']
  for (const [index, label] of labels.entries()) {
    await form.getByLabel(label, { exact: true }).fill(passwords[index] ?? '')
  }
  await form.getByRole('button', { name: 'Save password' }).click()
}
