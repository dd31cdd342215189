import type { Page } from 'playwright-core'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { ACCOUNT_PASSWORD, createLead, createStaff } from '../support/factories.ts'
import { startOidcServer } from '../support/oidc-server.ts'
import { describeInBrowser } from './browser.ts'
import { isUsableByEverybody } from './inspect-page.ts'
import { chooseInMenu, download, mailTo, seesToast, signIn, signInAs } from './page-actions.ts'

const OWN_PASSWORD = 'lilac otter bench window'
// The browser tells of every refused call in its console.
const REFUSED = { expectErrors: /status of (401|403|404|422)/ }
const account = (page: Page) => page.getByRole('button', { name: /^Account of Ada Park/ })

describeInBrowser('staff', (site) => {
  beforeEach(() => site.reset())

  it('open /admin with the shared password, until they sign out, and /getmpx in each tab anew', async () => {
    await createLead(site.db, { form: { last_name: 'Confidential' } })
    const page = await site.open('/admin?tab=leads', REFUSED)
    await page.getByText('Enter the password to continue.').waitFor()
    expect(await page.getByText('Confidential').count()).toBe(0)
    await isUsableByEverybody(page, 'password prompt')
    await signIn(page, 'a wrong password')
    await page.getByText('Invalid password', { exact: true }).waitFor()
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-invalid'))).toBe('true')
    await signIn(page)
    await page.getByText('Confidential').waitFor()
    await page.reload()
    await page.getByText('Confidential').waitFor()
    const tab = await page.context().newPage()
    await tab.goto('/getmpx?tab=leads')
    await signIn(tab)
    await tab.getByText('Confidential').waitFor()

    await chooseInMenu(page, 'Sign out')
    await page.getByText('Enter the password to continue.').waitFor()
    await page.reload()
    await page.getByLabel('Password').waitFor()
  })

  it('are invited by email, choose a password, which leaves no trace of the link, and lose their sessions', async () => {
    const email = 'ada@leadwell.example'
    const manager = await site.open('/admin?tab=staff', { staff: true })
    await manager.getByRole('button', { name: 'Add an account' }).click()
    const dialog = manager.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Ada Park')
    await dialog.getByLabel('Email', { exact: true }).fill(email)
    await dialog.getByRole('button', { name: 'Add account' }).click()
    await manager.getByRole('heading', { name: 'Account added' }).waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()

    const link = /\/admin\/password#([\w.-]+)/.exec((await mailTo(site.smtp, email)).text ?? '') ?? []
    const page = await site.open(String(link[0]), REFUSED)
    await page.getByRole('heading', { name: 'Choose your password' }).waitFor()
    await page.getByLabel('New password', { exact: true }).waitFor()
    expect(page.url()).not.toContain(link[1])
    await isUsableByEverybody(page, 'choose a password')
    const choose = async (password: string) => {
      await page.getByLabel('New password', { exact: true }).fill(password)
      await page.getByLabel('Confirm new password').fill(password)
      await page.getByRole('button', { name: 'Save password and sign in' }).click()
    }
    await choose('password1234')
    await page.getByText(/commonly used password/).waitFor()
    await choose(OWN_PASSWORD)
    await account(page).waitFor()
    expect(new URL(page.url()).pathname).toBe('/admin')

    await manager.reload()
    const row = manager.getByRole('row').filter({ hasText: 'Ada Park' })
    await row.getByRole('button', { name: 'End sessions' }).click()
    await manager.getByRole('dialog').getByRole('button', { name: 'End sessions' }).click()
    await seesToast(manager, 'Success', 'Sessions ended')
    await page.reload()
    await signInAs(page, email, ACCOUNT_PASSWORD)
    await page.getByText('Invalid password', { exact: true }).waitFor()
    await signIn(page, OWN_PASSWORD)
    await account(page).waitFor()
    await page.goto(String(link[0]))
    await page.getByText(/^This link no longer works/).waitFor()
    await isUsableByEverybody(page, 'a used link')
  })

  it('open the page that they asked for by single sign-on, which also confirms who they are', async () => {
    const { url, oidcPort: port } = site
    const provider = await startOidcServer({ redirectUri: `${url}/admin/sso/callback`, port })
    onTestFinished(() => provider.close())
    const { email } = await createStaff(site.db, { name: 'Ada Park' })
    provider.people.set('ada-1', { email, email_verified: true })
    // The provider is another site whose pages want a font, and a call that needs a confirmation is refused at first.
    const expectErrors = new RegExp(`${provider.issuer}|status of 403|fonts.googleapis.com|ERR_NAME_NOT_RESOLVED`)
    const page = await site.open('/getmpx?tab=providers', { expectErrors })
    const button = page.getByRole('link', { name: 'Sign in with single sign-on' })
    await button.waitFor()
    await button.focus()
    await page.keyboard.press('Enter')
    await signInThere(page)
    await page.getByRole('button', { name: 'Continue' }).click()
    await account(page).waitFor()
    expect(page.url()).toBe(`${url}/getmpx?tab=providers`)

    await site.db('staff_sessions').update({ confirmed_at: '2026-01-01' })
    await page.getByRole('link', { name: 'Export Providers CSV' }).click()
    await page.getByRole('link', { name: 'Sign in with single sign-on, then repeat this' }).click()
    await signInThere(page)
    await account(page).waitFor()
    // The browser is known by now, and has one session.
    expect(await site.db('jobs').where('purpose', 'new_browser')).toHaveLength(1)
    expect(await site.db('staff_sessions')).toHaveLength(1)
    const { name } = await download(page.getByRole('link', { name: 'Export Providers CSV' }))
    expect(name).toBe('providers.csv')
  })
})

/** Signs in at the provider, which then asks new people whether they agree. */
async function signInThere(page: Page): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill('ada-1')
  await page.getByPlaceholder('and password').fill('any')
  await page.keyboard.press('Enter')
}
