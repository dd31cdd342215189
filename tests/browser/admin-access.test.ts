import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { createLead, createProvider } from '../support/factories.ts'
import { holdCalls, seesToast, signIn } from './page-actions.ts'
import { describeInBrowser } from './site.ts'

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

    await page.getByRole('button', { name: 'Sign out' }).click()
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

    await site.db('staff_sessions').delete()
    await page.getByRole('button', { name: 'Resend Email' }).click()
    await page.getByText('Your session has ended. Please sign in again.').waitFor()
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
    await page.getByRole('button', { name: 'Sign out' }).click()
    await seesToast(page, 'Failed to sign out')
    await isOpen(page)
  })
})

describeInBrowser(
  'the staff pages of the local demo',
  (site) => {
    it('open straight away', async () => {
      const page = await site.open('/admin')
      await page.getByRole('heading', { name: 'Admin Dashboard' }).waitFor()
      await page.getByText('Total: 0 leads', { exact: true }).waitFor()
      expect(await page.getByRole('button', { name: 'Sign out' }).count()).toBe(0)
    })
  },
  { ADMIN_ACCESS: 'open' },
)

async function isOpen(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Admin Dashboard' }).waitFor()
  await page.getByText('Confidential').waitFor()
}

/** What the tab remembers of the password. */
function memory(page: Page): Promise<string | null> {
  return page.evaluate(() => sessionStorage.getItem('auth'))
}
