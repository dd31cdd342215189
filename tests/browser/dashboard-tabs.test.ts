import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { createApplication, createLead, createProvider, createStaff, createSyncRun } from '../support/factories.ts'
import { waitFor } from '../support/wait.ts'
import { describeInBrowser } from './browser.ts'
import { isUsableByEverybody, overflow, violations, visit } from './inspect-page.ts'

/** What ends in `=` is followed by the id of the lead or of the application. */
type Visit = { name: string; tab: string; prepare?(page: Page): Promise<unknown> }

const choose = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()
const seesDialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name }).waitFor()

/** Every tab with something in it, and what opens in it. */
const VISITS: Visit[] = [
  {
    name: 'needs attention',
    tab: 'attention',
    prepare: (page) => page.getByRole('heading', { name: /^Unmatched/ }).waitFor(),
  },
  {
    name: 'snooze',
    tab: 'attention',
    async prepare(page) {
      await choose(/^Snooze/)(page)
      await page.getByRole('menuitem', { name: /^Tomorrow/ }).waitFor()
    },
  },
  {
    name: 'the keys',
    tab: 'leads',
    async prepare(page) {
      await page.locator('tr[data-lead]').first().waitFor()
      await page.keyboard.press('?')
      await seesDialog(page, 'Keyboard shortcuts')
    },
  },
  {
    name: 'the correction of a lead',
    tab: 'leads&lead=',
    async prepare(page) {
      await choose('Edit...')(page)
      await seesDialog(page, 'Edit the lead')
    },
  },
  {
    name: 'a new lead, with what is wrong',
    tab: 'leads',
    async prepare(page) {
      await page.locator('tr[data-lead]').first().waitFor()
      await page.keyboard.press('c')
      await seesDialog(page, 'New lead')
      await choose('Enter lead')(page)
      await page.getByText('First name is required').waitFor()
    },
  },
  { name: 'the sync', tab: 'providers&syncs=true', prepare: (page) => seesDialog(page, 'Sync with WordPress') },
  {
    name: 'an application',
    tab: 'applications&application=',
    async prepare(page) {
      await page.getByText('E-mail to the team').waitFor()
    },
  },
  {
    name: 'the certification',
    tab: 'applications&application=',
    async prepare(page) {
      await choose('Certify...')(page)
      await seesDialog(page, /^Certify/)
    },
  },
  { name: 'health', tab: 'health', prepare: (page) => page.getByRole('heading', { name: 'Workers' }).waitFor() },
  {
    name: 'a pause',
    tab: 'health',
    async prepare(page) {
      await choose(/^Pause sending until/)(page)
      await seesDialog(page, /^Pause sending/)
    },
  },
  { name: 'activity', tab: 'activity', prepare: (page) => page.getByText(/^Total: \d+ action/).waitFor() },
  { name: 'what was read', tab: 'activity&log=access', prepare: (page) => page.getByText(/^Total: /).waitFor() },
  { name: 'alerts', tab: 'alerts', prepare: (page) => page.getByRole('heading', { name: 'Channels' }).waitFor() },
  {
    name: 'a new channel, with what is wrong',
    tab: 'alerts',
    async prepare(page) {
      await choose('Add a channel')(page)
      await seesDialog(page, 'Add a channel')
      await page.getByRole('button', { name: 'Add the channel' }).click()
      await page.getByText('Enter e-mail addresses, one on a line').waitFor()
    },
  },
  { name: 'staff', tab: 'staff', prepare: (page) => page.getByText('Signed in now').waitFor() },
  { name: 'privacy', tab: 'privacy', prepare: (page) => page.getByText('Nobody’s data was erased').waitFor() },
]

describeInBrowser('every tab of the dashboard', (site) => {
  const ids = { lead: 0, application: 0 }

  beforeAll(async () => {
    await createProvider(site.db, { zip_code: '75201', practice_name: `The ${'Dallas '.repeat(12)}Clinic` })
    await createStaff(site.db, { name: 'Ada Maximiliana Featherstonehaugh-Cholmondeley' })
    ids.lead = await createLead(site.db, { form: { zip_code: '78702' } })
    ids.application = await createApplication(site.db)
    await site.db('provider_applications').where('id', ids.application).update({ status: 'approved' })
    await createSyncRun(site.db)
    await waitFor('the deliveries', async () => {
      const open = await site.db('jobs').whereIn('state', ['waiting', 'enqueued'])
      return open.length === 0
    })
  })

  it.each(VISITS)('can be used by everybody at every width: $name', async ({ name, tab, prepare }) => {
    const page = await site.open('/terms', { staff: true })
    await visit(
      page,
      `/admin?tab=${tab.replace(/(lead|application)=$/, (start, kind: keyof typeof ids) => `${start}${ids[kind]}`)}`,
    )
    await isUsableByEverybody(page, { name: `dashboard, ${name}`, prepare })
    for (const width of [390, 1024, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      await expect.poll(() => overflow(page), { message: `pixels too wide at ${width} px` }).toBe(0)
      await page.emulateMedia({ colorScheme: 'dark' })
      expect(await violations(page), `what axe finds in the dark at ${width} px`).toEqual([])
    }
  })

  it('gives the focus back to the button of an act that has ended', async () => {
    const page = await site.open('/admin?tab=alerts', { staff: true })
    const send = page.getByRole('button', { name: /^Send a test/ })
    await send.focus()
    await page.keyboard.press('Enter')
    await page.getByText('The test arrived at').waitFor()
    await expect.poll(() => send.evaluate((button) => button === document.activeElement)).toBe(true)
  })

  it('goes back from an application to its row, by the back button of a phone', async () => {
    const page = await site.open('/admin?tab=applications', { staff: true, width: 390 })
    const details = page.getByRole('button', { name: 'Details' })
    await details.click()
    await page.getByRole('complementary').waitFor()
    expect(await details.isVisible()).toBe(false)
    await page.goBack()
    await expect.poll(() => details.evaluate((button) => button === document.activeElement)).toBe(true)
  })
})
