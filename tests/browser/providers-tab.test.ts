import { setTimeout as sleep } from 'node:timers/promises'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SECOND } from '../../core/time.ts'
import { createLead, createProvider, createStaff, staffHeaders } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import { isUsableByEverybody, violations } from './inspect-page.ts'
import { AUSTIN, DENVER, hasOutlines, marks, middleOf, seedNetwork, zooms } from './map-actions.ts'
import { holdCalls, seesToast, signIn } from './page-actions.ts'
import { createSyncRun } from './sync-actions.ts'

const TAB = '/admin?tab=providers'
const MANY = 10_000
const INACTIVE = '**/api/providers?status=inactive'
const ACTIVE = '**/api/providers'

describeInBrowser(
  'the tab of providers',
  (site) => {
    beforeEach(() => site.reset())

    /** A provider of whom everything is known. */
    const quill = (overrides = {}) =>
      createProvider(site.db, {
        name: 'Dr. Rosa Quill',
        practice_name: 'Quill Clinic',
        email: 'desk@quill.example',
        phone: '(512) 555-0142',
        website: 'quill.example',
        wordpress_id: 4711,
        ...AUSTIN,
        ...overrides,
      })

    it('says what there is to say of each', async () => {
      const { id } = await quill()
      await createLead(site.db, { providerId: id })
      await createProvider(site.db, { name: 'Dr. Bare', practice_name: null, address: '7 Elm Street', phone: null })
      await createProvider(site.db, { name: 'Dr. Barest', practice_name: null, address: null, zip_code: '60601' })
      const page = await site.open(TAB)
      await page.getByRole('tab', { name: 'Providers (3)', selected: true }).waitFor()
      await page.getByRole('heading', { name: 'Providers List' }).waitFor()

      const row = rowOf(page, 'Dr. Rosa Quill')
      for (const text of ['Active', 'Quill Clinic', '1 lead']) await row.getByText(text, { exact: true }).waitFor()
      const link = (name: string) => row.getByRole('link', { name }).getAttribute('href')
      expect(await link('(512) 555-0142')).toBe('tel:5125550142')
      expect(await link('Website')).toBe('https://quill.example')
      expect(await link('Edit')).toBe('https://clinics.example/wp/wp-admin/post.php?post=4711&action=edit')

      const bare = rowOf(page, 'Dr. Bare')
      await bare.getByText('7 Elm Street', { exact: true }).waitFor()
      await bare.getByText('0 leads', { exact: true }).waitFor()
      expect(await bare.getByRole('link').count()).toBe(0)
      await rowOf(page, 'Dr. Barest').getByText('60601', { exact: true }).waitFor()
    })

    it('shows a picture, or an icon where there is none to show', async () => {
      await quill({ image_url: `${site.url}/art/map/pin.svg` })
      await createProvider(site.db, { name: 'Dr. Broken', image_url: `${site.url}/api/no-picture` })
      const page = await site.open(TAB, { expectErrors: /status of 404/ })
      await rowOf(page, 'Dr. Rosa Quill').locator('img').waitFor()
      await rowOf(page, 'Dr. Broken').locator('svg').waitFor()
      expect(await rowOf(page, 'Dr. Broken').locator('img').count()).toBe(0)
    })

    it('shows the active ones, and the inactive ones when asked, also by its address', async () => {
      await quill()
      await quill({ name: 'Dr. Gone', wordpress_id: 4712, status: 'f' })
      await quill({ name: 'Dr. Left', wordpress_id: 4713, status: 'f' })
      const page = await site.open(TAB)
      await page.getByRole('button', { name: 'Active (1)', pressed: true }).waitFor()
      expect(await rowOf(page, 'Dr. Gone').count()).toBe(0)

      await page.getByRole('button', { name: 'Inactive (2)', pressed: false }).click()
      await rowOf(page, 'Dr. Gone').getByText('Inactive', { exact: true }).waitFor()
      expect(await rowOf(page, 'Dr. Rosa Quill').count()).toBe(0)
      await page.reload()
      await rowOf(page, 'Dr. Left').waitFor()
      await page.getByRole('button', { name: 'Inactive (2)', pressed: true }).waitFor()
    })

    it('says that there are none', async () => {
      const page = await site.open(TAB)
      await page.getByRole('tab', { name: 'Providers (0)' }).waitFor()
      await page.getByText('There are no active providers.').waitFor()
      await page.getByRole('button', { name: 'Inactive (0)' }).click()
      await page.getByText('There are no inactive providers.').waitFor()
      expect(await violations(page)).toEqual([])
      await map(page).locator('.leaflet-container').waitFor()
      expect(await marks(page).count()).toBe(0)
    })

    it('shows what is to come while it is being loaded', async () => {
      await quill()
      const page = await site.open('/admin')
      const { release } = await holdCalls(page, ACTIVE)
      await page.goto(TAB)
      await list(page).locator('[aria-busy=true]').waitFor()
      await page.getByRole('tab', { name: 'Providers (…)' }).waitFor()
      await page.getByText('Loading map...').waitFor()
      release()
      await rowOf(page, 'Dr. Rosa Quill').waitFor()
      expect(await list(page).locator('[aria-busy=true]').count()).toBe(0)
    })

    it('shows the list that is there when the other one fails, and tries again when asked', async () => {
      await quill()
      await quill({ name: 'Dr. Gone', wordpress_id: 4712, status: 'f' })
      const page = await site.open('/admin', { expectErrors: /status of 503|ERR_CONNECTION_REFUSED/ })
      await page.route(INACTIVE, (route) =>
        route.fulfill({ status: 503, json: { error: 'Not now.', code: 'internal' } }),
      )
      await page.goto(TAB)
      const alert = page.getByRole('alert')
      await alert.getByText('Failed to load providers', { exact: true }).waitFor()
      await alert.getByText('Inactive providers: 503: Not now.', { exact: true }).waitFor()
      expect(await alert.count()).toBe(1)
      await rowOf(page, 'Dr. Rosa Quill').waitFor()
      await page.getByRole('button', { name: 'Inactive (…)' }).click()
      await page.getByText('These providers could not be loaded.').waitFor()
      expect(await violations(page)).toEqual([])
      await page.getByRole('tab', { name: 'Providers (…)' }).waitFor()

      await page.unroute(INACTIVE)
      await alert.getByRole('button', { name: 'Try again' }).click()
      await rowOf(page, 'Dr. Gone').waitFor()
      await page.getByRole('tab', { name: 'Providers (2)' }).waitFor()
      expect(await alert.count()).toBe(0)

      await page.route(ACTIVE, (route) => route.abort('connectionrefused'))
      await page.reload()
      await alert.getByText('Active providers: the server does not answer.', { exact: true }).waitFor()
      await rowOf(page, 'Dr. Gone').waitFor()
    })

    it('names the providers of leads, also where a list has failed, and says so there', async () => {
      const { id } = await quill()
      const { id: gone } = await quill({ name: 'Dr. Gone', wordpress_id: 4712, status: 'f' })
      for (const providerId of [id, gone]) await createLead(site.db, { providerId })
      const page = await site.open('/admin', { expectErrors: /status of 500/ })
      const leadOf = (name: string) => page.getByRole('row').filter({ hasText: name })
      await leadOf('Dr. Rosa Quill').waitFor()
      await leadOf('Dr. Gone').getByText('Inactive', { exact: true }).waitFor()

      await page.route(INACTIVE, (route) => route.fulfill({ status: 500, body: '' }))
      await page.reload()
      await page.getByRole('alert').getByText('Failed to load providers', { exact: true }).waitFor()
      expect(await page.getByRole('alert').count()).toBe(1)
      await leadOf('Dr. Rosa Quill').waitFor()
      await leadOf(`Provider #${gone}`).waitFor()
    })

    describe('its search', () => {
      it('finds by name, practice, zip and e-mail, whatever case and accents, and keeps that in the address', async () => {
        await quill()
        await quill({
          name: 'Dr. José Núñez',
          wordpress_id: 4712,
          practice_name: 'Harbor',
          zip_code: '60601',
          email: 'n@x.example',
        })
        await quill({ name: 'Dr. Gone', wordpress_id: 4713, status: 'f' })
        const page = await site.open(TAB)
        const search = page.getByRole('searchbox', { name: 'Search providers' })
        for (const [typed, name] of [
          ['nunez JOSE', 'Dr. José Núñez'],
          ['harbor', 'Dr. José Núñez'],
          ['60601', 'Dr. José Núñez'],
          ['desk@quill', 'Dr. Rosa Quill'],
        ]) {
          await search.fill(String(typed))
          await expect.poll(() => names(page)).toEqual([name])
        }
        await page.reload()
        await expect.poll(() => names(page)).toEqual(['Dr. Rosa Quill'])
        expect(await search.inputValue()).toBe('desk@quill')

        await search.fill('gone')
        await page
          .getByText('No active provider has “gone” in its name, practice, zip or e-mail. 1 inactive one does.')
          .waitFor()
        await page.getByRole('button', { name: 'Inactive (1)' }).click()
        await expect.poll(() => names(page)).toEqual(['Dr. Gone'])
      })
    })

    describe('the map', () => {
      it('shows each provider that has a place, active or not, and who it is', async () => {
        await quill()
        await quill({ name: 'Dr. Gone', wordpress_id: 4712, address: '9 Pike Street', status: 'f', ...DENVER })
        await createProvider(site.db, { name: 'Dr. Nowhere' })
        const page = await site.open(TAB)
        await expect.poll(() => marks(page).count()).toBe(2)
        await map(page).getByText('1 provider has no coordinates and is not on the map.').waitFor()
        await expect.poll(() => hasOutlines(page)).toBe(true)
        expect(await zooms(page)).toEqual([4])
        // To the nearest pixel, which is a tenth of a degree.
        const container = map(page).locator('.leaflet-container')
        const { latitude, longitude } = await middleOf(container, 4)
        expect(Math.abs(latitude - 39.8)).toBeLessThan(0.1)
        expect(Math.abs(longitude + 98.6)).toBeLessThan(0.1)
        expect((await container.boundingBox())?.height).toBe(400)

        await page.getByAltText('Dr. Gone').press('Enter')
        const popup = page.locator('.leaflet-popup')
        await popup.getByText('Dr. Gone', { exact: true }).waitFor()
        await popup.getByText('9 Pike Street', { exact: true }).waitFor()
        await popup.getByText('Inactive', { exact: true }).waitFor()
        expect(await violations(page)).toEqual([])
      })

      it('has outlines and pins where nobody can tell it where its tiles are', async () => {
        await quill()
        const page = await site.open('/admin', { expectErrors: /status of 500/ })
        await page.route('**/api/settings', (route) => route.fulfill({ status: 500, body: '' }))
        await page.goto(TAB)
        await expect.poll(() => marks(page).count()).toBe(1)
        await expect.poll(() => hasOutlines(page)).toBe(true)
        expect(await page.locator('.leaflet-tile').count()).toBe(0)
      })

      it('is not zoomed by the wheel that moves the page', async () => {
        await quill()
        const page = await site.open(TAB)
        await expect.poll(() => marks(page).count()).toBe(1)
        await map(page).locator('.leaflet-container').hover()
        await page.mouse.wheel(0, -300)
        await page.waitForTimeout(500)
        expect(await zooms(page)).toEqual([4])
      })

      it('is loaded by nobody who has not come to the tab', async () => {
        const page = await site.open('/admin')
        const scripts = () =>
          page.evaluate(
            () => performance.getEntriesByType('resource').filter(({ name }) => /map[^/]*\.js/.test(name)).length,
          )
        await page.getByRole('tab', { name: 'Providers (0)' }).waitFor()
        expect(await scripts()).toBe(0)
        await page.getByRole('tab', { name: 'Providers (0)' }).click()
        await map(page).locator('.leaflet-container').waitFor()
        expect(await scripts()).toBeGreaterThan(0)
      })
    })

    describe('with ten thousand', () => {
      beforeEach(() => seedNetwork(site.db, MANY))

      it('shows few at a time, finds one at once, and clusters them on the map', async () => {
        const page = await site.open(TAB)
        await page.getByRole('tab', { name: 'Providers (10000)' }).waitFor()
        await page.getByText('Page 1 of 500', { exact: true }).waitFor()
        expect((await names(page)).length).toBe(20)
        await page.getByRole('button', { name: 'Next' }).click()
        await page.getByText('Page 2 of 500', { exact: true }).waitFor()
        await page.reload()
        await page.getByText('Page 2 of 500', { exact: true }).waitFor()

        const search = page.getByRole('searchbox', { name: 'Search providers' })
        await search.pressSequentially('clinic9999@')
        await expect.poll(() => names(page)).toEqual(['Dr. Test 9999'])
        await page.getByText('Page 1 of 1', { exact: true }).waitFor()
        expect(await search.inputValue()).toBe('clinic9999@')

        await expect
          .poll(() =>
            map(page)
              .getByRole('button', { name: /providers, zoom in/ })
              .count(),
          )
          .toBeGreaterThan(5)
        expect(await marks(page).count()).toBeLessThan(150)
      })
    })

    describe('what managers do', () => {
      it('syncs, and says truly how that went', async () => {
        await quill()
        const page = await site.open(TAB)
        await rowOf(page, 'Dr. Rosa Quill').waitFor()
        await site.db('providers').update({ name: 'Dr. Renamed' })
        const refused = { success: false, error: 'WordPress did not answer.' }
        await page.route('**/api/sync', (route) => route.fulfill({ json: refused }))
        await page.getByRole('button', { name: 'Sync Providers' }).click()
        await seesToast(page, 'Failed to sync providers', 'WordPress did not answer.')
        await rowOf(page, 'Dr. Renamed').waitFor()

        await site.db('providers').update({ name: 'Dr. Synced' })
        await page.route('**/api/sync', (route) => route.fulfill({ json: { success: true } }))
        await page.getByRole('button', { name: 'Sync Providers' }).click()
        await seesToast(page, 'Successfully synced providers')
        await rowOf(page, 'Dr. Synced').waitFor()
      })

      it('exports every provider', async () => {
        await quill()
        await quill({ name: 'Dr. Gone', wordpress_id: 4712, status: 'f' })
        const page = await site.open(TAB)
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('link', { name: 'Export Providers CSV' }).click(),
        ])
        expect(download.suggestedFilename()).toBe('providers.csv')
        const chunks: Buffer[] = []
        for await (const chunk of await download.createReadStream()) chunks.push(chunk)
        const lines = Buffer.concat(chunks).toString().trim().split('\r\n')
        expect(lines[0]).toContain(
          'id,wordpress_id,name,practiceName,email,phone,address,zipCode,website,status,leadCount',
        )
        expect(lines.slice(1).map((line) => line.split(',')[2])).toEqual(['Dr. Gone', 'Dr. Rosa Quill'])
      })
    })

    it('can be used by everybody', async () => {
      await quill({ image_url: `${site.url}/art/map/pin.svg` })
      await quill({
        name: `Dr. ${'Longname '.repeat(12)}`,
        practice_name: `The ${'VeryLongWord'.repeat(8)} Practice`,
        wordpress_id: 4712,
        ...DENVER,
      })
      await createProvider(site.db, { practice_name: null, phone: null })
      const page = await site.open(TAB)
      await expect.poll(() => marks(page).count()).toBe(2)
      await isUsableByEverybody(page, { name: 'providers tab' })
    })
  },
  { ADMIN_ACCESS: 'open', WORDPRESS_URL: 'https://clinics.example/wp' },
)

