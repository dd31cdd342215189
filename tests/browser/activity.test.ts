import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { ACCOUNT_PASSWORD, createLead, createProvider, createStaff } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import { isUsableByEverybody } from './inspect-page.ts'
import { pressInRow, seesToast, signIn, signInAs } from './page-actions.ts'

describeInBrowser('the activity', (site) => {
  it('tells in words who did what, and leads to the lead', async () => {
    const { email } = await createStaff(site.db, { name: 'Ada Park' })
    // Too far away for the lead to be matched with it by itself.
    await createProvider(site.db, { name: 'Dr. Rosa Quill', zip_code: '80202' })
    const id = await createLead(site.db)
    const page = await site.open('/admin?tab=leads', { expectErrors: /status of 401/ })
    await signInAs(page, email, 'a wrong password')
    await page.getByText('Invalid password', { exact: true }).waitFor()
    await signIn(page, ACCOUNT_PASSWORD)
    await pressInRow(page.locator('tr[data-lead]'), /^Match with provider/)
    await page.getByRole('option', { name: /^Dr\. Rosa Quill - 80202/ }).click()
    await page.getByRole('button', { name: /^Send/ }).last().click()
    await seesToast(page, 'Lead provider updated successfully')

    await page.getByRole('tab', { name: 'Activity' }).click()
    await page.getByText('Total: 3 actions').waitFor()
    await page.getByText('to: Dr. Rosa Quill').waitFor()
    expect(await told(page)).toEqual([
      `Ada Park Lead matched: Jordan Avery (to: Dr. Rosa Quill)`,
      'Ada Park Signed in',
      'Somebody Sign-in failed: Ada Park (count: 1)',
    ])
    await isUsableByEverybody(page, { name: 'activity' })

    await page.getByLabel('Action', { exact: true }).selectOption('Lead matched')
    await page.getByText('Total: 1 action').waitFor()
    await page.reload()
    await page.getByText('Total: 1 action').waitFor()
    await page.goBack()
    await page.getByText('Total: 3 actions').waitFor()
    await page.getByRole('link', { name: 'Jordan Avery' }).click()
    expect(new URL(page.url()).search).toBe(`?tab=leads&lead=${id}`)
  })
})

/** Who did what, line by line. */
async function told(page: Page): Promise<string[]> {
  const lines = await page.getByRole('tabpanel').locator('tbody tr').all()
  return Promise.all(
    lines.map(async (line) => {
      const who = await line.locator('td').nth(1).locator('span.font-semibold').textContent()
      const what = await line.locator('td').nth(2).locator('p').textContent()
      return `${who} ${what}`.trim()
    }),
  )
}
