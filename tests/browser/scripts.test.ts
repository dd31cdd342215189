import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { SECOND } from '../../core/contract/time.ts'
import { createProvider, leadForm } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import {
  CALL,
  chunk,
  comesAlive,
  field,
  filledIn,
  fillIn,
  fillInPerson,
  holdCalls,
  isAlive,
  isInSight,
  leadOf,
  problemAt,
  submitButton,
  touchUntil,
  wake,
} from './page-actions.ts'

const ZIP_INVALID = 'Please enter a valid 5-digit zip code'
const LOST = /status of 500|ERR_FAILED|Failed to fetch dynamically imported module/

/** Tells whether the browser imports a script again that failed once: not before 2026 (https://github.com/whatwg/html/pull/10327). */
async function retriesImports(page: Page): Promise<boolean> {
  let tries = 0
  await page.route('**/probe.js', (route) =>
    tries++ === 0 ? route.abort() : route.fulfill({ contentType: 'text/javascript', body: '' }),
  )
  await page.goto('/privacy')
  return page.evaluate("import('/probe.js').catch(() => import('/probe.js')).then(() => true, () => false)")
}

describeInBrowser('a page that the server has rendered', (site) => {
  let clinic: number
  beforeAll(async () => {
    clinic = (await createProvider(site.db, { name: 'Dr. Rosa Quill' })).id
  })

  const arrives = async (page: Page) => {
    await page.waitForURL(`${site.url}/success?providerId=${clinic}`)
    await page.getByText('Dr. Rosa Quill', { exact: true }).waitFor()
  }

  /** Opens a page whose script of that name comes when it is released. */
  async function openBefore(path: string, script: string, visitor?: Parameters<typeof site.blank>[0]) {
    const page = await site.blank(visitor)
    const held = await holdCalls(page, chunk(script))
    await page.goto(path, { waitUntil: 'commit' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    return { page, held }
  }

  it('leaves the phone in peace until somebody is there', async () => {
    const page = await site.untouched({ width: 390 })
    for (const path of ['/', `/?providerId=${clinic}`, '/start', `/success?providerId=${clinic}`]) {
      await page.goto(path, { waitUntil: 'networkidle' })
      const title = page.getByRole('heading', { level: 1 })
      expect(await isAlive(title), path).toBe(false)
      await page.keyboard.press('Tab')
      await expect.poll(() => isAlive(title), { message: path }).toBe(true)
    }
  })

  it('does what a button was pressed for before it could, and is where somebody was when they come back', async () => {
    const { page, held } = await openBefore('/', 'site', { width: 390 })
    await page.getByRole('button', { name: 'Open menu' }).click()
    await expect.poll(held.calls).toBeGreaterThan(0)
    held.release()
    await page.getByRole('button', { name: 'Close menu' }).waitFor()
    await page.getByRole('link', { name: 'FAQs' }).waitFor()
    await page.keyboard.press('Escape')

    const question = page.getByText('Is it safe?', { exact: false }).first()
    await question.scrollIntoViewIfNeeded()
    const place = () => question.evaluate((element) => Math.round(element.getBoundingClientRect().top))
    const before = await place()
    await page.reload()
    await expect.poll(async () => Math.abs((await place()) - before)).toBeLessThan(30)
  })

  it('lets a plain form that was refused be mended with the script', async () => {
    const lead = leadForm()
    const { acceptance_message, consent_version: _, ...typed } = lead
    const { page, held } = await openBefore('/', 'lead-form', { expectErrors: /status of 422/ })
    await fillIn(page, { ...lead, zip_code: '00000' })
    // For longer than the page waits for the script.
    await page.clock.install()
    await submit(page).click()
    await page.clock.fastForward(5 * SECOND)
    await page.getByText(ZIP_INVALID, { exact: true }).waitFor()
    held.release()
    await wake(page)

    expect(page.url()).toBe(`${site.url}/`)
    expect(await problemAt(field(page, 'Zip Code'))).toBe(ZIP_INVALID)
    expect(await filledIn(page)).toEqual({ ...typed, zip_code: '00000' })
    await field(page, 'Zip Code').fill(lead.zip_code)
    expect(await problemAt(field(page, 'Zip Code'))).toBe('')
    const sent = page.waitForRequest(CALL)
    await submit(page).click()
    expect((await sent).postDataJSON()).toMatchObject({ email: lead.email, zip_code: lead.zip_code })
    await arrives(page)
    await leadOf(site, lead)
  })

  it('stays as it is, and its form works, when it loses the script of the form', async () => {
    const lead = leadForm()
    const page = await site.blank({ expectErrors: LOST })
    let isGivenUp = false
    page.on('console', (message) => {
      if (/dynamically imported/.test(message.text())) isGivenUp = true
    })
    await lose(page, 'lead-form')
    await page.goto('/', { waitUntil: 'commit' })
    await touchUntil('the page to do without the script', page, async () => isGivenUp)
    expect(await page.getByText('Something went wrong').count()).toBe(0)
    expect(await isAwake(page)).toBe(false)
    await fillIn(page, lead)
    await submit(page).click()
    await arrives(page)
    expect(await leadOf(site, lead)).toMatchObject({ zip_code: lead.zip_code, held_reason: null })
  })

  it('leads through both steps of the quiz without the script of the site', async () => {
    const lead = leadForm()
    const page = await site.blank({ expectErrors: LOST })
    await lose(page, 'site')
    await page.goto('/start', { waitUntil: 'commit' })
    await field(page, 'Zip Code').fill('78702')
    await submit(page).click()
    await page.getByRole('heading', { name: 'Tell us about you' }).waitFor()
    await fillInPerson(page, lead)
    await submit(page).click()
    await arrives(page)
    await leadOf(site, lead)
  })

  it('comes alive when a second try brings the script, and asks the server for a next page without its script', async () => {
    const lead = leadForm()
    const page = await site.blank({ expectErrors: LOST })
    const hasSecondTry = await retriesImports(page)
    const lost: string[] = []
    for (const script of ['site', 'lead-form']) {
      // Not `times: 1`: Playwright then takes its interception away in the midst of the page's other requests.
      await page.route(chunk(script), (route) => {
        if (lost.includes(script)) return route.continue()
        lost.push(script)
        return route.abort()
      })
    }
    await page.goto('/', { waitUntil: 'commit' })
    if (hasSecondTry) await wake(page)
    else await touchUntil('the script to be lost', page, async () => lost.length > 0)
    expect(lost).toEqual(hasSecondTry ? ['site', 'lead-form'] : ['site'])

    await lose(page, 'success-page')
    await fillIn(page, lead)
    const next = `${site.url}/success?providerId=${clinic}`
    const loaded = page.waitForRequest((request) => request.isNavigationRequest() && request.url() === next)
    await submitButton(page).click()
    await loaded
    await arrives(page)
    await leadOf(site, lead)
  })

  it('stays where somebody has gone before the script came, and not at the anchor of its address', async () => {
    const { page, held } = await openBefore('/#how-it-works', 'site')
    await isInSight(page.getByRole('heading', { name: 'How It Works', exact: true }))
    await page.getByRole('banner').getByRole('link', { name: 'Find a Provider' }).click()
    const form = page.locator('#lead-form-heading')
    await isInSight(form)
    await expect.poll(held.calls).toBeGreaterThan(0)
    held.release()
    await comesAlive(page.getByRole('heading', { level: 1 }))
    await isInSight(form)
  })

  it('leads to its form from another page, also when the code of the form is late, unless the visitor has moved on', async () => {
    const page = await site.open('/terms', { width: 390 })
    const held = await holdCalls(page, chunk('lead-form'))
    const link = page.getByRole('banner').getByRole('link', { name: 'Find a Provider', exact: true })
    await comesAlive(link)
    await link.click()
    await page.waitForURL(`${site.url}/#provider-form`)
    const top = () => page.locator('#provider-form').evaluate((form) => form.getBoundingClientRect().top)
    await expect.poll(top).toBeLessThan(100)
    await page.locator('#faq').waitFor({ state: 'attached' })
    await page.mouse.move(300, 500)
    await page.mouse.wheel(0, 1500)
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(1000)
    held.release()
    await page.locator('#provider-form form[novalidate]').waitFor({ state: 'attached' })
    expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(1000)
  })
})

/** Whether the form of the page has its script. */
const isAwake = (page: Page) => page.locator('#provider-form form[novalidate]').isVisible()

/** The button that sends the form of a page, with its script or without. */
const submit = (page: Page) => page.locator('#provider-form button[type="submit"]')

/** The script of that name never comes. */
const lose = (page: Page, script: string) =>
  page.route(chunk(script), (route) => route.fulfill({ status: 500, body: '' }))