describeInBrowser('the tab of providers behind a password', (site) => {
  beforeAll(() => createProvider(site.db, { name: 'Dr. Rosa Quill', wordpress_id: 4711 }))

  it('is for viewers to look at, without a link to a WordPress that there is not', async () => {
    const { id } = await createStaff(site.db, { role: 'viewer' })
    const { cookie } = await staffHeaders(site.db, id)
    const page = await site.open(TAB, { context: { storageState: { cookies: [cookieOf(cookie)], origins: [] } } })
    await rowOf(page, 'Dr. Rosa Quill').waitFor()
    expect(await page.getByRole('link', { name: 'Edit' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Sync Providers' }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Export Providers CSV' }).count()).toBe(0)
  })

  it('lets managers act', async () => {
    const page = await site.open(TAB, { staff: true })
    await page.getByRole('button', { name: 'Sync Providers' }).waitFor()
    await page.getByRole('link', { name: 'Export Providers CSV' }).waitFor()
    await page.getByText('No WordPress site is connected, so the providers stay as they are.').waitFor()
    expect(await page.getByRole('button', { name: 'Dry run' }).count()).toBe(0)
    await isUsableByEverybody(page, { name: 'sync not configured' })
  })

  it('cannot be asked to sync for a second time before that has ended', async () => {
    const page = await site.open(TAB, { staff: true, expectErrors: /status of 409/ })
    const { release, calls } = await holdCalls(page, '**/api/sync')
    await page.getByRole('button', { name: 'Sync Providers' }).click()
    const button = page.getByRole('button', { name: 'Syncing...' })
    await button.waitFor()
    expect(await button.isDisabled()).toBe(true)
    release()
    await seesToast(page, 'Failed to sync providers', 'WordPress is not configured.')
    await page.getByRole('button', { name: 'Sync Providers' }).waitFor()
    expect(calls()).toBe(1)
  })

  it('waits for the end of a sync again, once somebody whose session has ended signs in again', async () => {
    const page = await site.open(TAB, { staff: true, expectErrors: /status of 401/ })
    let id = 0
    await page.route('**/api/sync', async (route) => {
      id = await createSyncRun(site.db, { state: 'running' })
      const answer = await page.request.get(`/api/sync-runs/${id}`)
      const error = 'The sync is still running. It goes on by itself.'
      await route.fulfill({ status: 202, json: { success: false, error, run: await answer.json() } })
    })
    await page.getByRole('button', { name: 'Sync Providers' }).click()
    await page.getByRole('button', { name: 'Syncing...' }).waitFor()
    await expect.poll(() => id).not.toBe(0)

    await site.db('staff_sessions').delete()
    await page.getByText('Your session has ended. Please sign in again.').waitFor()
    // Longer than it takes to look again.
    await sleep(3 * SECOND)
    expect(await page.locator('[data-sonner-toast]').count()).toBe(0)

    await signIn(page)
    await page.getByRole('button', { name: 'Syncing...' }).waitFor()
    await site
      .db('provider_syncs')
      .where({ id })
      .update({ state: 'done', seen: 30, created: 2, finished_at: new Date() })
    await seesToast(page, 'Successfully synced providers', '30 posts seen, 2 created.')
  })
})

function cookieOf(header: string) {
  const [name = '', value = ''] = header.split('=')
  const scope = { domain: 'localhost', path: '/', expires: -1 }
  return { name, value, ...scope, httpOnly: true, secure: false, sameSite: 'Strict' as const }
}

function list(page: Page): Locator {
  return page.getByRole('region', { name: 'Providers List' })
}

function map(page: Page): Locator {
  return page.getByRole('region', { name: 'Map View' })
}

function rowOf(page: Page, name: string): Locator {
  return list(page)
    .getByRole('listitem')
    .filter({ has: page.getByText(name, { exact: true }) })
}

/** The names in the list, in its order. */
function names(page: Page): Promise<string[]> {
  return list(page).getByRole('listitem').locator('p:first-child').allTextContents()
}
