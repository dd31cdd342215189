import type { Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { announce } from '../../core/stores/changes.ts'
import { STAFF_PASSWORD } from '../support/env.ts'
import { ACCOUNT_PASSWORD, createStaff } from '../support/factories.ts'
import { type BrowserSite, describeInBrowser, type Visitor } from './browser.ts'
import { isUsableByEverybody, violations } from './inspect-page.ts'
import { seesToast, signInAs } from './page-actions.ts'

describeInBrowser('the accounts of staff', (site) => {
  beforeEach(async () => {
    await site.reset()
  })

  it('are added with an invitation by e-mail, whose way the list tells', async () => {
    const page = await openStaff(site)
    await page.getByText('No accounts yet.').waitFor()
    await page.getByRole('button', { name: 'Add an account' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Add account' }).click()
    await dialog.getByText('Name is required').waitFor()
    await isUsableByEverybody(page, { name: 'add an account' })
    await dialog.getByLabel('Name').fill('Ada Park')
    await dialog.getByLabel('Email', { exact: true }).fill('ada@leadwell.example')
    await dialog.getByRole('button', { name: 'Add account' }).click()

    await page.getByRole('heading', { name: 'Account added' }).waitFor()
    await isUsableByEverybody(page, { name: 'account added' })
    await dialog.getByRole('button', { name: 'Done' }).click()
    await rowOf(page, 'Ada Park').getByText('Invitation sent', { exact: true }).waitFor()
    const failed = { state: 'failed', last_error: 'There is no such mailbox.', last_cause: 'unknown_mailbox' } as const
    const [job] = await site
      .db('jobs')
      .where('purpose', 'invitation')
      .update({ ...failed, finished_at: site.db.fn.now() }, ['account_id'])
    await announce(site.db, { accounts: [Number(job?.account_id)] })
    await rowOf(page, 'Ada Park').getByText('Invitation could not be delivered', { exact: true }).waitFor()
    await isUsableByEverybody(page, { name: 'a failed invitation' })
    await rowOf(page, 'Ada Park').getByRole('button', { name: 'Send again' }).click()
    await seesToast(page, 'Success', 'A link is on its way to ada@leadwell.example')
  })

  it('ask for the password again before they are changed, and switch the shared one off', async () => {
    await createStaff(site.db, { name: 'Ada Park' })
    const page = await openStaff(site, { expectErrors: /status of (403|422|401)/ })
    await site.db('staff_sessions').update({ confirmed_at: '2026-01-01' })
    await page.getByRole('button', { name: 'Switch off' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm it is you' })
    expect(await dialog.getByLabel('Password').evaluate((field) => field === document.activeElement)).toBe(true)
    await isUsableByEverybody(page, { name: 'confirm it is you' })
    await dialog.getByLabel('Password').fill(STAFF_PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByLabel('Email').waitFor()
    await expect.poll(() => page.getByRole('button', { name: /shared password/ }).count()).toBe(0)
  })

  it('lose their sessions, and their password when it is reset', async () => {
    const { email } = await createStaff(site.db, { name: 'Ada Park' })
    const hers = await site.open('/admin', { expectErrors: /status of 401/ })
    await signInAs(hers, email, ACCOUNT_PASSWORD)
    await hers.getByRole('button', { name: /^Account of Ada Park/ }).waitFor()

    const page = await openStaff(site)
    const row = rowOf(page, 'Ada Park')
    await page.getByRole('list', { name: 'Sessions' }).getByText('Ada Park: Chrome on Linux').waitFor()
    await isUsableByEverybody(page, { name: 'staff' })
    await row.getByRole('button', { name: 'End sessions' }).click()
    expect(await violations(page)).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'End sessions' }).click()
    await seesToast(page, 'Success', 'Sessions ended')
    // The dialog has a button of that name, too.
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('Ada Park: Chrome on Linux').waitFor({ state: 'detached' })
    await row.getByRole('button', { name: 'End sessions' }).waitFor({ state: 'detached' })
    await hers.reload()
    await signInAs(hers, email, ACCOUNT_PASSWORD)
    await hers.getByRole('button', { name: /^Account of Ada Park/ }).waitFor()

    await row.getByRole('button', { name: 'Reset password' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Reset password' }).click()
    await row.getByText('Reset link sent', { exact: true }).waitFor()
    await hers.reload()
    await signInAs(hers, email, ACCOUNT_PASSWORD)
    await hers.getByText('Invalid password', { exact: true }).waitFor()
  })
})

async function openStaff(site: BrowserSite, visitor: Visitor = {}): Promise<Page> {
  const page = await site.open('/admin?tab=staff', { staff: true, ...visitor })
  await page.getByRole('heading', { name: 'Signed in now' }).waitFor()
  return page
}

function rowOf(page: Page, name: string) {
  return page.getByRole('row').filter({ hasText: name })
}
