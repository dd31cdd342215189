import type { Locator, Page } from 'playwright-core'
import { beforeAll, it } from 'vitest'
import { DAY, HOUR } from '../../core/contract/time.ts'
import { type BrowserSite, describeInBrowser } from '../browser/browser.ts'
import { isInSight, mailTo, withoutDialing } from '../browser/page-actions.ts'
import { waitUntilSettled } from '../support/deliveries.ts'
import { createLead, createProvider, createStaff, staffHeaders } from '../support/factories.ts'
import { waitFor } from '../support/wait.ts'
import { countJobs, type Effort, type Hand } from './count-actions.ts'

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true }
const mailOf = (clinic: string) => `${clinic.toLowerCase().replace(' ', '.')}@clinics.example`
const [DESK, OWNER, TYPO] = [mailOf('Quill Urology'), mailOf('Elm Clinic'), 'jordan@gmial.example']
const TYPED_DAY = '12312027'
const FIRST_PART = { position: { x: 16, y: 20 } }

const row = (page: Page, name: string) => page.locator('tr[data-lead]').filter({ hasText: name })
const line = (page: Page, title: string) =>
  page.locator('[data-line]').filter({ has: page.getByText(title, { exact: true }) })
const button = (within: Page | Locator, name: string | RegExp) => within.getByRole('button', { name, exact: true })
const dialogOf = (page: Page) => page.getByRole('dialog')
const says = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()
async function call(hand: Hand, link: Locator) {
  await link.waitFor()
  await withoutDialing(link)
  await hand.click(link)
}

