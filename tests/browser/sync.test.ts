import type { Page, Route } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { announce } from '../../core/stores/changes.ts'
import { SECOND } from '../../core/time.ts'
import { createLead, createProvider, createStaff, staffHeaders } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import { isUsableByEverybody, violations } from './inspect-page.ts'
import { holdCalls, seesToast } from './page-actions.ts'
import { card, change, createSyncRun, listed, MASS, runs, runTexts } from './sync-actions.ts'

const TAB = '/admin?tab=providers'
const YEARLY = '0 0 1 1 *'
const CREATIONS = [change('create', 1), change('create', 2)]

describeInBrowser(
  'the sync of providers, as staff see it',
  (site) => {
    beforeEach(() => site.reset())

    const tell = (id: number) => announce(site.db, { syncs: [id] })

    async function endRun(id: number, row: Record<string, unknown>) {
      await site
        .db('provider_syncs')
        .where({ id })
        .update({ state: 'done', finished_at: new Date(), ...row })
      await tell(id)
    }

    it('is explained before the first time, with a dry run that shows what would change', async () => {
      const page = await site.open(TAB)
      await card(page)
        .getByText(
          /never been synced\. Before the first time, a dry run shows .* Its schedule begins after the first sync\./,
        )
        .waitFor()
      await page.getByText('No sync has worked yet. The schedule begins after the first one.').waitFor()
      await runs(page).getByText('No sync has run yet.').waitFor()
      await isUsableByEverybody(page, { name: 'sync never' })

      let release = () => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      await page.route('**/api/sync/dry-run', async (route) => {
        await released
        const id = await createSyncRun(site.db, { dry_run: true, seen: 2, created: 2, ...listed(CREATIONS) })
        const answer = await page.request.get(`/api/sync-runs/${id}`)
        await route.fulfill({ json: { success: true, run: await answer.json() } })
      })
      await card(page).getByRole('button', { name: 'Dry run' }).click()
      expect(await page.getByRole('button', { name: 'Sync Providers' }).isDisabled()).toBe(true)
      release()
      const dialog = page.getByRole('dialog', { name: /^Dry run of / })
      await dialog.getByRole('heading', { name: 'To be created (2)' }).waitFor()
      await isUsableByEverybody(page, { name: 'sync dry run' })

      await page.route('**/api/sync', (route) => route.fulfill({ json: { success: true } }))
      await dialog.getByRole('button', { name: 'Sync now' }).click()
      await seesToast(page, 'Success', 'Successfully synced providers')
      await dialog.waitFor({ state: 'detached' })
      await card(page).getByText('The last dry run: 2 posts seen, 2 to create.').waitFor()
    })

    it('is said to be out of date after two times that it was due', async () => {
      const id = await createSyncRun(site.db, { seen: 5, unchanged: 5 })
      const page = await site.open('/admin')
      await page.getByRole('tab', { name: 'Providers (0)' }).waitFor()
      expect(await page.getByText('The providers may be out of date').count()).toBe(0)
      const long = new Date('2020-05-05T12:00:00Z')
      await site.db('provider_syncs').where({ id }).update({ created_at: long, finished_at: long })
      await createSyncRun(site.db, { state: 'failed', error: 'WordPress did not answer. Nothing was changed.' })
      await tell(id)
      const notice = page.getByRole('status').filter({ hasText: 'The providers may be out of date' })
      await notice.getByText(/^The last sync that worked was on May 5, 2020, /).waitFor()
      await notice.getByRole('link', { name: 'See the sync' }).click()
      await card(page).getByText('WordPress did not answer. Nothing was changed.').waitFor()
      await isUsableByEverybody(page, { name: 'sync out of date' })
    })

    it('lists the runs, and how the last one went', async () => {
      const { email } = await createStaff(site.db, { name: 'Ada Park' })
      await createSyncRun(site.db, { started_by: email, seen: 120, created: 118, skipped: 2 })
      await createSyncRun(site.db, { trigger: 'schedule', started_by: null, seen: 120, unchanged: 120 })
      const matched = await createSyncRun(site.db, {
        trigger: 'command',
        started_by: 'command line',
        seen: 1205,
        updated: 7,
        deactivated: 1,
        leads_queued: 2,
      })
      const provider = await createProvider(site.db)
      const lead = await createLead(site.db, { providerId: provider.id })
      await site
        .db('jobs')
        .where({ lead_id: lead, name: 'send-email', purpose: 'provider' })
        .update({ sync_id: matched, state: 'done', finished_at: new Date(), result: { providerId: provider.id } })
      await createSyncRun(site.db, { dry_run: true, seen: 120, updated: 3 })
      await createSyncRun(site.db, {
        state: 'failed',
        error: 'WordPress answered page 7 of 12 with 500. Nothing was changed.',
      })
      const page = await site.open(TAB)

      await card(page)
        .getByText(/^Last synced .* minutes ago\. The next sync is due /)
        .waitFor()
      await card(page).getByText('WordPress answered page 7 of 12 with 500. Nothing was changed.').waitFor()
      const texts = async () => (await runTexts(page)).map((cells) => cells.slice(1))
      await expect.poll(texts).toEqual([
        [
          'Shared password',
          'Failed WordPress answered page 7 of 12 with 500. Nothing was changed.',
          '-',
          '-',
          '-',
          '-',
          '-',
          '-',
        ],
        ['Shared password', 'Dry run', '120', '0', '3', '0', '0', '-'],
        ['Command line', 'Done', '1,205', '0', '7', '1', '0', '1 of 2'],
        ['Schedule', 'Done', '120', '0', '0', '0', '0', '0'],
        ['Ada Park', 'Done', '120', '118', '0', '0', '2', '0'],
      ])
      await isUsableByEverybody(page, { name: 'sync runs' })
    })

    it('shows page by page what there was', async () => {
      for (let run = 0; run < 12; run += 1) await createSyncRun(site.db, { seen: run })
      const page = await site.open(TAB)
      await runs(page).getByText('Total: 12 runs').waitFor()
      await runs(page).getByRole('button', { name: 'Next' }).click()
      await expect.poll(async () => (await runTexts(page)).map((cells) => cells[3])).toEqual(['1', '0'])
      await page.reload()
      await runs(page).getByText('Page 2 of 2').waitFor()
    })

    it('shows what a run changed, post by post, and what it skipped and why', async () => {
      const id = await createSyncRun(site.db, {
        seen: 900,
        created: 600,
        updated: 1,
        deactivated: 1,
        reactivated: 1,
        skipped: 1,
        missing: 2,
        unreadable: 1,
        leads_queued: 3,
        ...listed(
          [
            change('deactivate', 1, { reason: 'inactive' }),
            change('reactivate', 2),
            change('create', 3),
            change('update', 4, {
              fields: [
                { field: 'phone', from: '(512) 555-0100', to: '(512) 555-0142' },
                { field: 'accepts_financing', from: false, to: true },
                { field: 'website', from: null, to: `https://clinic.example/${'long'.repeat(30)}` },
              ],
            }),
          ],
          [{ wordpress_id: 4799, title: 'Dr. Nowhere', reason: 'It has no zip code.' }],
        ),
      })
      const page = await site.open(TAB)
      const link = runs(page).getByRole('link')
      await link.focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: /^Sync of / })
      for (const text of [
        'Done. Started by: Shared password. 3 pages read in 4.2 s.',
        '3 waiting leads looked at again, none matched so far.',
        'Its post says that it is not active.',
        'It has no zip code.',
        'And 599 more, which are not listed.',
      ])
        await dialog.getByText(text, { exact: true }).waitFor()
      const headings = await dialog.getByRole('heading', { level: 3 }).allTextContents()
      expect(headings).toEqual(['Skipped (1)', 'Deactivated (1)', 'Reactivated (1)', 'Created (600)', 'Updated (1)'])
      await dialog.getByText('Phone: from (512) 555-0100 → to (512) 555-0142').waitFor()
      await dialog.getByText('Financing: from no → to yes').waitFor()
      expect(await dialog.getByRole('button').allTextContents()).toEqual(['Close'])
      await isUsableByEverybody(page, { name: 'sync run' })

      await page.keyboard.press('Escape')
      await expect.poll(() => link.evaluate((node) => node === document.activeElement)).toBe(true)
      expect(page.url()).not.toContain('sync=')
      await page.goto(`${TAB}&sync=${id}`)
      await dialog.waitFor()
    })

    it('says that there is no such run', async () => {
      const page = await site.open(`${TAB}&sync=4711`, { expectErrors: /status of 404/ })
      await page.getByRole('dialog').getByText('404: There is no such sync.').waitFor()
    })

    it('shows how far a run is, whoever has started it, and that it has ended', async () => {
      const { email } = await createStaff(site.db, { name: 'Ada Park' })
      await createSyncRun(site.db, { seen: 5, unchanged: 5 })
      const page = await site.open(TAB)
      await card(page).getByText('The last sync: 5 posts seen, nothing changed.').waitFor()
      // What is read out is only heard of in a live region that was there before.
      const spoken = await card(page).getByRole('status').elementHandle()
      const id = await createSyncRun(site.db, { state: 'running', started_by: email, pages_done: 0, pages_total: null })
      const update = async (row: Record<string, unknown>) => {
        await site.db('provider_syncs').where({ id }).update(row)
        await tell(id)
      }
      await tell(id)
      await card(page).getByText('Sync by Ada Park').waitFor()
      await card(page).getByText('Asking WordPress').waitFor()
      await update({ pages_done: 3, pages_total: 12 })
      await card(page).getByText('Page 3 of 12').waitFor()
      await runs(page).getByText('Page 3 of 12').waitFor()
      expect(await card(page).getByRole('progressbar').getAttribute('value')).toBe('3')
      expect(await spoken?.textContent()).toBe('Sync under way: 25%')
      await isUsableByEverybody(page, { name: 'sync running' })

      await update({ state: 'done', pages_done: 12, seen: 1150, created: 4, finished_at: new Date() })
      await card(page).getByText('The last sync: 1,150 posts seen, 4 created.').waitFor()
      expect(await card(page).getByRole('progressbar').count()).toBe(0)
    })

    it('reads the lists when a run starts and ends, and not at each of its beats', async () => {
      await createSyncRun(site.db, { seen: 5, unchanged: 5 })
      const page = await site.open(TAB)
      const idle = await site.open('/admin')
      const id = await createSyncRun(site.db, { state: 'running', pages_done: 1, pages_total: 12 })
      // Whoever follows the run has read the lists at its start.
      const follows = idle.waitForRequest(`**/api/sync-runs/${id}`)
      await tell(id)
      await card(page).getByText('Page 1 of 12').waitFor()
      await runs(page).getByText('Page 1 of 12').waitFor()
      await tell(id)
      await follows
      const calls = [page, idle].map((each) => {
        const seen: string[] = []
        each.on('request', (request) => {
          const { pathname } = new URL(request.url())
          if (pathname.startsWith('/api/')) seen.push(pathname)
        })
        return seen
      })
      for (let done = 2; done < 6; done += 1) {
        await site.db('provider_syncs').where({ id }).update({ pages_done: done })
        await tell(id)
        await card(page).getByText(`Page ${done} of 12`).waitFor()
        await runs(page).getByText(`Page ${done} of 12`).waitFor()
      }
      for (const seen of calls) expect([...new Set(seen)]).toEqual([`/api/sync-runs/${id}`])

      await endRun(id, MASS)
      await idle.getByRole('status').filter({ hasText: 'A sync waits for approval' }).waitFor()
      await runs(page).getByText('Needs approval').waitFor()
    })

    it('asks before many providers are deactivated, on every tab', async () => {
      await createSyncRun(site.db, { seen: 50, created: 50 })
      const id = await createSyncRun(site.db, MASS)
      const page = await site.open('/admin')
      const notice = page.getByRole('status').filter({ hasText: 'A sync waits for approval' })
      await notice.getByRole('link', { name: 'See what it would change' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('A sync would deactivate 12 providers at once.').waitFor()
      await dialog.getByRole('heading', { name: 'To be deactivated (12)' }).waitFor()
      await isUsableByEverybody(page, { name: 'sync needs approval' })

      await dialog.getByRole('button', { name: 'Leave it' }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.goto(`${TAB}&sync=${id}`)
      await page.route(`**/api/sync-runs/${id}/approve`, async (route) => {
        await createSyncRun(site.db, { approves: id, seen: 38, deactivated: 12 })
        await route.fulfill({ json: { success: true } })
      })
      await dialog.getByRole('button', { name: 'Approve: deactivate 12 providers' }).click()
      await seesToast(page, 'Successfully synced providers')
      await dialog.waitFor({ state: 'detached' })
      await expect.poll(() => notice.count()).toBe(0)

      await page.goto(`${TAB}&sync=${id}`)
      await dialog.getByText(/It can no longer be approved/).waitFor()
      expect(await dialog.getByRole('button').allTextContents()).toEqual(['Close'])
    })

    it('can be looked at by viewers, who change nothing', async () => {
      const { id: viewer } = await createStaff(site.db, { role: 'viewer' })
      const id = await createSyncRun(site.db, MASS)
      const page = await open(viewer, `${TAB}&sync=${id}`)
      const dialog = page.getByRole('dialog')
      await dialog.getByText(/a manager can approve it/).waitFor()
      expect(await dialog.getByRole('button').allTextContents()).toEqual(['Close'])
      await dialog.getByRole('button', { name: 'Close' }).click()
      await card(page)
        .getByText(/The last sync waits for approval/)
        .waitFor()
      expect(await page.getByRole('button', { name: /sync|dry run/i }).count()).toBe(0)
      expect(await violations(page)).toEqual([])
    })

    it('has its place while it is being loaded', async () => {
      const page = await site.open('/admin')
      const { release } = await holdCalls(page, '**/api/sync-runs?*')
      await page.goto(TAB)
      await runs(page).locator('[aria-busy=true]').waitFor()
      await page.getByText('There are no active providers.').waitFor()
      await isUsableByEverybody(page, { name: 'sync loading' })
      release()
      await card(page)
        .getByText(/never been synced/)
        .waitFor()
    })

    it('says what cannot be loaded, and tries again', async () => {
      const page = await site.open('/admin', { expectErrors: /status of 503/ })
      const refuse = (call: string) =>
        page.route(call, (route) => route.fulfill({ status: 503, json: { error: 'Not now.', code: 'unavailable' } }))
      await refuse('**/api/sync-runs?*')
      await refuse('**/api/settings')
      await page.goto(TAB)
      await card(page).getByText('503: Not now.').waitFor()
      await runs(page).getByText('503: Not now.').waitFor()
      const settings = page.getByRole('alert').filter({ hasText: 'Failed to load settings' })
      await settings.getByText('503: Not now. Links to WordPress and the streets of the map are missing.').waitFor()
      await isUsableByEverybody(page, { name: 'sync not loaded' })

      await page.unroute('**/api/settings')
      await settings.getByRole('button', { name: 'Try again' }).click()
      await settings.waitFor({ state: 'detached' })
      await page.unroute('**/api/sync-runs?*')
      await card(page).getByRole('button', { name: 'Try again' }).click()
      await card(page)
        .getByText(/never been synced/)
        .waitFor()
      await runs(page).getByRole('button', { name: 'Try again' }).click()
      await runs(page).getByText('No sync has run yet.').waitFor()
    })

    describe('the button', () => {
      it('waits for the real end, also when that takes longer than the call', async () => {
        const page = await site.open('/admin')
        const run = { state: 'running', pages_done: 3, pages_total: 12 }
        const id = await createSyncRun(site.db, run)
        await page.route('**/api/sync', async (route) => {
          const answer = await page.request.get(`/api/sync-runs/${id}`)
          const error = 'The sync is still running. It goes on by itself.'
          await route.fulfill({ status: 202, json: { success: false, error, run: await answer.json() } })
        })
        await tell(id)
        await page.getByRole('button', { name: 'Sync Providers' }).click()
        await page.getByText('Page 3 of 12', { exact: true }).waitFor()
        expect(await page.getByRole('button', { name: 'Syncing...' }).isDisabled()).toBe(true)
        await isUsableByEverybody(page, { name: 'syncing on leads tab' })

        await endRun(id, { seen: 30, created: 2 })
        await seesToast(page, 'Successfully synced providers', '30 posts seen, 2 created.')
        await page.getByRole('button', { name: 'Sync Providers' }).waitFor()
      })

      it.each([
        ['that gets no answer', (route: Route) => route.abort('connectionreset')],
        [
          'that a proxy gives up',
          (route: Route) => route.fulfill({ status: 504, contentType: 'text/html', body: '<h1>Gateway Time-out</h1>' }),
        ],
      ])('follows the run of a call %s, over a restart of the server, to its end', async (_, giveUp) => {
        await createSyncRun(site.db, { seen: 5, unchanged: 5 })
        const page = await site.open('/admin', { expectErrors: /status of 50[234]|ERR_CONNECTION_RESET/ })
        await page.getByRole('tab', { name: 'Providers (0)' }).waitFor()
        let id = 0
        await page.route('**/api/sync', async (route) => {
          id = await createSyncRun(site.db, { state: 'running', pages_done: 3, pages_total: 12 })
          await giveUp(route)
        })
        let refusals = 0
        await page.route('**/api/sync-runs**', async (route) => {
          if (id === 0 || refusals === 2) return route.fallback()
          refusals += 1
          await route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' })
        })
        await page.getByRole('button', { name: 'Sync Providers' }).click()
        await expect.poll(() => refusals, { timeout: 10 * SECOND }).toBe(2)
        await tell(id)
        await page.getByText('Page 3 of 12', { exact: true }).waitFor()
        refusals = 0
        await expect.poll(() => refusals, { timeout: 10 * SECOND }).toBe(2)
        await page.getByRole('button', { name: 'Syncing...' }).waitFor()
        expect(await page.locator('[data-sonner-toast]').count()).toBe(0)

        await endRun(id, { seen: 30, created: 2 })
        await seesToast(page, 'Successfully synced providers', '30 posts seen, 2 created.')
        await page.getByRole('button', { name: 'Sync Providers' }).waitFor()
      })

      it('goes on after a reload, and tells the end, but not of the run of somebody else', async () => {
        await createSyncRun(site.db, { seen: 5, unchanged: 5 })
        const page = await site.open('/admin')
        const other = await site.open('/admin')
        await page.getByRole('tab', { name: 'Providers (0)' }).waitFor()
        const asked = await holdCalls(page, '**/api/sync')
        await page.getByRole('button', { name: 'Sync Providers' }).click()
        await page.getByRole('button', { name: 'Syncing...' }).waitFor()
        await expect.poll(asked.calls).toBe(1)
        const id = await createSyncRun(site.db, { state: 'running', pages_done: 3, pages_total: 12 })
        await tell(id)
        await page.reload()
        expect(await page.getByRole('button', { name: 'Syncing...' }).isDisabled()).toBe(true)
        await page.getByText('Page 3 of 12', { exact: true }).waitFor()
        await other.getByRole('button', { name: 'Sync Providers' }).waitFor()

        await endRun(id, { seen: 30, created: 2 })
        await seesToast(page, 'Successfully synced providers', '30 posts seen, 2 created.')
        await page.getByRole('button', { name: 'Sync Providers' }).waitFor()
        expect(asked.calls()).toBe(1)
        expect(await other.locator('[data-sonner-toast]').count()).toBe(0)

        await page.reload()
        await page.getByRole('button', { name: 'Sync Providers' }).waitFor()
        expect(await page.getByRole('button', { name: 'Syncing...' }).count()).toBe(0)
      })

      it('asks after a reload as well, when the run needs approval', async () => {
        await createSyncRun(site.db, { seen: 50, created: 50 })
        const page = await site.open('/admin')
        await page.getByRole('tab', { name: 'Providers (0)' }).waitFor()
        const asked = await holdCalls(page, '**/api/sync')
        await page.getByRole('button', { name: 'Sync Providers' }).click()
        await expect.poll(asked.calls).toBe(1)
        await createSyncRun(site.db, MASS)
        await page.reload()
        await page.getByRole('dialog').getByText('A sync would deactivate 12 providers at once.').waitFor()
        expect(await page.getByText('Failed to sync providers').count()).toBe(0)
      })

      it('says so when nothing was started', async () => {
        await createSyncRun(site.db, { seen: 5, unchanged: 5 })
        const page = await site.open('/admin', { expectErrors: /ERR_FAILED/ })
        await page.getByRole('tab', { name: 'Providers (0)' }).waitFor()
        await page.route('**/api/sync', (route) => route.abort())
        await page.getByRole('button', { name: 'Sync Providers' }).click()
        await seesToast(page, 'Failed to sync providers')
        await page.getByRole('button', { name: 'Sync Providers' }).waitFor()
      })
    })

    function open(account: number, path: string): Promise<Page> {
      return staffHeaders(site.db, account).then(({ cookie }) => {
        const [name = '', value = ''] = cookie.split('=')
        const one = { name, value, domain: 'localhost', path: '/', expires: -1, httpOnly: true, secure: false }
        const storageState = { cookies: [{ ...one, sameSite: 'Strict' as const }], origins: [] }
        return site.open(path, { context: { storageState } })
      })
    }
  },
  { ADMIN_ACCESS: 'open', WORDPRESS_URL: 'https://clinics.example/wp', WORDPRESS_SYNC_CRON: YEARLY },
)
