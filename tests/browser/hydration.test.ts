import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { SECOND } from '../../core/time.ts'
import { pages } from '../../web/pages.ts'
import { createProvider, leadForm } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import { CALL, chunk, fillInPerson, leadOf, problemAtField } from './form-actions.ts'
import { comesAlive, field, filledIn, fillIn, holdCalls, isAlive, submitButton, wake } from './page-actions.ts'
import { isAwake, openAfter, submit } from './script-actions.ts'

const ZIP_INVALID = 'Please enter a valid 5-digit zip code'
/** The pages for visitors, without the map and the page for clinics, which other tests open. */
const PAGES = Object.values(pages)
  .filter(({ rendered, changesWith = 'network' }) => rendered !== 'browser' && changesWith === 'network')
  .map(({ path }) => path)
const EMAIL_INVALID = 'Invalid email format'

describeInBrowser('a page that the server has rendered', (site) => {
  let clinic: number
  beforeAll(async () => {
    clinic = (await createProvider(site.db, { name: 'Dr. Rosa Quill' })).id
  })

  it('is taken over by the browser without a complaint, whatever the page', async () => {
    // No such page; a link in an e-mail without its token.
    const page = await site.open('/terms', { width: 390, expectErrors: /status of (404|422)/ })
    for (const path of [
      ...PAGES,
      '/?utm_source=news#faq',
      '/?providerId=1',
      '/microsite?providerId=1',
      '/start?zip_code=78702',
      '/start?zip_code=787',
      '/homev2?zip_code=78702&providerId=1',
      '/success?providerId=1',
      '/success?noProvider=true',
      '/no/such/page',
    ]) {
      await isTakenOver(page, path)
    }
    // What the width makes of a page is the same on all: the header.
    await page.setViewportSize({ width: 1440, height: 900 })
    for (const path of ['/', '/?providerId=1', '/start']) await isTakenOver(page, path)
  })

  it('leaves the phone in peace until somebody is there', async () => {
    const page = await site.open('/terms')
    for (const path of ['/', '/?providerId=1', '/start', '/success?providerId=1']) {
      await page.goto(path)
      await page.waitForLoadState('networkidle')
      const title = page.getByRole('heading', { level: 1 })
      expect(await isAlive(title), path).toBe(false)
      await page.keyboard.press('Tab')
      await expect.poll(() => isAlive(title), { message: path }).toBe(true)
    }
  })

  it('does what a button was pressed for before it could', async () => {
    const { page, prepared } = await openAfter(site, '/', (page) => holdCalls(page, chunk('site')), undefined, 390)
    await page.getByRole('button', { name: 'Open menu' }).click()
    await expect.poll(prepared.calls).toBeGreaterThan(0)
    prepared.release()
    await page.getByRole('button', { name: 'Close menu' }).waitFor()
    await page.getByRole('link', { name: 'FAQs' }).waitFor()
  })

  it('is where somebody was when they come back to it', async () => {
    const page = await site.open('/', { width: 390 })
    const question = page.getByText('Is it safe?', { exact: false }).first()
    await question.scrollIntoViewIfNeeded()
    await page.evaluate(() => window.scrollBy({ top: 1, behavior: 'instant' }))
    const place = () => question.evaluate((element) => Math.round(element.getBoundingClientRect().top))
    await comesAlive(page.getByRole('heading', { level: 1 }))
    const before = await place()
    await page.reload()
    await expect.poll(async () => Math.abs((await place()) - before)).toBeLessThan(30)
  })

  describe('before the script of its form is there', () => {
    it('keeps what is typed, and sends it when the script has come', async () => {
      const lead = leadForm()
      const { page, prepared } = await openAfter(site, '/', (page) => holdCalls(page, chunk('lead-form')))
      await fillIn(page, lead)
      await expect.poll(prepared.calls).toBeGreaterThan(0)
      expect(await isAwake(page)).toBe(false)
      prepared.release()
      await wake(page)

      const { acceptance_message, consent_version: _, ...typed } = lead
      expect(await filledIn(page)).toEqual(typed)
      const sent = page.waitForRequest(CALL)
      await submitButton(page).click()
      expect((await sent).postDataJSON()).toMatchObject(lead)
      await page.waitForURL(`${site.url}/success?providerId=${clinic}`)
      expect(await leadOf(site, lead)).toMatchObject({ zip_code: lead.zip_code, held_reason: null })
    })

    it('keeps what is typed by somebody who came to the form by a link', async () => {
      const lead = leadForm()
      const { page, prepared } = await openAfter(site, '/?success=true', (page) => holdCalls(page, chunk('lead-form')))
      await comesAlive(page.getByRole('heading', { level: 1 }))
      await page.getByRole('link', { name: 'Claim Your FREE Consultation', exact: true }).click()
      await fillIn(page, lead)
      await expect.poll(prepared.calls).toBeGreaterThan(0)
      prepared.release()
      await wake(page)

      const { acceptance_message, consent_version: _, ...typed } = lead
      expect(await filledIn(page)).toEqual(typed)
    })

    it('takes the first step of the quiz as a plain form, and keeps what is typed into the second', async () => {
      const lead = leadForm()
      const { page, prepared } = await openAfter(site, '/start', (page) => holdCalls(page, chunk('quiz')))
      await page.getByLabel('Zip Code', { exact: true }).fill('78702')
      await submitAndWait(page)
      await page.getByRole('heading', { name: 'Tell us about you' }).waitFor()
      await fillInPerson(page, lead)
      prepared.release()
      await wake(page)
      await page.getByRole('button', { name: 'Continue', exact: true }).click()
      await page.waitForURL(`${site.url}/success?providerId=${clinic}`)
      expect(await leadOf(site, lead)).toMatchObject({ zip_code: '78702', phone: lead.phone })
    })

    it('sends the form as a plain one', async () => {
      const lead = leadForm()
      const { page, prepared } = await openAfter(site, '/', (page) => holdCalls(page, chunk('lead-form')))
      await fillIn(page, lead)
      const sent = page.waitForRequest(CALL)
      await submitAndWait(page)
      expect((await sent).isNavigationRequest()).toBe(true)
      await page.waitForURL(`${site.url}/success?providerId=${clinic}`)
      await page.getByText('Dr. Rosa Quill', { exact: true }).waitFor()
      prepared.release()
      expect(await leadOf(site, lead)).toMatchObject({ zip_code: '78702', held_reason: null })
    })

    it.each([
      { form: 'the landing page', path: '/', script: 'lead-form', wrong: { zip_code: '00000' } },
      {
        form: 'the finder',
        path: '/homev2?zip_code=78702',
        script: 'provider-finder',
        wrong: { email: 'jordan@visitors' },
      },
    ])('lets a plain form that was refused be mended with the script: $form', async ({ path, script, wrong }) => {
      const mended = leadForm()
      const lead = { ...mended, ...wrong }
      const [label, problem] =
        'email' in wrong ? (['Email', EMAIL_INVALID] as const) : (['Zip Code', ZIP_INVALID] as const)
      const { page, prepared } = await openAfter(site, path, (page) => holdCalls(page, chunk(script)), /status of 422/)
      await fillInPerson(page, lead)
      if (path === '/') await field(page, 'Zip Code').fill(lead.zip_code)
      await submitAndWait(page)
      await page.getByText(problem, { exact: true }).waitFor()
      prepared.release()
      await wake(page)

      expect(page.url()).toBe(site.url + path)
      expect(await problemAtField(page, label)).toBe(problem)
      const { acceptance_message, consent_version: _, ...typed } = lead
      expect(await filledIn(page)).toEqual(typed)
      await field(page, label).fill(label === 'Email' ? mended.email : mended.zip_code)
      expect(await problemAtField(page, label)).toBe('')
      const sent = page.waitForRequest(CALL)
      await submit(page).click()
      const { email, zip_code } = mended
      expect((await sent).postDataJSON()).toMatchObject({ email, zip_code })
      await page.waitForURL(`${site.url}/success?providerId=${clinic}`)
      expect(await leadOf(site, mended)).toMatchObject({ zip_code })
    })
  })

  it('is there while the database is away, and the thank-you page then tells of no provider', async () => {
    site.gateway.block()
    try {
      const page = await site.open('/', {
        expectErrors: /status of 503|The provider of this page could not be found/,
      })
      for (const path of ['/start', '/homev2', '/terms']) {
        await page.goto(path)
        await page.getByRole('heading', { level: 1 }).waitFor()
      }
      await page.goto(`/success?providerId=${clinic}`)
      await page.getByText('Provider information not available.', { exact: true }).waitFor()
      await page.getByRole('heading', { name: 'Your Path to Natural Male Enhancement Has Begun!' }).waitFor()
    } finally {
      site.gateway.unblock()
    }
  })
})

/** Opens a page, does what brings its scripts, and waits for what they load. */
async function isTakenOver(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await comesAlive(page.getByRole('heading', { level: 1 }))
  await page.mouse.wheel(0, 2000)
  if (await page.locator('main form').count()) await wake(page)
  await page.waitForLoadState('networkidle')
}

/** Presses the button of a form whose script is still on its way, for longer than the page waits for it. */
async function submitAndWait(page: Page): Promise<void> {
  await page.clock.install()
  await submit(page).click()
  await page.clock.fastForward(5 * SECOND)
}
