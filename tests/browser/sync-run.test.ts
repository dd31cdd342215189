import { afterAll, beforeEach, expect, it } from 'vitest'
import { ACCOUNT_PASSWORD, createLead, createStaff } from '../support/factories.ts'
import { waitFor } from '../support/wait.ts'
import { clinicPost, startWordPress } from '../support/wordpress-server.ts'
import { describeInBrowser } from './browser.ts'
import { isUsableByEverybody, violations } from './inspect-page.ts'
import { holdCalls, seesToast, signInAs } from './page-actions.ts'
import { card, change, createSyncRun, listed, MASS, runs, runTexts, takenNumbers } from './sync-actions.ts'

const TAB = '/admin?tab=providers'
const DRAWER = '/admin?tab=providers&syncs=true'
const wordpress = await startWordPress()
afterAll(() => wordpress.close())

describeInBrowser(
  'a sync with a WordPress site, from the click to the toast',
  (site) => {
    beforeEach(async () => {
      await site.reset()
      wordpress.posts.splice(0)
      wordpress.intercept(() => undefined)
    })

    it('is tried dry, then done, is joined by whoever wants the same, and is shown after a reload', async () => {
      for (let id = 1; id <= 6; id += 1) wordpress.posts.push(clinicPost(id, {}, id === 6 ? { zip_code: '' } : {}))
      await createLead(site.db, { form: { zip_code: '78702' } })
      const page = await site.open(DRAWER, { staff: true })
      await card(page).getByText('The providers have never been synced.').waitFor()
      await isUsableByEverybody(page, { name: 'sync never' })
      await card(page).getByRole('button', { name: 'Dry run' }).click()
      const dialog = page.getByRole('dialog', { name: /^Dry run of / })
      await dialog.getByRole('heading', { name: 'To be created (5)' }).waitFor()
      await dialog.getByText('Dr. Number 6').waitFor()
      expect(await site.db('providers')).toEqual([])
      expect(await violations(page)).toEqual([])

      let release = () => {}
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      wordpress.intercept(async (number) => {
        if (number === 3) await held
        return undefined
      })
      await dialog.getByRole('button', { name: 'Sync now' }).click()
      await card(page).getByText('Page 2 of 3').waitFor()
      await page.reload()
      await card(page).getByText('Page 2 of 3').waitFor()

      const other = await site.open(TAB, { staff: true })
      await other.getByRole('button', { name: 'Sync · page 2 of 3' }).waitFor()
      // It joins the run only if it is asked for before the end. The number of a run is taken, though there is none.
      const numbers = await takenNumbers(site.db)
      await other.getByRole('button', { name: 'Sync Providers' }).click()
      await waitFor('the second to join', async () => (await takenNumbers(site.db)) > numbers)
      await other.request.get('/api/sync-runs')
      await other.getByRole('button', { name: 'Syncing...' }).waitFor()
      release()
      const toast = ['Success', 'Successfully synced providers', '6 posts seen, 5 created, 1 post skipped.']
      await seesToast(other, ...toast)
      await other.getByRole('tab', { name: 'Providers (5)' }).waitFor()
      await expect
        .poll(async () => (await runTexts(page)).map((cells) => cells.slice(2)))
        .toEqual([
          ['Done', '6', '5', '0', '0', '0', '1', '1 of 1'],
          ['Dry run', '6', '5', '0', '0', '0', '1', '-'],
        ])
    })

    it('asks before it deactivates many, and does it when a manager approves', async () => {
      const { email } = await createStaff(site.db, { name: 'Ada Park' })
      for (let id = 1; id <= 5; id += 1) wordpress.posts.push(clinicPost(id))
      const page = await site.open(TAB)
      await signInAs(page, email, ACCOUNT_PASSWORD)
      await page.getByRole('button', { name: 'Sync Providers' }).click()
      await seesToast(page, 'Successfully synced providers', '5 posts seen, 5 created.')

      for (const post of wordpress.posts.slice(1)) post.acf = { ...post.acf, active: '0' }
      await page.getByRole('button', { name: 'Sync Providers' }).click()
      const dialog = page.getByRole('dialog', { name: /^Sync of / })
      await dialog.getByText('A sync would deactivate 4 providers at once.').waitFor()
      await dialog.getByRole('heading', { name: 'To be deactivated (4)' }).waitFor()
      expect(await site.db('providers').where({ status: 'f' })).toEqual([])
      await isUsableByEverybody(page, { name: 'sync to be approved' })
      await dialog.getByRole('button', { name: 'Approve: deactivate 4 providers' }).click()
      await seesToast(page, 'Successfully synced providers', '5 posts seen, 4 deactivated.')
      await page.getByRole('button', { name: 'Active (1)' }).waitFor()
      await page.getByRole('button', { name: 'Inactive (4)' }).waitFor()
      expect(await site.db('providers').where({ status: 'f' })).toHaveLength(4)
      await page.getByRole('button', { name: /^Sync · last/ }).click()
      await expect.poll(async () => (await runTexts(page))[0]?.slice(1, 3)).toEqual(['Ada Park', 'Done'])
    })

    it('can be used by everybody, whatever the runs', async () => {
      const long = `https://clinic.example/${'long'.repeat(30)}`
      const fields = [{ field: 'website', from: null, to: long }]
      const skipped = [{ wordpress_id: 4799, title: 'Dr. Nowhere', reason: 'It has no zip code.' }]
      const changes = [change('deactivate', 1, { reason: 'inactive' }), change('update', 4, { fields })]
      const counts = { seen: 900, created: 600, updated: 1, deactivated: 1, skipped: 1, missing: 2, unreadable: 1 }
      await createSyncRun(site.db, { ...counts, leads_queued: 3, ...listed(changes, skipped) })
      await createSyncRun(site.db, {
        state: 'failed',
        error: `WordPress answered ${long} with 500. Nothing was changed.`,
      })
      await createSyncRun(site.db, MASS)
      await createSyncRun(site.db, { state: 'running', pages_done: 3, pages_total: 12 })
      const page = await site.open('/admin', { staff: true, expectErrors: /status of 503/ })
      await page.getByRole('status').filter({ hasText: 'A sync waits for approval' }).waitFor()
      const { release } = await holdCalls(page, '**/api/sync-runs?*')
      await page.goto(DRAWER)
      await runs(page).locator('[aria-busy=true]').waitFor()
      expect(await violations(page)).toEqual([])
      release()
      await card(page).getByText('Page 3 of 12').waitFor()
      expect(await card(page).getByRole('progressbar').getAttribute('value')).toBe('3')
      await isUsableByEverybody(page, { name: 'sync runs' })

      const link = runs(page).getByRole('link').last()
      await link.focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: /^Sync of / })
      await dialog.getByText('And 600 more, which are not listed.').waitFor()
      await isUsableByEverybody(page, { name: 'sync run' })
      await page.keyboard.press('Escape')
      await expect.poll(() => link.evaluate((node) => node === document.activeElement)).toBe(true)
      expect(page.url()).not.toContain('sync=')

      for (const call of ['**/api/sync-runs?*', '**/api/settings']) {
        await page.route(call, (route) =>
          route.fulfill({ status: 503, json: { error: 'Not now.', code: 'unavailable' } }),
        )
      }
      await page.reload()
      await expect.poll(() => page.getByRole('alert').count()).toBe(2)
      await isUsableByEverybody(page, { name: 'sync not loaded' })
    })
  },
  { WORDPRESS_URL: wordpress.url, WORDPRESS_PAGE_SIZE: '2', WORDPRESS_CONCURRENCY: '2' },
)
