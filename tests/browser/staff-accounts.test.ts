import type { Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { ACCOUNT_PASSWORD, createStaff } from '../support/factories.ts'
import { type BrowserSite, describeInBrowser, type Visitor } from './browser.ts'
import { isUsableByEverybody } from './inspect-page.ts'
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

  it('have an e-mail of their own', async () => {
    const { email } = await createStaff(site.db, { name: 'Ada Park' })
    const page = await openStaff(site, { expectErrors: /status of 409/ })
    await page.getByRole('button', { name: 'Add an account' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Ada again')
    await dialog.getByLabel('Email').fill(email)
    await dialog.getByRole('button', { name: 'Add account' }).click()
    await dialog.getByText('This e-mail has an account already.').waitFor()
    expect(await dialog.getByLabel('Email').getAttribute('aria-invalid')).toBe('true')
  })

  it('get another role, are disabled and enabled', async () => {
    const { id } = await createStaff(site.db, { name: 'Ada Park', role: 'viewer' })
    const page = await openStaff(site)
    const row = rowOf(page, 'Ada Park')
    await row.getByLabel('Role of Ada Park').selectOption('Manager')
    await seesToast(page, 'Success', 'Account changed')
    expect(await site.db('staff_accounts').where({ id }).first('role')).toEqual({ role: 'manager' })

    await row.getByRole('button', { name: 'Disable' }).click()
    const dialog = page.getByRole('dialog', { name: 'Disable this account?' })
    await isUsableByEverybody(page, { name: 'disable an account' })
    await dialog.getByRole('button', { name: 'Disable' }).click()
    await row.getByText('Disabled', { exact: true }).waitFor()
    await row.getByRole('button', { name: 'Enable' }).click()
    await row.getByText('Disabled', { exact: true }).waitFor({ state: 'detached' })
  })

  it('get a new password, and their sessions are ended', async () => {
    const { email } = await createStaff(site.db, { name: 'Ada Park' })
    const hers = await site.open('/admin', { expectErrors: /status of 401/ })
    await signInAs(hers, email, ACCOUNT_PASSWORD)
    await hers.getByRole('button', { name: /^Account of Ada Park/ }).waitFor()

    const page = await openStaff(site)
    const row = rowOf(page, 'Ada Park')
    await page.getByRole('list', { name: 'Sessions' }).getByText('Ada Park: Chrome on Linux').waitFor()
    await row.getByRole('button', { name: 'End sessions' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End sessions' }).click()
    await seesToast(page, 'Success', 'Sessions ended')
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

  it('say why something cannot be done', async () => {
    const { email, id } = await createStaff(site.db, { name: 'Ada Park' })
    await createStaff(site.db, { name: 'Ben Ito' })
    const page = await site.open('/admin?tab=staff', { expectErrors: /status of (403|409)/ })
    await signInAs(page, email, ACCOUNT_PASSWORD)
    const own = rowOf(page, 'Ada Park')
    await own.getByText('You', { exact: true }).waitFor()
    expect(await own.getByRole('button').count()).toBe(0)
    await isUsableByEverybody(page, { name: 'staff' })

    await site.db('staff_accounts').where({ id }).update({ role: 'viewer' })
    await rowOf(page, 'Ben Ito').getByLabel('Role of Ben Ito').selectOption('Viewer')
    await seesToast(page, 'Failed to change the account', '403: ')
  })

  it('are nothing for viewers', async () => {
    const { email } = await createStaff(site.db, { name: 'Ada Park', role: 'viewer' })
    const page = await site.open('/admin?tab=staff')
    await signInAs(page, email, ACCOUNT_PASSWORD)
    await page.getByRole('tab', { name: 'Activity' }).waitFor()
    expect(await page.getByRole('tab', { name: 'Staff' }).count()).toBe(0)
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
