import type { Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { ACCOUNT_PASSWORD, createStaff } from '../support/factories.ts'
import { type BrowserSite, describeInBrowser, type Visitor } from './browser.ts'
import { isUsableByEverybody, violations } from './inspect-page.ts'
import { seesToast, signInAs } from './page-actions.ts'

describeInBrowser('the accounts of staff', (site) => {
  beforeEach(async () => {
    await site.reset()
  })

  it('are added with a password that is shown once', async () => {
    const page = await openStaff(site, { context: { permissions: ['clipboard-read', 'clipboard-write'] } })
    await page.getByText('No accounts yet.').waitFor()
    await page.getByRole('button', { name: 'Add an account' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Add account' }).click()
    await dialog.getByText('Name is required').waitFor()
    await isUsableByEverybody(page, { name: 'add an account' })
    await dialog.getByLabel('Name').fill('Ada Park')
    await dialog.getByLabel('Email').fill('ada@velmora.example')
    await dialog.getByRole('button', { name: 'Add account' }).click()

    await page.getByRole('heading', { name: 'Account added' }).waitFor()
    const password = String(await dialog.locator('.font-mono').textContent())
    await dialog.getByRole('button', { name: 'Copy password' }).click()
    await dialog.getByText('Copied', { exact: true }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(password)
    await isUsableByEverybody(page, { name: 'account added' })
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByText(password).waitFor({ state: 'detached' })
    await rowOf(page, 'Ada Park').getByText('Invited', { exact: true }).waitFor()

    const hers = await site.open('/admin')
    await signInAs(hers, 'ada@velmora.example', password)
    await hers.getByRole('heading', { name: 'Choose your password' }).waitFor()
  })

  it('get a new password, and their sessions are ended', async () => {
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
    const password = String(
      await page.getByRole('dialog', { name: 'New password' }).locator('.font-mono').textContent(),
    )
    await page.getByRole('button', { name: 'Done' }).click()
    await hers.reload()
    await signInAs(hers, email, password)
    await hers.getByRole('heading', { name: 'Choose your password' }).waitFor()
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
