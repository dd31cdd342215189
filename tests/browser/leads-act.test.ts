import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { CONSENT } from '../../core/contract/consent.ts'
import { createLead, createProvider } from '../support/factories.ts'
import { waitFor } from '../support/wait.ts'
import { describeInBrowser } from './browser.ts'
import { violations } from './inspect-page.ts'
import { chooseInRow } from './page-actions.ts'

describeInBrowser('acting on leads', (site) => {
  let clinic: { id: number }
  beforeAll(async () => {
    // In Colorado, out of reach of the leads, which stay unmatched.
    clinic = await createProvider(site.db, { name: 'Dr. Rosa Quill', zip_code: '80202' })
  })

  /** Leads of one first name by their last names, the first one being the oldest. Search for the first name. */
  async function leads(first_name: string, ...names: string[]): Promise<number[]> {
    const ids: number[] = []
    for (const last_name of names) ids.push(await createLead(site.db, { form: { first_name, last_name } }))
    return ids
  }
  const stored = (first_name: string) => site.db('leads').where({ first_name }).orderBy('id').pluck('last_name')
  const box = (page: Page, name: string) => page.getByRole('checkbox', { name: `Choose ${name}` })
  const everyBox = (page: Page) => page.getByRole('checkbox', { name: 'Select every lead on this page' })
  const bar = (page: Page) => page.getByRole('region', { name: 'Chosen leads' })
  const undo = (page: Page) => page.getByRole('button', { name: 'Undo', exact: true })

  it('deletes a lead at once, goes on from the next row, and takes the deletion back', async () => {
    await leads('Undone', 'One', 'Two', 'Three')
    const page = await site.open('/admin?q=undone', { staff: true })
    await chooseInRow(rowOf(page, 'Undone Two'), 'Delete')
    await rowOf(page, 'Undone Two').waitFor({ state: 'detached' })
    await expect.poll(() => focused(page)).toContain('Undone One')
    expect(await stored('Undone')).toEqual(['One', 'Three'])
    expect(await site.db('consents').pluck('wording')).toEqual(Array(3).fill(CONSENT.form.wording))
    expect(await violations(page)).toEqual([])

    await undo(page).click()
    await rowOf(page, 'Undone Two').waitFor()
    await undo(page).waitFor({ state: 'detached' })
    expect(await stored('Undone')).toEqual(['One', 'Two', 'Three'])

    await chooseInRow(rowOf(page, 'Undone One'), 'Delete')
    await undo(page).waitFor()
    await page.keyboard.press('u')
    await undo(page).waitFor({ state: 'detached' })
    await rowOf(page, 'Undone One').waitFor()
    expect(await stored('Undone')).toEqual(['One', 'Two', 'Three'])
  })

  it('tells the CRM again of those that are chosen one by one and as a range, and matches all of a page', async () => {
    const [, , third, , fifth, ...rest] = await leads('Several', 'One', 'Two', 'Three', 'Four', 'Five')
    expect(rest).toEqual([])
    await waitFor('the deliveries', async () => {
      return (await site.db('jobs').whereIn('state', ['waiting', 'enqueued'])).length === 0
    })
    const page = await site.open('/admin?q=several', { staff: true })
    await box(page, 'Several Five').check()
    await box(page, 'Several Three').click({ modifiers: ['Shift'] })
    await bar(page).getByText('3 leads selected', { exact: true }).waitFor()
    await box(page, 'Several Four').uncheck()
    await bar(page).getByRole('button', { name: 'Retry CRM Sync' }).click()
    await bar(page).waitFor({ state: 'detached' })
    const again = await site.db('jobs').where({ name: 'sync-crm', generation: 2 }).orderBy('lead_id').pluck('lead_id')
    expect(again).toEqual([third, fifth])

    await everyBox(page).check()
    await bar(page).getByRole('button', { name: 'Match with provider...' }).click()
    const dialog = page.getByRole('dialog', { name: 'Match 5 leads with a provider' })
    await dialog.getByRole('option', { name: /^Dr\. Rosa Quill - 80202/ }).click()
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: /^Send 5 leads to/ }).click()
    await bar(page).waitFor({ state: 'detached' })
    expect(await site.db('leads').where('first_name', 'Several').pluck('provider_id')).toEqual(Array(5).fill(clinic.id))
  })

  it('tells how retries went where staff look, also on a phone and far down the list', async () => {
    await leads('Far', ...Array.from({ length: 8 }, (_, index) => `Number${index}`))
    const page = await site.open('/admin?q=far', { staff: true, width: 390 })
    await chooseInRow(rowOf(page, 'Far Number0'), 'Select')
    await bar(page).getByRole('button', { name: 'Retry CRM Sync' }).click()
    const report = page.getByRole('status', { name: 'Outcome' })
    await report.getByText('Successfully retried CRM sync of 1 lead').waitFor()
    const { y, height } = (await report.boundingBox()) ?? { y: -1, height: 0 }
    expect(y).toBeGreaterThanOrEqual(0)
    expect(y + height).toBeLessThanOrEqual(await page.evaluate(() => window.innerHeight))
  })

  it('deletes all that match, on whatever page, and only those, and takes it back', async () => {
    const names = Array.from({ length: 42 }, (_, index) => `Number${index}`)
    await Promise.all([...names.map((name) => leads('Many', name)), leads('Other', 'One')])
    const page = await site.open('/admin?q=many', { staff: true })
    await page.getByText('Page 1 of 2', { exact: true }).waitFor()
    await everyBox(page).check()
    await bar(page).getByText('40 leads selected', { exact: true }).waitFor()
    await bar(page).getByRole('button', { name: 'Select all 42 that match' }).click()
    await bar(page).getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete 42 leads' }).click()
    await page.getByText('No leads match.').waitFor()
    expect([await stored('Many'), await stored('Other')]).toEqual([[], ['One']])
    await undo(page).click()
    await page.getByText('Total: 42 leads', { exact: true }).waitFor()
    expect((await stored('Many')).toSorted()).toEqual(names.toSorted())
  })

  it('goes by keyboard', async () => {
    await leads('Key', 'One', 'Two', 'Three')
    const page = await site.open('/admin?q=key', { staff: true })
    await rowOf(page, 'Key One').waitFor()
    await page.keyboard.press('j')
    expect(await focused(page)).toContain('Key Three')
    await page.keyboard.press('ArrowDown')
    expect(await focused(page)).toContain('Key Two')
    await page.keyboard.press('x')
    await bar(page).getByText('1 lead selected', { exact: true }).waitFor()
    await page.keyboard.press('x')
    await bar(page).waitFor({ state: 'detached' })

    await page.keyboard.press('Enter')
    await page.getByRole('complementary', { name: 'Key Two' }).waitFor()
    await page.keyboard.press('k')
    await page.getByRole('complementary', { name: 'Key Three' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('complementary').waitFor({ state: 'detached' })
    await expect.poll(() => focused(page)).toContain('Key Three')

    await page.keyboard.press('?')
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await keys.getByText('Undo', { exact: true }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Escape')
    await keys.waitFor({ state: 'detached' })

    await page.keyboard.press('/')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('jxk?u')
    expect(await page.getByRole('searchbox').inputValue()).toBe('jxk?u')
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await bar(page).count()).toBe(0)
  })
})

function rowOf(page: Page, name: string): Locator {
  return page.getByRole('row').filter({ hasText: name })
}

function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.textContent ?? '')
}
