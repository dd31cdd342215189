import { afterAll, beforeEach, expect, it } from 'vitest'
import { createLead } from '../support/factories.ts'
import { clinicPost, html, startWordPress } from '../support/wordpress-server.ts'
import { describeInBrowser } from './browser.ts'
import { isUsableByEverybody } from './inspect-page.ts'
import { seesToast } from './page-actions.ts'
import { card, runTexts } from './sync-actions.ts'

const TAB = '/admin?tab=providers'
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

    it('is tried dry, then done, and is joined by whoever wants the same', async () => {
      for (let id = 1; id <= 6; id += 1) wordpress.posts.push(clinicPost(id, {}, id === 6 ? { zip_code: '' } : {}))
      await createLead(site.db, { form: { zip_code: '78702' } })
      const page = await site.open(TAB)
      await card(page).getByRole('button', { name: 'Dry run' }).click()
      const dialog = page.getByRole('dialog', { name: /^Dry run of / })
      await dialog.getByRole('heading', { name: 'To be created (5)' }).waitFor()
      await dialog.getByText('Dr. Number 6').waitFor()
      expect(await site.db('providers')).toEqual([])

      let release = () => {}
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      wordpress.intercept(async (number) => {
        if (number === 3) await held
        return undefined
      })
      await dialog.getByRole('button', { name: 'Sync now' }).click()
      await page.getByRole('button', { name: 'Syncing...' }).waitFor()
      await card(page).getByText('Page 2 of 3').waitFor()

      const other = await site.open(TAB)
      await card(other).getByText('Page 2 of 3').waitFor()
      // It joins the run only if it is asked for before the end.
      const asked = other.waitForRequest('**/api/sync')
      await other.getByRole('button', { name: 'Sync Providers' }).click()
      await asked
      await other.request.get('/api/sync-runs')
      await other.getByRole('button', { name: 'Syncing...' }).waitFor()
      release()
      const toast = ['Success', 'Successfully synced providers', '6 posts seen, 5 created, 1 post skipped.']
      await Promise.all([page, other].map((each) => seesToast(each, ...toast)))
      for (const each of [page, other]) await each.getByRole('tab', { name: 'Providers (5)' }).waitFor()
      await expect
        .poll(async () => (await runTexts(page)).map((cells) => cells.slice(2)))
        .toEqual([
          ['Done', '6', '5', '0', '0', '1', '1 of 1'],
          ['Dry run', '6', '5', '0', '0', '1', '-'],
        ])
    })

    it('asks before it deactivates many, and does it when it is approved', async () => {
      for (let id = 1; id <= 5; id += 1) wordpress.posts.push(clinicPost(id))
      const page = await site.open(TAB)
      await page.getByRole('button', { name: 'Sync Providers' }).click()
      await seesToast(page, 'Successfully synced providers', '5 posts seen, 5 created.')

      for (const post of wordpress.posts.slice(1)) post.acf = { ...post.acf, active: '0' }
      await page.getByRole('button', { name: 'Sync Providers' }).click()
      const dialog = page.getByRole('dialog', { name: /^Sync of / })
      await dialog.getByText('A sync would deactivate 4 providers at once.').waitFor()
      await dialog.getByRole('heading', { name: 'To be deactivated (4)' }).waitFor()
      expect(await page.getByText('Failed to sync providers').count()).toBe(0)
      expect(await site.db('providers').where({ status: 'f' })).toEqual([])
      await isUsableByEverybody(page, { name: 'sync to be approved' })
      await dialog.getByRole('button', { name: 'Approve: deactivate 4 providers' }).click()
      await seesToast(page, 'Successfully synced providers', '5 posts seen, 4 deactivated.')
      await page.getByRole('button', { name: 'Active (1)' }).waitFor()
      await page.getByRole('button', { name: 'Inactive (4)' }).waitFor()
    })

    it('can be approved from a dry run as well', async () => {
      for (let id = 1; id <= 5; id += 1) wordpress.posts.push(clinicPost(id))
      const page = await site.open(TAB)
      await page.getByRole('button', { name: 'Sync Providers' }).click()
      await seesToast(page, 'Successfully synced providers', '5 posts seen, 5 created.')

      for (const post of wordpress.posts.slice(1)) post.acf = { ...post.acf, active: '0' }
      await card(page).getByRole('button', { name: 'Dry run' }).click()
      const dialog = page.getByRole('dialog', { name: /^Dry run of / })
      await dialog.getByText('A sync would deactivate 4 providers at once.').waitFor()
      await dialog.getByRole('heading', { name: 'To be deactivated (4)' }).waitFor()
      await isUsableByEverybody(page, { name: 'dry run to be approved' })
      await dialog.getByRole('button', { name: 'Approve: deactivate 4 providers' }).click()
      await seesToast(page, 'Successfully synced providers', '5 posts seen, 4 deactivated.')
      await page.getByRole('button', { name: 'Inactive (4)' }).waitFor()
      expect(await site.db('providers').where({ status: 'f' })).toHaveLength(4)
    })

    it('says in a sentence why it has failed, and has changed nothing', async () => {
      wordpress.intercept(() => html(200))
      const page = await site.open(TAB)
      await page.getByRole('button', { name: 'Sync Providers' }).click()
      await seesToast(page, 'Failed to sync providers', 'Nothing was changed.')
      await card(page).getByText('The last sync has failed.').waitFor()
      expect(await site.db('providers')).toEqual([])
    })
  },
  { ADMIN_ACCESS: 'open', WORDPRESS_URL: wordpress.url, WORDPRESS_PAGE_SIZE: '2', WORDPRESS_CONCURRENCY: '2' },
)
