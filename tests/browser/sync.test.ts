import type { Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { createLead } from '../support/factories.ts'
import { waitFor } from '../support/wait.ts'
import { clinicPost } from '../support/wordpress-server.ts'
import { describeInBrowser } from './browser.ts'
import { seesToast } from './page-actions.ts'

const TAB = '/admin?tab=providers'

describeInBrowser('a sync with a WordPress site, from the click to the toast', (site) => {
  beforeEach(() => site.reset())

  const card = (page: Page) => page.getByRole('region', { name: 'Provider Sync' })

  /** Who started the newest run, and what it did. */
  const newestRun = (page: Page) =>
    page.getByRole('region', { name: 'Sync Runs' }).locator('tbody tr').first().locator('td').allInnerTexts()

  /** Whether somebody waits for a run that another transaction has locked, to join it. */
  const isJoining = async () => {
    const { rows } = await site.db.raw(
      `select from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query ilike '%provider_syncs%for update%'`,
    )
    return rows.length > 0
  }

  it('is tried dry, then done, is joined by whoever wants the same, and is shown after a reload', async () => {
    // Three pages, of which most posts are skipped.
    for (let id = 1; id <= 250; id += 1) site.wordpress.posts.push(clinicPost(id, {}, id > 5 ? { zip_code: '' } : {}))
    await createLead(site.db, { form: { zip_code: '78702' } })
    const page = await site.open(`${TAB}&syncs=true`, { staff: true })
    await card(page).getByText('The providers have never been synced.').waitFor()
    await card(page).getByRole('button', { name: 'Dry run' }).click()
    const dialog = page.getByRole('dialog', { name: /^Dry run of / })
    await dialog.getByRole('heading', { name: 'To be created (5)' }).waitFor()
    await dialog.getByText('Dr. Number 6', { exact: true }).waitFor()
    expect(await site.db('providers')).toEqual([])

    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    site.wordpress.intercept(async (number) => {
      if (number === 3) await held
      return undefined
    })
    await dialog.getByRole('button', { name: 'Sync now' }).click()
    await card(page).getByText('Page 2 of 3').waitFor()
    await page.reload()
    await card(page).getByText('Page 2 of 3').waitFor()

    const other = await site.open(TAB, { staff: true })
    await other.getByRole('button', { name: 'Sync · page 2 of 3' }).waitFor()
    // It joins the run only if it meets it before the end.
    await site.db.transaction(async (trx) => {
      await trx('provider_syncs').where('state', 'running').forUpdate()
      await other.getByRole('button', { name: 'Sync Providers' }).click()
      await waitFor('the second to join', isJoining)
    })
    await other.getByRole('button', { name: 'Syncing...' }).waitFor()
    release()
    const toast = ['Success', 'Successfully synced providers', '250 posts seen, 5 created, 245 posts skipped.']
    await seesToast(other, ...toast)
    await other.getByRole('tab', { name: 'Providers (5)' }).waitFor()
    await expect.poll(async () => (await newestRun(page)).join(' ')).toMatch(/Done/)
    await waitFor(
      'the lead to be matched',
      async () => (await site.db('leads').whereNotNull('provider_id')).length === 1,
    )
  })
})
