import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { createProvider, leadForm } from '../support/factories.ts'
import { type BrowserSite, describeInBrowser } from './browser.ts'
import { apiCalls, hostUrl, leadOf, onHost } from './form-actions.ts'
import { comesAlive, fillIn, holdCalls, isInSight, submitButton, wake } from './page-actions.ts'

const HOST = 'clinic.localhost'
const CALM = onHost(HOST)

describeInBrowser('a provider’s site', (site) => {
  let clinic: number
  let plain: number
  let home: string
  beforeAll(async () => {
    const far = { zip_code: '80202', accepts_free_consultation: true, accepts_financing: true }
    clinic = (await createProvider(site.db, { ...far, practice_name: 'Quill Clinic', domain: HOST })).id
    plain = (await createProvider(site.db, { name: 'Dr. Anders Holt', practice_name: null })).id
    home = hostUrl(site, HOST)
  })

  const WAYS = [
    { way: 'on / by its id', path: () => `/?providerId=${clinic}` },
    { way: 'on /microsite by its id', path: () => `/microsite?providerId=${clinic}` },
    { way: 'on / of its host', path: () => home },
    { way: 'on /microsite of its host', path: () => `${home}microsite` },
  ]
  it.each(WAYS)('is $way, asks nobody who it is, and sends its leads to it, however far', async ({ path }) => {
    const lead = leadForm()
    const page = await site.open(path(), { expectErrors: CALM })
    const calls = apiCalls(page.context())
    await isSiteOf(page, 'Quill Clinic')
    await page.getByRole('heading', { name: 'Secure My FREE Consultation Now:', exact: true }).waitFor()
    await page.getByText('Limited Spots Available!', { exact: true }).waitFor()
    await wake(page)
    expect(calls).toEqual([])

    await fillIn(page, lead)
    await page.getByRole('button', { name: 'Learn More!', exact: true }).click()
    await page.waitForURL(`**/success?providerId=${clinic}`)
    await page.getByText('Quill Clinic', { exact: true }).first().waitFor()
    expect(await leadOf(site, lead)).toMatchObject({ provider_id: clinic, match_kind: 'chosen' })
  })

  it('shows how to pay over time where the clinic takes that', async () => {
    const page = await site.open(home, { expectErrors: CALM })
    const section = page.getByRole('region', { name: 'Affordable, Flexible Payment Plans' })
    for (const name of ['Affordable & Flexible', '0% APR Financing*', 'No Hard Credit Check', 'Instant Approval']) {
      await section.getByRole('heading', { name, exact: true }).waitFor()
    }
    for (const text of [
      '*On approved credit',
      'No obligation • Free consultation • Find out if you qualify',
      '$199/month',
    ]) {
      await section.getByText(text, { exact: true }).waitFor()
    }
    expect(await section.getByRole('img').count()).toBe(2)
    const link = section.getByRole('link', { name: 'Schedule Free Consultation', exact: true })
    expect(await link.getAttribute('href')).toBe('#provider-form')
    await link.click()
    await isInSight(page.locator('#lead-form-heading'))
    expect(await submitButton(page).isVisible()).toBe(true)
  })

  it('leaves that out where the clinic does not, and asks for no free consultation there', async () => {
    const page = await site.open(`/microsite?providerId=${plain}`)
    await isSiteOf(page, 'Dr. Anders Holt')
    await page.getByRole('heading', { name: 'Find Out If You Qualify Now:', exact: true }).waitFor()
    expect(await page.getByText('Secure My FREE Consultation Now:').count()).toBe(0)
    expect(await page.getByText('Affordable, Flexible Payment Plans').count()).toBe(0)
  })

  it.each(['999999', 'abc', ''])('is not found when the id is nobody’s: %j', async (id) => {
    for (const path of ['/', '/microsite']) {
      const page = await site.open(`${path}?providerId=${id}`, { expectErrors: /status of 404/ })
      await page.getByRole('heading', { name: 'Provider not found', exact: true }).waitFor()
    }
  })

  it('is not found on /microsite of a host that is nobody’s', async () => {
    const page = await site.open('/microsite', { expectErrors: /status of 404/ })
    await page.getByRole('heading', { name: 'Provider not found', exact: true }).waitFor()
  })

  describe('while the server cannot find out whose it is', () => {
    it.each(['/', '/microsite'])('is looked up by the browser (%s)', async (path) => {
      const page = await whileAway(site, async () => {
        const page = await site.open('/terms')
        const held = await holdCalls(page, `**/api/providers/${clinic}`)
        await page.goto(`${path}?providerId=${clinic}`)
        await page.getByText('Loading...', { exact: true }).waitFor()
        await expect.poll(held.calls).toBe(1)
        await comesAlive(page.getByText('Loading...', { exact: true }))
        site.gateway.unblock()
        held.release()
        return page
      })
      await isSiteOf(page, 'Quill Clinic')
      const lead = leadForm()
      await fillIn(page, lead)
      await submitButton(page).click()
      await page.waitForURL(`${site.url}/success?providerId=${clinic}`)
      expect(await leadOf(site, lead)).toMatchObject({ provider_id: clinic })
    })

    it.each(['/', '/microsite'])('is not found when the browser has no luck either (%s)', async (path) => {
      await whileAway(site, async () => {
        const page = await site.open(`${path}?providerId=${clinic}`, {
          expectErrors: /status of 503|The provider of this page could not be found/,
        })
        await page.getByRole('heading', { name: 'Provider not found', exact: true }).waitFor()
      })
    })

    it('shows the main page on its host', async () => {
      await whileAway(site, async () => {
        const page = await site.open(home, { expectErrors: CALM })
        await page.getByRole('heading', { name: 'Find a provider near you' }).waitFor()
      })
    })
  })

  describe('where the server has rendered nothing', () => {
    it('is looked up by its host', async () => {
      const page = await site.open(`${home}terms`, { expectErrors: CALM })
      const held = await holdCalls(page, `**/api/providers/domain/${HOST}`)
      await openUnrendered(site, page, home)
      await page.getByText('Loading...', { exact: true }).waitFor()
      held.release()
      await isSiteOf(page, 'Quill Clinic')
    })

    it.each([
      { what: 'nobody can say', status: 500, body: '' },
      { what: 'the answer has no id', status: 200, body: '{"name":"Nobody"}' },
      { what: 'it is nobody’s', status: 404, body: '{"error":"No.","code":"not_found"}' },
    ])('is the main page when $what', async ({ status, body }) => {
      const page = await site.open(`${home}terms`, {
        expectErrors: new RegExp(`${CALM.source}|status of ${status}|The provider of this page could not be found`),
      })
      await page.route('**/api/providers/domain/*', (route) =>
        route.fulfill({ status, contentType: 'application/json', body }),
      )
      await openUnrendered(site, page, home)
      await page.getByRole('heading', { name: 'Find a provider near you' }).waitFor()
    })

    it('asks nobody on the main host', async () => {
      const page = await site.open('/terms')
      const calls = apiCalls(page.context())
      await openUnrendered(site, page, site.url)
      await page.getByRole('heading', { name: 'Find a provider near you' }).waitFor()
      expect(calls).toEqual([])
    })
  })

  it('is not looked up on the main host, and hosts that are nobody’s show the main page', async () => {
    for (const url of ['/', hostUrl(site, 'nobody.localhost')]) {
      const page = await site.open('/terms', { expectErrors: onHost('nobody.localhost') })
      const calls = apiCalls(page.context())
      await page.goto(url)
      await page.getByRole('heading', { name: 'Find a provider near you' }).waitFor()
      await wake(page)
      expect(calls, url).toEqual([])
    }
  })
})

async function isSiteOf(page: Page, clinic: string): Promise<void> {
  for (const text of [
    'Backed by Science, Loved by Men.',
    'Clinically Proven Results',
    'No Surgery, No Side Effects',
    'Urologist Recommended',
    `Submit the form to connect with ${clinic}.`,
    'Click to find out if you qualify for treatment.',
  ]) {
    await page.getByText(text, { exact: true }).first().waitFor()
  }
  await page.getByRole('heading', { name: 'Get Bigger & Thicker!', exact: true, level: 1 }).waitFor()
}

/** The database is away for the API until `act` is through, unless it brings it back itself. */
async function whileAway<Result>({ gateway }: BrowserSite, act: () => Promise<Result>): Promise<Result> {
  gateway.block()
  try {
    return await act()
  } finally {
    gateway.unblock()
  }
}

/** Opens the home page as it comes when it could not be rendered: empty, for the browser to draw. */
async function openUnrendered(site: BrowserSite, page: Page, home: string): Promise<void> {
  // The staff's pages always come so. Not every system knows the names under localhost that browsers know.
  const response = await page.request.get(`${site.url}/admin`)
  await page.route(new URL('/', home).href, (route) => route.fulfill({ response }))
  await page.goto(home)
}
