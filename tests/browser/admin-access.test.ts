import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { makePassword } from '../../core/passwords.ts'
import { ACCOUNT_PASSWORD, createLead, createProvider, createStaff } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import { isUsableByEverybody } from './inspect-page.ts'
import { chooseInMenu, holdCalls, losesSession, seesToast, signIn, signInAs } from './page-actions.ts'

// The browser tells of every refused call in its console.
const REFUSED = { expectErrors: /status of 401/ }

describeInBrowser('the staff pages behind a password', (site) => {
  beforeAll(async () => {
    const { id } = await createProvider(site.db)
    await createLead(site.db, { form: { last_name: 'Confidential' }, providerId: id })
  })

  it.each(['/admin', '/getmpx'])('%s asks for the password, and stays open until signing out', async (path) => {
    const page = await site.open(path, REFUSED)
    await page.getByText('Enter the password to continue.').waitFor()
    expect(await page.getByText('Confidential').count()).toBe(0)

    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Enter the password', { exact: true }).waitFor()
    await signIn(page, 'a wrong password')
    await page.getByText('Invalid password', { exact: true }).waitFor()
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-invalid'))).toBe('true')
    expect(await memory(page)).toBeNull()

    await signIn(page)
    await isOpen(page)
    expect(await memory(page)).toBe('true')

    await page.reload()
    await isOpen(page)

    await chooseInMenu(page, 'Sign out')
    await page.getByText('Enter the password to continue.').waitFor()
    expect(await memory(page)).toBeNull()
    await page.reload()
    await page.getByLabel('Password').waitFor()
  })

  it('go together: who came in by one is in by the other, in this tab', async () => {
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
  })

  it('ask again when the session has ended on the server', async () => {
    const page = await site.open('/admin', REFUSED)
    await signIn(page)
    await isOpen(page)

    await losesSession(page, site.db, page.getByRole('button', { name: 'Resend Email' }))
    expect(await page.getByText('Confidential').count()).toBe(0)
    expect(await memory(page)).toBeNull()

    await signIn(page)
    await isOpen(page)
  })

  it('say that they are checking, and when the server cannot be asked', async () => {
    const page = await site.open('/', { expectErrors: /ERR_CONNECTION_REFUSED/ })
    const { release } = await holdCalls(page, '**/api/session')
    await page.goto('/admin')
    await page.getByText('Loading...', { exact: true }).waitFor()
    release()
    await page.getByLabel('Password').waitFor()

    await page.route('**/api/session', (route) => route.abort('connectionrefused'))
    await page.reload()
    await page.getByText('The server does not answer. Please try again.').waitFor()
    await page.unroute('**/api/session')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByLabel('Password').waitFor()
  })

  it('stay open when signing out fails', async () => {
    const page = await site.open('/admin', { staff: true, expectErrors: /ERR_CONNECTION_REFUSED/ })
    await isOpen(page)
    await page.route('**/api/session', (route) => route.abort('connectionrefused'))
    await chooseInMenu(page, 'Sign out')
    await seesToast(page, 'Failed to sign out')
    await isOpen(page)
  })
})

describeInBrowser('an account of one’s own', (site) => {
  it('opens the dashboard, which says who is signed in', async () => {
    const { email } = await createStaff(site.db, { name: 'Ada Park', role: 'viewer' })
    const page = await site.open('/getmpx', REFUSED)
    await signInAs(page, email, 'a wrong password')
    await page.getByText('Invalid password', { exact: true }).waitFor()
    await page.getByLabel('Email').fill('')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Email is required', { exact: true }).waitFor()

    await page.getByRole('button', { name: 'Use the shared password instead' }).click()
    expect(await page.getByLabel('Email').count()).toBe(0)
    await signInAs(page, email, ACCOUNT_PASSWORD)
    await page.getByRole('button', { name: 'Account of Ada Park Viewer' }).waitFor()
    expect(await memory(page)).toBe('true')
    await chooseInMenu(page, 'Sign out')
    await page.getByText('Enter the password to continue.').waitFor()
  })

  it('asks for a password of one’s own first, where somebody else has made it', async () => {
    const { id, email } = await createStaff(site.db, { name: 'Ada Park' })
    await site
      .db('staff_accounts')
      .where({ id })
      .update({ password_expires_at: new Date(Date.now() + 60_000) })
    const page = await site.open('/admin', { expectErrors: /status of (403|422|400)/ })
    await signInAs(page, email, ACCOUNT_PASSWORD)
    await page.getByRole('heading', { name: 'Choose your password' }).waitFor()
    await isUsableByEverybody(page, { name: 'choose a password' })
    const own = makePassword()
    await fillInPasswords(page, ['wrong', own, `${own} `])
    await page.getByText('This is not the same password').waitFor()
    await fillInPasswords(page, ['wrong', 'short', 'short'])
    await page.getByText('The new password must have 12 characters or more').waitFor()
    await fillInPasswords(page, ['wrong', own, own])
    await page.getByText('Invalid password', { exact: true }).waitFor()
    await fillInPasswords(page, [ACCOUNT_PASSWORD, own, own])
    await seesToast(page, 'Success', 'Your password has been changed')
    await page.getByRole('button', { name: 'Account of Ada Park Manager' }).waitFor()
  })

  it('has a menu, in which the password is changed and sessions are ended', async () => {
    const { email } = await createStaff(site.db, { name: 'Ada Park' })
    const page = await site.open('/admin', { expectErrors: /status of 401/ })
    await signInAs(page, email, ACCOUNT_PASSWORD)
    const phone = await site.open('/admin', {
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
    const own = makePassword()
    await fillInPasswords(page, [ACCOUNT_PASSWORD, own, own])
    await seesToast(page, 'Success', 'Your password has been changed')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await chooseInMenu(page, 'Sign out')
    await signInAs(page, email, own)
    await page.getByRole('button', { name: 'Account of Ada Park' }).click()
    await isUsableByEverybody(page, { name: 'account menu' })
  })

  it('makes whoever guesses wait, and says how long', async () => {
    const page = await site.open('/admin', { expectErrors: /status of (401|429)/ })
    const guess = () => page.request.post('/api/session', { data: { password: 'guess' } })
    for (let guesses = 0; guesses < 10; guesses++) await guess()
    await signIn(page, 'guess')
    await page.getByText('Too many attempts. Please wait a minute.', { exact: true }).waitFor()
  })
})

describeInBrowser(
  'the staff pages of the local demo',
  (site) => {
    it('open straight away', async () => {
      const page = await site.open('/admin')
      await page.getByRole('heading', { name: 'Admin Dashboard' }).waitFor()
      await page.getByText('Total: 0 leads', { exact: true }).waitFor()
      await page.getByText('Open to everybody').waitFor()
      expect(await page.getByText('Sign out').count()).toBe(0)
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
  const fields = await form.locator('input[type=password]').all()
  for (const [index, field] of fields.entries()) await field.fill(passwords[index] ?? '')
  await form.getByRole('button', { name: 'Save password' }).click()
}

/** What the tab remembers of the password. */
function memory(page: Page): Promise<string | null> {
  return page.evaluate(() => sessionStorage.getItem('auth'))
}
