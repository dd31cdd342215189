import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { waitUntilSettled } from '../support/deliveries.ts'
import { createApplication, createLead, createProvider, createStaff, createSyncRun } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import { isUsableByEverybody } from './inspect-page.ts'
import { AUSTIN, DENVER } from './page-actions.ts'

type Step = (page: Page) => Promise<unknown>
const press =
  (name: string | RegExp): Step =>
  (page) =>
    page.getByRole('button', { name }).first().click()
const item =
  (name: RegExp): Step =>
  (page) =>
    page.getByRole('menuitem', { name }).click()
const key =
  (name: string): Step =>
  (page) =>
    page.keyboard.press(name)
const text =
  (words: string | RegExp): Step =>
  (page) =>
    page.getByText(words).first().waitFor()
const dialog =
  (name: string | RegExp): Step =>
  (page) =>
    page.getByRole('dialog', { name }).waitFor()
const there =
  (selector: string): Step =>
  (page) =>
    page.locator(selector).first().waitFor()
const rows = there('tr[data-lead]')
const unfold: Step = (page) => page.getByText(/^Delivered to /).click()

/**
 * The tabs and what opens in them: a name, the tab, and what is done and waited for there. What ends in `=` is followed by
 * the id of the lead, the application or the provider.
 */
const STATES: [what: string, states: [name: string, tab: string, ...steps: Step[]][]][] = [
  [
    'the leads',
    [
      ['leads with filters', 'leads', rows, press('Filters'), text('Provider')],
      [
        'a question about several',
        'leads',
        rows,
        key('j'),
        key('x'),
        there('[aria-label="Chosen leads"]'),
        press('Delete'),
      ],
      ['the keys', 'leads', rows, key('?'), dialog('Keyboard shortcuts')],
      ['the command menu', 'leads', press('Search and commands'), there('[role="option"]')],
      ['a new lead', 'leads', rows, key('c'), press('Enter lead'), text('First name is required')],
    ],
  ],
  [
    'a lead, and what needs attention',
    [
      ['a lead in its panel', 'leads&lead=', unfold, there('[aria-label="View: Email to the visitor"]')],
      ['an email that was sent', 'leads&lead=', press('View: Email to the visitor'), there('iframe')],
      ['the correction of a lead', 'leads&lead=', press('Edit...'), dialog('Edit the lead')],
      ['needs attention', 'attention', text(/^Unmatched/)],
      ['snooze', 'attention', press(/^Snooze/), there('[role="menuitem"]')],
    ],
  ],
  [
    'the providers and the applications',
    [
      // A picture that can't be loaded leaves its place to a drawing.
      [
        'providers',
        'providers',
        press('Show map'),
        there('.leaflet-marker-icon'),
        there('tr[data-provider] svg[viewBox="0 0 44 44"]'),
      ],
      ['the rules of a provider', 'providers', press('More for Dr. Broken'), item(/^Rules/), text(/^A day/)],
      ['the record of a clinic', 'providers&provider=', text('Delivery health')],
      ['a pause of a provider', 'providers&provider=', press('Pause...'), dialog(/^Pause/)],
      ['the sync', 'providers&syncs=true', dialog('Sync with WordPress')],
      ['an application', 'applications&application=', text(/^Delivered to /)],
      ['the certification', 'applications&application=', press('Certify...'), dialog(/^Certify/)],
    ],
  ],
  [
    'the overview and the activity',
    [
      ['overview', 'overview', text('Answered in time')],
      ['the delivery of leads', 'overview&show=delivery', text('Emails delivered')],
      ['activity', 'activity', text(/^Total: \d+ action/)],
      ['setup', 'setup', text('Connect the CRM')],
      ['help', 'help', text('Ten words of the dashboard')],
    ],
  ],
  [
    'what runs, who is told, and who works here',
    [
      ['health', 'health', text('Workers')],
      ['a pause', 'health', press(/^Pause sending until/), dialog(/^Pause sending/)],
      ['alerts', 'alerts', text('Channels')],
      ['a new channel', 'alerts', press('Add a channel'), press('Add the channel'), text(/^Enter email addresses/)],
      ['staff', 'staff', text('Active Sessions')],
      ['a new account', 'staff', press('Add an account'), press('Add account'), text('Name is required')],
      ['privacy', 'privacy', text('No erasures yet')],
    ],
  ],
]

describeInBrowser('every tab of the dashboard', (site) => {
  const ids = { lead: 0, application: 0, provider: 0 }

  beforeAll(async () => {
    const long = { practice_name: `The ${'VeryLongWord'.repeat(8)} Practice`, name: `Dr. ${'Longname '.repeat(12)}` }
    ids.provider = (await createProvider(site.db, { ...long, website: 'quill.example', ...DENVER })).id
    await createProvider(site.db, { name: 'Dr. Broken', image_url: '/api/no-picture', phone: null, ...AUSTIN })
    await createStaff(site.db, { name: 'Ada Maximiliana Featherstonehaugh-Cholmondeley' })
    ids.lead = await createLead(site.db, { providerId: ids.provider })
    const first_name = 'Maximiliana-Theodora.Featherstonehaugh-Cholmondeley'
    await createLead(site.db, { form: { first_name, email: `${first_name}@visitors.example`, zip_code: '99901' } })
    await createLead(site.db, { providerId: ids.provider, heldReason: 'honeypot' })
    ids.application = await createApplication(site.db, { form: { website: `https://${'long.'.repeat(15)}example` } })
    await site.db('provider_applications').where('id', ids.application).update({ status: 'approved' })
    await createSyncRun(site.db)
    await waitUntilSettled(site.db)
  })

  it.each(STATES)(
    'can be used by everybody, on a phone and a desktop, in the light and in the dark: %s',
    async (_, states) => {
      // The picture that can't be loaded; and what the browser says of the scripts in a frame that may run none.
      const page = await site.blank({ staff: true, width: 1280, expectErrors: /status of 404|frame is sandboxed/ })
      const seen = new Set<string>()
      await page.goto('/admin', { waitUntil: 'domcontentloaded' })
      await page.getByRole('tab').first().waitFor()
      for (const [name, tab, ...steps] of states) {
        const address = tab.replace(/(\w+)=$/, (start, kind: keyof typeof ids) => `${start}${ids[kind]}`)
        await goWithin(page, `/admin?tab=${address}`)
        for (const step of steps) await step(page)
        // What opens in a tab has its colors.
        await isUsableByEverybody(page, `dashboard, ${name}`, { dark: !seen.has(tab) })
        seen.add(tab)
      }
    },
  )
})

/** Closes what is open, and goes to an address of the dashboard without loading it again. */
async function goWithin(page: Page, address: string): Promise<void> {
  const opened = page.locator('dialog[open], [role="dialog"], [role="menu"]')
  while ((await opened.count()) > 0) {
    await page.keyboard.press('Escape')
    await expect.poll(() => opened.count()).toBe(0)
  }
  await page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, address)
}