describeInBrowser('a day of staff and clinics', (site) => {
  const doJob = countJobs('The jobs of section 2 of the review, with what they took there')
  let agent = { name: '', value: '' }
  beforeAll(async () => {
    agent = await prepare(site)
  })

  async function open(tab: string, { staff = true, context = {}, lead = '' } = {}): Promise<Page> {
    const page = await site.blank({ staff, context })
    if (!staff) await page.context().addCookies([{ ...agent, url: site.url }])
    await page.goto(`/admin?tab=${tab}`)
    await page.locator('tr[data-lead], [data-line], main h2').first().waitFor()
    if (lead) await row(page, lead).getByRole('link', { name: lead }).click()
    if (lead) await page.getByLabel('New note').waitFor()
    return page
  }
  const [inbox, list] = [() => open('attention'), () => open('leads')]
  const asAgent = (lead?: string) => () => open('leads', { staff: false, lead })
  const onPhone = (tab: string) => () => open(tab, { context: PHONE })

  /** Shows an email to somebody, whose links open in the same tab. */
  async function showMail(page: Page, to: string, words: string): Promise<Page> {
    const find = () =>
      site.smtp.mails.find((mail) => mail.recipients.includes(to) && `${mail.subject} ${mail.text}`.includes(words))
    await waitFor(`the email with “${words}”`, () => find() !== undefined, { within: 30_000 })
    await page.goto('about:blank')
    await page.setContent(String(find()?.html).replaceAll('target="_blank"', ''))
    return page
  }
  const mail = (words: string) => async () => showMail(await site.blank({ context: PHONE }), DESK, words)

  type Act = (hand: Hand, page: Page) => Promise<unknown>
  /** A job with what it took in the review, and the most that it takes now. `T` is a text. */
  function job(from: () => Promise<Page>, name: string, review: string, most: Partial<Effort>, act: Act) {
    it(`${name}, in no more steps than the review counted: ${review}`, async () => {
      const page = await from()
      await doJob({ name: `${name} (${review})`, page, most }, (hand) => act(hand, page))
    })
  }

  job(inbox, 'Resend to a provider', '1', { clicks: 1 }, async (hand, page) => {
    await hand.click(button(page, 'Resend 3: Full Vitality'))
    await button(page, 'Resend 3: Full Vitality').waitFor({ state: 'detached' })
  })
  job(inbox, 'Match an unmatched lead, and undo it', '3, 1 key', { clicks: 3, keys: 1 }, async (hand, page) => {
    await hand.click(button(page, 'Match Far Away with a provider'))
    await hand.click(dialogOf(page).getByRole('option').first())
    await hand.click(button(dialogOf(page), 'Send anyway'))
    await line(page, 'Far Away').waitFor({ state: 'detached' })
    await hand.press('u')
    await line(page, 'Far Away').waitFor()
  })
  job(inbox, 'Empty the inbox of old lines', '57 keys', { clicks: 1 }, async (hand, page) => {
    await hand.click(button(page, 'Done all: Unmatched, older'))
    await page.getByText(/^Older than 14 days/).waitFor({ state: 'detached' })
  })
  job(inbox, 'Pass on all that waits at a provider', '3', { clicks: 2 }, async (hand, page) => {
    await hand.click(button(page, 'Pass on 2 requests of Late Clinic'))
    await hand.click(button(dialogOf(page), 'Pass on 2 requests'))
    await says(page, '2 leads passed on')
  })
  job(list, 'See the slowest providers', '2', { clicks: 2 }, async (hand, page) => {
    await hand.click(page.getByRole('tab', { name: /^Providers/ }))
    await hand.click(button(page, 'Response'))
    await page.getByRole('row').nth(1).getByText('Slow Clinic', { exact: true }).waitFor()
  })
  job(list, 'See the bookings by source', '2 + 1,600 px', { clicks: 2, screens: 0 }, async (hand, page) => {
    await hand.click(page.getByRole('tab', { name: 'Overview' }))
    await hand.click(button(page.getByRole('table', { name: 'Results by source' }), 'Booked'))
  })
  job(list, 'Pause a provider', 'T + 3 + scroll', { clicks: 1, keys: 3, texts: 1 }, async (hand, page) => {
    await hand.press('Control+k')
    await page.getByRole('combobox', { name: 'Command menu' }).waitFor()
    await hand.type('slow')
    await page.getByRole('option', { name: /^Slow Clinic/, selected: true }).waitFor()
    await hand.press('Enter')
    await hand.click(button(page, 'Pause...'))
    await dialogOf(page)
      .getByLabel(/^Takes leads again/)
      .waitFor()
    await hand.press('Enter')
    await says(page, 'Slow Clinic is paused')
  })
  job(list, 'Save today’s leads as CSV', '3', { clicks: 3 }, async (hand, page) => {
    await hand.click(button(page, 'Filters'))
    await hand.click(button(page, 'Today'))
    await button(page, 'Filters (2)').waitFor()
    const link = page.getByRole('link', { name: 'Export Leads CSV' })
    await Promise.all([page.waitForEvent('download'), hand.click(link)])
  })
  job(list, 'Assign ten leads to a colleague', '30', { clicks: 6 }, async (hand, page) => {
    const choice = page.getByRole('checkbox', { name: /^Choose / })
    await hand.click(choice.first())
    await hand.click(choice.nth(9), { modifiers: ['Shift'] })
    await hand.click(button(page, 'Owner and tags...'))
    await hand.choose(dialogOf(page).getByLabel('Owner'), 'Ben Agent')
    await hand.click(button(dialogOf(page), 'Save for 10 leads'))
    await says(page, '10 leads saved')
  })

  for (const text of ['ke', 'mile high', 'denver co']) {
    job(
      list,
      `Find one person by “${text}”, and open the lead`,
      '2, T',
      { clicks: 2, texts: 1 },
      async (hand, page) => {
        await hand.click(page.getByRole('searchbox'))
        await hand.type(text)
        await row(page, 'Calm Lead').waitFor({ state: 'detached' })
        await hand.click(row(page, 'Keisha Obi').getByRole('link', { name: 'Keisha Obi' }))
        await page.getByRole('complementary', { name: 'Keisha Obi' }).waitFor()
      },
    )
  }
  job(list, 'Retry what the CRM refused today', '6', { clicks: 6 }, async (hand, page) => {
    site.crm.answer({ status: 200, body: '{"id":"1"}' })
    await hand.click(button(page, 'Filters'))
    await hand.choose(page.getByRole('search').getByLabel('CRM Sync'), 'Failed')
    await hand.click(button(page, 'Today'))
    await says(page, 'Total: 2 leads')
    await hand.click(page.getByRole('checkbox', { name: 'Select every lead on this page' }))
    await hand.click(button(page.getByRole('region', { name: 'Chosen leads' }), 'Retry CRM Sync'))
    await says(page, 'No leads match.')
  })

  const phoneLead = { clicks: 2, keys: 5, texts: 5 }
  job(asAgent(), 'Enter a lead that phones', 'c, 5 T, tick, 1', phoneLead, async (hand, page) => {
    await hand.press('c')
    await dialogOf(page).getByText('Read aloud:').waitFor()
    for (const [index, text] of ['Phoned', 'Lead', '5125550177', 'phoned@mail.example', '78701'].entries()) {
      if (index > 0) await hand.press('Tab')
      await hand.type(text)
    }
    await hand.click(dialogOf(page).getByLabel('I read this aloud and the person agreed'))
    await hand.click(button(dialogOf(page), 'Enter lead'))
    await says(page, 'Lead entered')
  })
  job(asAgent('Open Lead'), 'Write a note', 'n, T, Ctrl+Enter', { keys: 2, texts: 1 }, async (hand, page) => {
    await hand.press('n')
    await hand.type('Asked for Tuesday.')
    await hand.press('Control+Enter')
    await page.getByRole('list', { name: 'Notes' }).getByText('Asked for Tuesday.').waitFor()
  })
  const plan = { clicks: 1, keys: 2, texts: 2 }
  job(asAgent('Open Lead'), 'Plan a next action', 'the field, T, Tab, date, Save', plan, async (hand, page) => {
    await hand.click(page.getByLabel('Next action', { exact: true }))
    await hand.type('Call again')
    await hand.press('Tab')
    await hand.type(TYPED_DAY)
    await hand.press('Enter')
    await button(page, 'Done: Next action').waitFor()
  })
  job(asAgent('Open Lead'), 'Record an outcome', 's, 1, 1', { keys: 2 }, async (hand, page) => {
    await hand.press('s')
    await dialogOf(page).getByRole('radio', { name: 'Reached', checked: true }).waitFor()
    await hand.press('Enter')
    await says(page, 'Outcome recorded')
  })
  job(asAgent('Typo Lead'), 'Correct an address and resend', '3 + T', { clicks: 3, texts: 1 }, async (hand, page) => {
    await hand.click(button(page, 'Edit...'))
    await hand.click(dialogOf(page).getByLabel('Email', { exact: true }), { clickCount: 3 })
    await hand.type('jordan@gmail.example')
    await hand.click(button(dialogOf(page), 'Save'))
    await says(page, /The emails are on their way/)
  })
  job(asAgent('Calm Lead'), 'Send again what never came', 'not allowed', { clicks: 1 }, async (hand, page) => {
    await hand.click(button(page.getByRole('complementary'), 'Resend Email'))
    await mailTo(site.smtp, mailOf('Calm Clinic'), { count: 2 })
  })
  job(asAgent(), 'See my open leads', '3', { clicks: 1 }, async (hand, page) => {
    await hand.click(page.getByRole('button', { name: /^Mine/ }))
    await row(page, 'Full One').waitFor({ state: 'detached' })
  })

  job(onPhone('attention'), 'Call a late provider, on a phone', '1', { clicks: 1 }, (hand, page) =>
    call(hand, line(page, 'Late Two').getByRole('link', { name: /^Call / })),
  )
  job(onPhone('leads'), 'See how today is, on a phone', '3, 2 screens', { clicks: 2 }, async (hand, page) => {
    await hand.click(button(page.getByRole('navigation', { name: 'Tabs' }), 'Overview'))
    await hand.click(page.getByText('Today', { exact: true }))
    await isInSight(page.getByText('Booked', { exact: true }).first())
  })
  job(onPhone('leads'), 'Open, call, record, next, on a phone', '1, 1, 3, 1', { clicks: 6 }, async (hand, page) => {
    const panel = page.getByRole('complementary', { name: 'Phone Lead' })
    await hand.click(row(page, 'Phone Lead').getByRole('link', { name: 'Phone Lead' }))
    await call(hand, panel.getByRole('link', { name: 'Call', exact: true }))
    await hand.click(button(panel, 'Record an outcome...').last())
    await hand.click(dialogOf(page).getByText('No answer', { exact: true }))
    await hand.click(button(dialogOf(page), 'Record'))
    await hand.click(button(page, 'Next'))
    await panel.waitFor({ state: 'detached' })
  })

  const alerts = { clicks: 3, keys: 2, texts: 2 }
  job(
    () => open('alerts'),
    'Send alerts to a chat',
    '3, T',
    alerts,
    async (hand, page) => {
      await hand.click(button(page, 'Add a channel'))
      await hand.click(dialogOf(page).getByText('Slack').first())
      await hand.click(dialogOf(page).getByLabel('Name'))
      await hand.type('Chat')
      await hand.press('Tab')
      await hand.type('https://hooks.example.com/services/1')
      await hand.press('Enter')
      await page.getByLabel('When alerts go to Chat').waitFor()
    },
  )
  const setup = { clicks: 3, keys: 2, texts: 2 }
  job(
    () => open('setup'),
    'Test mail, CRM and a lead',
    '8, 2 T with WordPress',
    setup,
    async (hand, page) => {
      await hand.click(page.getByLabel('Send a test email to'))
      await hand.type('operator@mail.example')
      await hand.press('Enter')
      await says(page, /^Accepted by the mail server/)
      await hand.click(button(page, 'Test the connection'))
      await says(page, 'Accepted by the CRM')
      await hand.click(page.getByLabel('Your email'))
      await hand.type('operator@mail.example')
      await hand.press('Enter')
      await button(page, 'Delete the test lead').waitFor()
    },
  )
  job(
    () => open('staff'),
    'Invite a colleague',
    '4, 2 T',
    { clicks: 2, keys: 2, texts: 2 },
    async (hand, page) => {
      await hand.click(button(page, 'Add an account'))
      await hand.click(dialogOf(page).getByLabel('Name'))
      await hand.type('Ada Newcomer')
      await hand.press('Tab')
      await hand.type('ada.newcomer@mail.example')
      await hand.press('Enter')
      await says(page, 'An invitation is on its way to')
    },
  )

  const send = (page: Page) => button(page, 'Send the answer').first()
  const booked = { clicks: 3, texts: 1, screens: 0 }
  job(mail('Book Orchard'), 'Call, from the email', '1', { clicks: 1 }, (hand, page) =>
    call(hand, page.getByRole('link', { name: /^Call / }).first()),
  )
  job(mail('Book Orchard'), '“Booked”, from the email', '2, the field, date, scroll', booked, async (hand, page) => {
    await hand.click(page.getByRole('link', { name: 'Booked' }))
    await hand.click(page.getByLabel('Day of the appointment'), FIRST_PART)
    await hand.type(TYPED_DAY)
    await hand.click(send(page))
    await says(page, 'Booked for Dec 31, 2027')
  })
  job(mail('Wrong Orchard'), '“Wrong number”, from the email', '4', { clicks: 3 }, async (hand, page) => {
    await hand.click(page.getByRole('link', { name: /^Open the request/ }))
    await hand.click(page.getByText('Wrong number', { exact: true }))
    await hand.click(send(page))
    await says(page, /^Thank you\. We are asking the person/)
  })
  job(mail('Reminder: '), 'Answer from a reminder', '3, scroll', { clicks: 2, screens: 0 }, async (hand, page) => {
    await hand.click(page.getByRole('link', { name: 'I reached them' }))
    await hand.click(send(page))
    await says(page, /^Thank you\. When there is an appointment/)
  })

  it('the owner signs in, pauses, sees results and sets hours: no longer than in the review', async () => {
    const page = await site.open('/clinic')
    const most = { clicks: 3, keys: 1, texts: 1 }
    await doJob({ name: 'Sign in (the field, T, 1, email, 1)', page, most }, async (hand) => {
      await hand.click(page.getByLabel('Email address'))
      await hand.type(OWNER)
      await hand.press('Enter')
      await showMail(page, OWNER, '/clinic#')
      await hand.click(page.locator('a[href*="/clinic#"]').first())
      await hand.click(button(page, 'Open the pages of Elm Clinic'))
      await page.getByRole('tab', { name: 'Results' }).waitFor()
    })
    await doJob({ name: 'Pause (2, the field, date)', page, most: { clicks: 2, keys: 1, texts: 1 } }, async (hand) => {
      await hand.click(page.getByRole('tab', { name: 'Settings' }))
      await hand.click(page.getByLabel(/^First day on which you take requests/), FIRST_PART)
      await hand.type(TYPED_DAY)
      await hand.press('Enter')
      await button(page, 'Take requests again').waitFor()
    })
    await doJob({ name: 'Results (1)', page, most: { clicks: 1, screens: 0 } }, async (hand) => {
      await hand.click(page.getByRole('tab', { name: 'Results' }))
      await isInSight(page.getByRole('heading', { name: 'Month by month' }))
    })
    await page.getByRole('tab', { name: 'Settings' }).click()
    const hours = 'Hours from Monday to Friday (5 × 11 characters)'
    await doJob({ name: hours, page, most: { clicks: 4, texts: 2 } }, async (hand) => {
      await hand.click(page.getByLabel('Monday from'), FIRST_PART)
      await hand.type('0830AM')
      await hand.click(page.getByLabel('Monday until'), FIRST_PART)
      await hand.type('0500PM')
      await hand.click(button(page, 'Copy to Monday–Friday'))
      await page.locator('[aria-label="Friday from"][value="08:30"]').waitFor()
      await hand.click(button(page, 'Save hours'))
      await says(page, 'Saved.')
    })
  })
})

