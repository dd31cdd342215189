import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { SECOND } from '../../core/time.ts'
import { STAFF_PASSWORD } from '../support/env.ts'
import { applicationForm, createLead, createProvider, leadForm } from '../support/factories.ts'
import { addIcons, markWords, translate } from '../support/page-changes.ts'
import { describeInBrowser } from './browser.ts'
import { CALL, chunk } from './form-actions.ts'
import { chooseInRow, holdCalls, mailTo, touchUntil, wake } from './page-actions.ts'

const EXTENSIONS = [
  { change: 'marks around words', make: markWords },
  { change: 'icons of a password manager', make: addIcons },
]
const FORMS = [
  { form: 'the landing page', path: '/' },
  { form: 'the quiz', path: '/start' },
  { form: 'the search for a provider', path: '/homev2' },
  { form: 'a clinic’s page', path: '/microsite?providerId=1' },
]
/** React says that it drew a page again. */
const DRAWN_AGAIN = /Minified React error .418/

describeInBrowser('a page that a browser or an extension changes', (site) => {
  let clinic: number
  beforeAll(async () => {
    clinic = (await createProvider(site.db, { name: 'Dr. Rosa Quill', latitude: 30.27, longitude: -97.74 })).id
  })

  /** Fields by their names: their labels are translated. */
  async function type(page: Page, names: string[], values: Record<string, unknown>) {
    for (const name of names) await page.locator(`#provider-form [name="${name}"]`).fill(String(values[name]))
  }

  const PERSON = ['first_name', 'last_name', 'email', 'phone']

  async function fillInAndSend(page: Page, path: string, lead: ReturnType<typeof leadForm>) {
    const isTwoSteps = ['/start', '/homev2'].includes(path)
    if (isTwoSteps) {
      await type(page, ['zip_code'], lead)
      await page.locator('#provider-form button[type="submit"]').click()
      await page.locator('#provider-form [name="first_name"]').waitFor()
    }
    await type(page, isTwoSteps ? PERSON : [...PERSON, 'zip_code'], lead)
    await page.locator('#provider-form [name="acceptance_consent"]').check()
    await page.locator('#provider-form button[type="submit"]').click()
  }

  /** Counts the forms that a page sends, with a script or without. */
  function countPosts(page: Page): () => number {
    let posts = 0
    page.on('request', (request) => {
      if (request.method() === 'POST' && CALL.test(request.url())) posts += 1
    })
    return () => posts
  }

  describe.each([
    ...FORMS.map((form) => ({ ...form, change: 'a translation', make: translate })),
    ...EXTENSIONS.flatMap((extension) => FORMS.slice(0, 2).map((form) => ({ ...form, ...extension }))),
  ])('by $change', ({ path, form, make }) => {
    it(`sends the form of ${form}`, async () => {
      const lead = leadForm()
      const page = await site.open(path)
      const posts = countPosts(page)
      await wake(page)
      await page.evaluate(make)
      await fillInAndSend(page, path, lead)
      await page.waitForURL(`${site.url}/success?providerId=${clinic}`)
      await page.getByText('Dr. Rosa Quill').first().waitFor()
      expect(posts()).toBe(1)
      expect(await page.getByText('Something went wrong').count()).toBe(0)
    })

    it(`sends the form of ${form} if it is changed before the first touch`, async () => {
      const lead = leadForm()
      const page = await site.open(path, { expectErrors: DRAWN_AGAIN })
      const posts = countPosts(page)
      await page.waitForLoadState('networkidle')
      await page.evaluate(make)
      await fillInAndSend(page, path, lead)
      await page.waitForURL(`${site.url}/success?providerId=${clinic}`)
      expect(posts()).toBe(1)
      expect(await site.db('leads').where('email', lead.email).first('held_reason')).toEqual({ held_reason: null })
    })
  })

  it.each([
    { what: 'a translation', make: translate },
    { what: 'the icons of a password manager', make: addIcons },
  ])('keeps what was typed before its script had come, the focus and the place: $what', async ({ make }) => {
    const form = applicationForm()
    const page = await site.open('/refunds', { expectErrors: DRAWN_AGAIN })
    await page.waitForLoadState('networkidle')
    const script = await holdCalls(page, chunk('site'))
    await page.goto('/clinics', { waitUntil: 'commit' })
    await page.locator('#provider-form button[type="submit"]').waitFor()
    await page.evaluate(make)
    await type(page, ['name', 'practice_name', 'email', 'phone', 'message'], form)
    await page.locator('#provider-form [name="acceptance_consent"]').check()
    await page.locator('#provider-form [name="zip_code"]').pressSequentially('787')
    const place = () =>
      page.locator('#provider-form').evaluate((element) => Math.round(element.getBoundingClientRect().top))
    const before = await place()
    script.release()
    await page.locator('#provider-form form[novalidate]').waitFor()
    await expect.poll(() => page.evaluate(() => (document.activeElement as HTMLInputElement).name)).toBe('zip_code')
    expect(Math.abs((await place()) - before)).toBeLessThan(5)
    await page.keyboard.type('02')
    expect(await page.locator('#provider-form [name="zip_code"]').inputValue()).toBe('78702')
    await page.locator('#provider-form button[type="submit"]').click()
    await expect
      .poll(() => site.db('provider_applications').where('email', form.email).pluck('message'))
      .toEqual([form.message])
  })

  it.each(EXTENSIONS)('reports no error if $change come while its script does', async ({ make }) => {
    const page = await site.open('/refunds')
    const redraw = await holdCalls(page, chunk('redraw'))
    await page.goto('/', { waitUntil: 'commit' })
    await page.locator('#provider-form button[type="submit"]').waitFor()
    await touchUntil('the script that takes over', page, async () => redraw.calls() > 0)
    await page.evaluate(make)
    redraw.release()
    await page.locator('#provider-form form[novalidate]').waitFor()
  })

  it('does once what its button was pressed for before its script had come', async () => {
    const lead = leadForm()
    const page = await site.open('/refunds', { expectErrors: DRAWN_AGAIN })
    await page.waitForLoadState('networkidle')
    const script = await holdCalls(page, chunk('site'))
    await page.goto('/', { waitUntil: 'commit' })
    await page.locator('#provider-form button[type="submit"]').waitFor()
    const posts = countPosts(page)
    await page.evaluate(translate)
    await fillInAndSend(page, '/', lead)
    script.release()
    await page.waitForURL(`${site.url}/success?providerId=${clinic}`)
    expect(posts()).toBe(1)
  })

  it('is not drawn again while somebody types or holds its button down', async () => {
    const lead = leadForm()
    const page = await site.open('/refunds', { expectErrors: DRAWN_AGAIN })
    await page.waitForLoadState('networkidle')
    const script = await holdCalls(page, chunk('site'))
    await page.goto('/', { waitUntil: 'commit' })
    const button = page.locator('#provider-form button[type="submit"]')
    await button.waitFor()
    const posts = countPosts(page)
    await page.evaluate(translate)
    await type(page, [...PERSON, 'zip_code'], lead)
    await page.locator('#provider-form [name="acceptance_consent"]').check()
    const handle = await page.locator('#provider-form [name="first_name"]').elementHandle()
    const isThere = () => handle?.evaluate((element) => element.isConnected)
    script.release()
    for (let n = 0; n < 15; n += 1) {
      await page.keyboard.press('Shift')
      await page.waitForTimeout(200)
      expect(await isThere()).toBe(true)
    }
    await button.hover()
    await page.mouse.down()
    await page.waitForTimeout(2.5 * SECOND)
    expect(await isThere()).toBe(true)
    await page.mouse.up()
    await page.waitForURL(`${site.url}/success?providerId=${clinic}`)
    expect(posts()).toBe(1)
  })

  it('is searched on the map', async () => {
    const page = await site.open('/map')
    await page.getByRole('combobox').fill('78702')
    await page.evaluate(translate)
    await page.getByRole('combobox').press('Enter')
    await page.getByText('Dr. Rosa Quill').first().waitFor()
    await page.getByRole('combobox').fill('99723')
    await page.getByRole('combobox').press('Enter')
    await page.waitForURL(/99723/)
    await page.getByRole('contentinfo').waitFor()
  })

  it('takes the answer of a clinic', async () => {
    const email = 'front@quill.example'
    const { id } = await createProvider(site.db, { email, practice_name: 'Quill Urology' })
    const leadId = await createLead(site.db, { providerId: id, form: { first_name: 'Sam', last_name: 'Orchard' } })
    const { html } = await mailTo(site.smtp, email)
    const page = await site.open(String(/\/r\/[\w-]+/.exec(String(html))?.[0]), { expectErrors: DRAWN_AGAIN })
    await page.evaluate(translate)
    await page.locator('[name="answer"][value="booked"]').check()
    await page.locator('[name="booked_for"]').fill('2026-12-01')
    await page.locator('[name="note"]').fill('Asked for a morning.')
    await page.locator('form:has([name="note"]) button[type="submit"]').click()
    await expect
      .poll(() => site.db('lead_outcomes').where('lead_id', leadId).pluck('kind'))
      .toEqual(['opened', 'booked'])
    await page.getByText('Sam Orchard').first().waitFor()
  })

  it('shows and changes leads and clinics in the dashboard', async () => {
    await createLead(site.db, { form: { first_name: 'Wanda', last_name: 'Translated' } })
    const page = await site.open('/admin?q=translated', { staff: true })
    await page.getByText('Wanda').first().waitFor()
    await page.evaluate(translate)
    const row = page.getByRole('row').filter({ hasText: 'Wanda' })
    await row.getByText('Wanda').first().click()
    await page.keyboard.press('Escape')
    for (const tab of await page.getByRole('tab').all()) await tab.click()
    await page.getByRole('tab').filter({ hasText: 'Leads' }).click()
    await chooseInRow(page.getByRole('row').filter({ hasText: 'Wanda' }), 'ES Delete')
    await expect.poll(() => site.db('leads').where('last_name', 'Translated')).toEqual([])
    expect(await page.getByText('could not be shown').count()).toBe(0)
    await page.getByRole('tab').first().waitFor()
  })

  describe('fields that were filled in without an event', () => {
    /** Fills in fields as a password manager may do: React hears of nothing. */
    const fillInSilently = (page: Page, values: Record<string, string | boolean>) =>
      page.evaluate((values) => {
        for (const [name, value] of Object.entries(values)) {
          const field = document.querySelector<HTMLInputElement>(`#provider-form form [name="${name}"]`)
          const property = typeof value === 'boolean' ? 'checked' : 'value'
          Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), property)?.set?.call(field, value)
        }
      }, values)

    it.each(['/', '/start?zip_code=78702', '/homev2?zip_code=78702'])('are sent as they are: %s', async (path) => {
      const { first_name, last_name, email, phone, zip_code } = leadForm()
      const page = await site.open(path)
      await wake(page)
      const zip: Record<string, string> = path === '/' ? { zip_code } : {}
      await fillInSilently(page, { first_name, last_name, email, phone, ...zip, acceptance_consent: true })
      await page.locator('#provider-form button[type="submit"]').click()
      await page.waitForURL(`${site.url}/success?providerId=${clinic}`)
      expect(await site.db('leads').where({ email }).first('first_name', 'zip_code')).toEqual({ first_name, zip_code })
    })

    it('sign staff in', async () => {
      const page = await site.open('/getmpx')
      await page.getByLabel('Password').waitFor()
      await page.evaluate((password) => {
        const field = document.querySelector('input[type="password"]')
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, password)
      }, STAFF_PASSWORD)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByRole('tab').first().waitFor()
    })
  })
})
