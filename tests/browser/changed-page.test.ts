import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { SECOND } from '../../core/contract/time.ts'
import { STAFF_PASSWORD } from '../support/env.ts'
import { applicationForm, createLead, createProvider, leadForm } from '../support/factories.ts'
import { addIcons, markWords, translate } from '../support/page-changes.ts'
import { describeInBrowser } from './browser.ts'
import { CALL, chooseInRow, chunk, holdCalls, touchUntil, wake } from './page-actions.ts'

/** React says that it drew a page again. */
const DRAWN_AGAIN = { expectErrors: /Minified React error .418/ }
const PERSON = ['first_name', 'last_name', 'email', 'phone']

describeInBrowser('a page that a browser or an extension changes', (site) => {
  let clinic: number
  beforeAll(async () => {
    clinic = (await createProvider(site.db, { name: 'Dr. Rosa Quill', latitude: 30.27, longitude: -97.74 })).id
  })

  const button = (page: Page) => page.locator('#provider-form button[type="submit"]')
  /** Fields by their names: their labels are translated. */
  const field = (page: Page, name: string) => page.locator(`#provider-form [name="${name}"]`)
  const arrives = (page: Page) => page.waitForURL(`${site.url}/success?providerId=${clinic}`)

  async function type(page: Page, names: string[], values: Record<string, unknown>) {
    for (const name of names) await field(page, name).fill(String(values[name]))
  }

  async function fillIn(page: Page, path: string, lead: ReturnType<typeof leadForm>) {
    const isTwoSteps = path === '/start'
    if (isTwoSteps) {
      await type(page, ['zip_code'], lead)
      await button(page).click()
      await field(page, 'first_name').waitFor()
    }
    await type(page, isTwoSteps ? PERSON : [...PERSON, 'zip_code'], lead)
    await field(page, 'acceptance_consent').check()
  }

  /** Counts the forms that a page sends, with a script or without. */
  function countPosts(page: Page): () => number {
    let posts = 0
    page.on('request', (request) => {
      if (request.method() === 'POST' && CALL.test(request.url())) posts += 1
    })
    return () => posts
  }

  /** Opens a page whose script comes when it is released, and changes the page before. */
  async function openChanged(path: string, name = 'site') {
    const page = await site.blank(DRAWN_AGAIN)
    const script = await holdCalls(page, chunk(name))
    const posts = countPosts(page)
    await page.goto(path, { waitUntil: 'commit' })
    await button(page).waitFor()
    await page.evaluate(translate)
    return { page, script, posts }
  }

  it.each([
    { change: 'a translation', make: translate, path: '/' },
    { change: 'marks around words', make: markWords, path: '/start' },
    { change: 'the icons of a password manager', make: addIcons, path: '/' },
  ])('sends its form once, changed before the first touch or after: $change', async ({ make, path }) => {
    for (const isTouched of [true, false]) {
      const lead = leadForm()
      const page = await site.blank(DRAWN_AGAIN)
      const posts = countPosts(page)
      await page.goto(path)
      if (isTouched) await wake(page)
      await page.evaluate(make)
      await wake(page)
      await fillIn(page, path, lead)
      await button(page).click()
      await arrives(page)
      await page.getByText('Dr. Rosa Quill').first().waitFor()
      expect(posts()).toBe(1)
      expect(await page.getByText('Something went wrong').count()).toBe(0)
      expect(await site.db('leads').where('email', lead.email).first('held_reason')).toEqual({ held_reason: null })
    }
  })

  it('keeps what was typed before its script had come, the focus and the place', async () => {
    const form = applicationForm()
    const { page, script } = await openChanged('/clinics')
    await type(page, ['name', 'practice_name', 'email', 'phone', 'message'], form)
    await field(page, 'acceptance_consent').check()
    await field(page, 'zip_code').pressSequentially('787')
    const place = () =>
      page.locator('#provider-form').evaluate((element) => Math.round(element.getBoundingClientRect().top))
    const before = await place()
    script.release()
    await page.locator('#provider-form form[novalidate]').waitFor()
    await expect.poll(() => page.evaluate(() => (document.activeElement as HTMLInputElement).name)).toBe('zip_code')
    expect(Math.abs((await place()) - before)).toBeLessThan(5)
    await page.keyboard.type('02')
    expect(await field(page, 'zip_code').inputValue()).toBe('78702')
    await button(page).click()
    await expect
      .poll(() => site.db('provider_applications').where('email', form.email).pluck('message'))
      .toEqual([form.message])
  })

  it.each([
    { change: 'marks around words', make: markWords },
    { change: 'the icons of a password manager', make: addIcons },
  ])('reports no error if $change come while its script does', async ({ make }) => {
    const page = await site.blank()
    const redraw = await holdCalls(page, chunk('redraw'))
    await page.goto('/', { waitUntil: 'commit' })
    await button(page).waitFor()
    await touchUntil('the script that takes over', page, async () => redraw.calls() > 0)
    await page.evaluate(make)
    redraw.release()
    await page.locator('#provider-form form[novalidate]').waitFor()
  })

  it('gives no focus to a field that somebody has left', async () => {
    const page = await site.blank()
    const part = await holdCalls(page, chunk('lead-form'))
    await page.goto('/', { waitUntil: 'commit' })
    await button(page).waitFor()
    await touchUntil('the script of the form', page, async () => part.calls() > 0)
    await field(page, 'first_name').fill('Jordan')
    await field(page, 'first_name').blur()
    await page.evaluate(addIcons)
    part.release()
    await page.locator('#provider-form form[novalidate]').waitFor()
    await expect.poll(() => field(page, 'first_name').inputValue()).toBe('Jordan')
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
  })

  it.each([
    { what: 'all of it is there', held: 'site', seconds: 3 },
    { what: 'a part is late', held: 'lead-form', seconds: 12 },
  ])('is not drawn again while somebody types or holds its button down: $what', async ({ held, seconds }) => {
    const { page, script, posts } = await openChanged('/', held)
    await page.clock.install()
    await fillIn(page, '/', leadForm())
    const handle = await field(page, 'first_name').elementHandle()
    const isThere = () => handle?.evaluate((element) => element.isConnected)
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + SECOND)
    if (held === 'site') script.release()
    else await expect.poll(script.calls).toBeGreaterThan(0)
    // The code that the page waits for before it draws itself again.
    if (held === 'site') await page.waitForLoadState('networkidle')
    for (let passed = 0; passed < seconds; passed += 0.5) {
      await page.keyboard.press('Shift')
      await page.clock.runFor(0.5 * SECOND)
      expect(await isThere()).toBe(true)
    }
    script.release()
    await button(page).hover()
    await page.mouse.down()
    await page.clock.runFor(2.5 * SECOND)
    expect(await isThere()).toBe(true)
    await page.mouse.up()
    await page.clock.resume()
    await arrives(page)
    expect(posts()).toBe(1)
  })

  it('shows and changes leads in the dashboard, and goes through its tabs', async () => {
    await createLead(site.db, { form: { first_name: 'Wanda', last_name: 'Translated' } })
    const page = await site.open('/admin?q=translated', { staff: true })
    await page.getByText('Wanda').first().waitFor()
    await page.evaluate(translate)
    const row = page.getByRole('row').filter({ hasText: 'Wanda' })
    await row.getByText('Wanda').first().click()
    await page.keyboard.press('Escape')
    for (const tab of await page.getByRole('tab').all()) await tab.click()
    await page.getByRole('tab').filter({ hasText: 'Leads' }).click()
    await chooseInRow(row, 'ES Delete')
    await expect.poll(() => site.db('leads').where('last_name', 'Translated')).toEqual([])
    expect(await page.getByText('could not be shown').count()).toBe(0)
  })

  it('sends fields as they are that a password manager has filled in without an event, and signs staff in', async () => {
    const { first_name, last_name, email, phone, zip_code } = leadForm()
    /** React hears of nothing. */
    const fillInSilently = (page: Page, values: Record<string, string | boolean>) =>
      page.evaluate((values) => {
        for (const [name, value] of Object.entries(values)) {
          const field = document.querySelector<HTMLInputElement>(`main [name="${name}"], input[type="${name}"]`)
          const property = typeof value === 'boolean' ? 'checked' : 'value'
          Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), property)?.set?.call(field, value)
        }
      }, values)
    const page = await site.open('/start?zip_code=78702')
    await wake(page)
    await fillInSilently(page, { first_name, last_name, email, phone, acceptance_consent: true })
    await button(page).click()
    await arrives(page)
    expect(await site.db('leads').where({ email }).first('first_name', 'zip_code')).toEqual({ first_name, zip_code })

    await page.goto('/getmpx')
    await page.getByLabel('Password').waitFor()
    await fillInSilently(page, { password: STAFF_PASSWORD })
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('tab').first().waitFor()
  })
})