const FORMS: Record<string, object> = { 'Typo Lead': { email: TYPO }, 'Keisha Obi': { zip_code: '80203' } }
/** The leads of each provider, the oldest first. */
const LEADS = {
  'Full Vitality': ['Full One', 'Full Two', 'Full Three'],
  'Quill Urology': ['Book Orchard', 'Wrong Orchard', 'Reminded Orchard'],
  'Elm Clinic': [],
  'Slow Clinic': ['Slow Answer'],
  'Late Two': ['Late Request'],
  'Late Clinic': ['Passing One', 'Passing Two'],
  'Calm Clinic': ['Calm Lead', 'Refused One', 'Refused Two'],
  'Mile High Wellness': ['Keisha Obi'],
  'Quick Clinic': ['Quick Answer', 'Typo Lead', 'Phone Lead', 'Open Lead'],
}

/** Stores what the jobs are about. Returns the cookie of an agent, who owns a lead. */
async function prepare({ db, smtp, crm }: BrowserSite): Promise<{ name: string; value: string }> {
  const ids: Record<string, number> = {}
  async function store(name: string, form: object, providerId?: number) {
    const [first_name = '', last_name = ''] = name.split(' ')
    ids[name] = await createLead(db, { form: { first_name, last_name, ...form }, ...(providerId && { providerId }) })
  }
  smtp.answer((to) => ([mailOf('Full Vitality'), TYPO].includes(to) ? { status: 550 } : 'accept'))
  crm.answer(({ data }) => ({ status: data.lead.first_name === 'Refused' ? 400 : 200, body: '{"id":"1"}' }))
  for (const name of ['Old One', 'Old Two', 'Far Away']) await store(name, { zip_code: '59101' })
  for (const [practice_name, names] of Object.entries(LEADS)) {
    const { id } = await createProvider(db, { practice_name, email: mailOf(practice_name) })
    for (const name of names) await store(name, FORMS[name] ?? {}, id)
  }
  await waitUntilSettled(db)
  smtp.answer('accept')

  const ago = (time: number) => new Date(Date.now() - time)
  const clock = (name: string) => db('answer_clocks').where('lead_id', ids[name] ?? 0)
  await waitFor('the deadlines', async () => (await db('answer_clocks').whereNull('due_at')).length === 0)
  const late = { started_at: ago(2 * DAY), due_at: ago(HOUR) }
  for (const name of ['Passing One', 'Passing Two', 'Late Request', 'Slow Answer']) await clock(name).update(late)
  for (const name of ['Slow Answer', 'Quick Answer']) await clock(name).update({ answered_at: ago(0) })
  await clock('Reminded Orchard').update({ step_at: ago(HOUR) })
  await db('leads')
    .where('first_name', 'Old')
    .update('created_at', ago(20 * DAY))
  const { id: owner_id } = await createStaff(db, { name: 'Ben Agent', role: 'agent' })
  await db('lead_work').insert({ lead_id: ids['Open Lead'] ?? 0, owner_id })
  const [name = '', value = ''] = (await staffHeaders(db, owner_id)).cookie.split('=')
  return { name, value }
}
