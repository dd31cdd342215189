import type { Page, Route } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { createProvider, leadForm } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import { chunk, fillInPerson, leadOf } from './form-actions.ts'
import { fillIn, submitButton, touchUntil, wake } from './page-actions.ts'
import { isAwake, openAfter, submit } from './script-actions.ts'

const LOST = /status of 500|ERR_FAILED|Failed to fetch dynamically imported module/

describeInBrowser('a page that loses a script', (site) => {
  let clinic: number
  beforeAll(async () => {
    clinic = (await createProvider(site.db, { name: 'Dr. Rosa Quill' })).id
  })

  it.each([
    { what: 'of the form', script: 'lead-form' },
    { what: 'of the sections below', script: 'landing-sections', formComes: true },
  ])('stays as it is, and its form works: the script $what', async ({ script, formComes = false }) => {
    const lead = leadForm()
    const { page } = await openAfter(site, '/', (page) => lose(page, script), LOST)
    let isGivenUp = false
    page.on('console', (message) => {
      if (/dynamically imported/.test(message.text())) isGivenUp = true
    })
    await touchUntil('the page to do without the script', page, async () => isGivenUp)
    await page.getByText('Limited Spots Available!', { exact: true }).waitFor()
    expect(await page.getByText('Something went wrong').count()).toBe(0)
    if (formComes) await wake(page)
    else expect(await isAwake(page)).toBe(false)

    await fillIn(page, lead)
    await submit(page).click()
    await page.waitForURL(`${site.url}/success?providerId=${clinic}`)
    await page.getByText('Dr. Rosa Quill', { exact: true }).waitFor()
    expect(await leadOf(site, lead)).toMatchObject({ zip_code: lead.zip_code })
  })

  it('leads through both steps of the quiz without the script of the site', async () => {
    const lead = leadForm()
    const { page } = await openAfter(site, '/start', (page) => lose(page, 'site'), LOST)
    await page.getByLabel('Zip Code', { exact: true }).fill('78702')
    await submit(page).click()
    await page.getByRole('heading', { name: 'Tell us about you' }).waitFor()
    await fillInPerson(page, lead)
    await submit(page).click()
    await page.waitForURL(`${site.url}/success?providerId=${clinic}`)
    await leadOf(site, lead)
  })

  it('comes alive when the second try brings the script', async () => {
    const { page, prepared } = await openAfter(site, '/', (page) => loseFirst(page, 'site', 'lead-form'), LOST)
    await wake(page)
    expect(prepared()).toEqual(['site', 'lead-form'])

    const again = await loseFirst(page, 'success-page')
    await fillIn(page, leadForm())
    let navigations = 0
    page.on('request', (request) => {
      if (request.isNavigationRequest()) navigations += 1
    })
    await submitButton(page).click()
    await page.getByText('Dr. Rosa Quill', { exact: true }).waitFor()
    expect(again()).toEqual(['success-page'])
    expect(navigations, 'pages asked of the server').toBe(0)
  })

  it('asks the server for the thank-you page that has lost its script for good', async () => {
    const lead = leadForm()
    const page = await site.open('/', { expectErrors: LOST })
    await wake(page)
    await lose(page, 'success-page')
    await fillIn(page, lead)
    const loaded = page.waitForRequest((request) => request.isNavigationRequest())
    await submitButton(page).click()

    expect((await loaded).url()).toBe(`${site.url}/success?providerId=${clinic}`)
    await page.getByRole('heading', { name: 'Your Path to Natural Male Enhancement Has Begun!' }).waitFor()
    await page.getByText('Dr. Rosa Quill', { exact: true }).waitFor()
    expect(await page.getByText('Something went wrong').count()).toBe(0)
    await leadOf(site, lead)
  })
})

/** The script of that name never comes. */
function lose(page: Page, script: string): Promise<unknown> {
  return page.route(chunk(script), (route) => route.fulfill({ status: 500, body: '' }))
}

/** Each of these scripts is lost at the first try. @returns what has been lost by now */
async function loseFirst(page: Page, ...scripts: string[]): Promise<() => string[]> {
  const lost: string[] = []
  for (const script of scripts) {
    // Not `times: 1`: Playwright then takes its interception away in the midst of the page's other requests.
    await page.route(chunk(script), (route: Route) => {
      if (lost.includes(script)) return route.continue()
      lost.push(script)
      return route.abort()
    })
  }
  return () => lost
}
