import type { Download } from 'playwright-core'
import { expect, it } from 'vitest'
import { MAX_DIRECT_ROWS } from '../../core/contract/exports.ts'
import { addLeads } from '../support/exports.ts'
import { waitFor } from '../support/wait.ts'
import { describeInBrowser } from './browser.ts'

describeInBrowser('an export of more leads than are downloaded at once', (site) => {
  it('is prepared by the worker, downloaded by the page that asked, and offered again after a reload', async () => {
    await addLeads(site.db, MAX_DIRECT_ROWS + 1)
    const [page, other] = [
      await site.open('/admin?tab=leads', { staff: true }),
      await site.open('/admin?tab=leads', { staff: true }),
    ]
    const [downloaded] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export Leads CSV' }).click(),
    ])
    expect(downloaded.suggestedFilename()).toBe('leads.csv')
    expect(await linesOf(downloaded)).toBe(MAX_DIRECT_ROWS + 2)

    await other.getByText('Export of 10,001 leads: ready until').waitFor()
    await page.reload()
    const notice = page.getByRole('region', { name: 'Export' })
    const [again] = await Promise.all([
      page.waitForEvent('download'),
      notice.getByRole('button', { name: 'Download' }).click(),
    ])
    expect(await linesOf(again)).toBe(MAX_DIRECT_ROWS + 2)

    await notice.getByRole('button', { name: 'Delete file' }).click()
    for (const tab of [page, other]) await tab.getByRole('region', { name: 'Export' }).waitFor({ state: 'detached' })
    await waitFor('the file to be gone', async () => (await site.db('export_pieces')).length === 0)
  })
})

async function linesOf(download: Download): Promise<number> {
  let text = ''
  for await (const chunk of await download.createReadStream()) text += chunk
  return text.trimEnd().split('\r\n').length
}
