import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { createLead, createProvider } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'

describeInBrowser('finding leads', (site) => {
  beforeAll(async () => {
    const { id } = await createProvider(site.db, { name: 'Dr. Rosa Quill' })
    for (const [first_name, last_name, zip_code, providerId] of [
      ['Anna', 'Zeller', '78702', id],
      ['Bruno', 'Moss', '60601', undefined],
      ['Carl', 'Avery', '04401', id],
    ] as const) {
      await createLead(site.db, { form: { first_name, last_name, zip_code }, providerId })
    }
    await site.db('leads').where('last_name', 'Avery').update({ created_at: '2026-03-05' })
  })

  it('searches and filters, exports the leads found, and goes back in history', async () => {
    const page = await site.open('/admin?tab=leads', { staff: true })
    await sees(page, ['Bruno Moss', 'Anna Zeller', 'Carl Avery'])
    await page.keyboard.press('/')
    await page.keyboard.type('zel')
    await sees(page, ['Anna Zeller'])
    await page.goBack()
    await sees(page, ['Bruno Moss', 'Anna Zeller', 'Carl Avery'])
    expect(await page.getByRole('searchbox').inputValue()).toBe('')

    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByRole('search').getByLabel('Provider').selectOption({ label: 'Dr. Rosa Quill - 78701' })
    await sees(page, ['Anna Zeller', 'Carl Avery'])
    await page.getByLabel('To', { exact: true }).fill('2026-03-05')
    await sees(page, ['Carl Avery'])
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export Leads CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^leads-provider-id-\d+-to-2026-03-05\.csv$/)
    const chunks: Buffer[] = []
    for await (const chunk of await download.createReadStream()) chunks.push(chunk)
    const csv = Buffer.concat(chunks).toString()
    expect(csv).toContain('Avery')
    expect(csv).not.toContain('Zeller')

    await page.reload()
    await sees(page, ['Carl Avery'])
  })

  it('opens a lead beside the list, by its address too, and gives the focus back', async () => {
    const page = await site.open('/admin?tab=leads', { staff: true })
    await page.getByRole('link', { name: 'Bruno Moss' }).click()
    const panel = page.getByRole('complementary', { name: 'Bruno Moss' })
    await panel.getByText('SHA-256').waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Unmatched' }).click()
    await sees(page, ['Bruno Moss'])

    await page.reload()
    await panel.getByText('SHA-256').waitFor({ state: 'attached' })
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await expect.poll(() => focused(page)).toContain('Bruno Moss')

    // On a phone it takes the place of the list.
    await page.setViewportSize({ width: 390, height: 800 })
    await page.getByRole('link', { name: 'Bruno Moss' }).click()
    await panel.waitFor()
    expect(await page.getByRole('table').count()).toBe(0)
    await panel.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('table').waitFor()
    await expect.poll(() => focused(page)).toContain('Bruno Moss')
  })
})

/** Waits until these are the leads of the page, in this order. */
async function sees(page: Page, names: string[]): Promise<void> {
  await expect.poll(() => page.getByTitle('What happened').allTextContents()).toEqual(names)
}

function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.textContent ?? '')
}
