import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { createProvider, leadForm } from '../support/factories.ts'
import { type BrowserSite, describeInBrowser } from './browser.ts'
import { apiCalls, hostUrl, leadOf, onHost } from './form-actions.ts'
import { comesAlive, fillIn, holdCalls, isInSight, mailTo, submitButton, wake } from './page-actions.ts'

const HOST = 'clinic.localhost'
const CALM = onHost(HOST)

describeInBrowser('a provider’s site', (site) => {
  let clinic: number
  let plain: number
  let home: string
  beforeAll(async () => {
    const far = {
      zip_code: '80202',
      email: 'quill@clinics.example',
      accepts_free_consultation: true,
      accepts_financing: true,
      latitude: 39.75,
      longitude: -104.99,
    }
    clinic = (await createProvider(site.db, { ...far, practice_name: 'Quill Clinic', domain: HOST })).id
    plain = (await createProvider(site.db, { name: 'Dr. Anders Holt', practice_name: null })).id
    home = hostUrl(site, HOST)
  })

  it('is on its host, asks nobody who it is, and sends its leads to it, however far', async () => {
    const lead = leadForm()
    const page = await site.open(home, { expectErrors: CALM })
    const calls = apiCalls(page.context())
    await isSiteOf(page, 'Quill Clinic')
    await page.getByRole('heading', { name: 'Secure My FREE Consultation Now:', exact: true }).waitFor()
    await wake(page)
    expect(calls).toEqual([])

    const plans = page.getByRole('region', { name: 'Affordable, Flexible Payment Plans' })
    await plans.getByRole('link', { name: 'Schedule Free Consultation', exact: true }).click()
    await isInSight(page.locator('#lead-form-heading'))
    await fillIn(page, lead)
    await page.getByRole('button', { name: 'Learn More!', exact: true }).click()
    await page.waitForURL(`**/success?providerId=${clinic}`)
    expect(new URL(page.url()).hostname).toBe(HOST)
    await page.getByText('Quill Clinic', { exact: true }).first().waitFor()
    await mailTo(site.smtp, 'quill@clinics.example')
    expect(await leadOf(site, lead)).toMatchObject({ provider_id: clinic, match_kind: 'chosen' })
  })

  it('shows the clinic in the first screen of a phone or a desktop, and again below it', async () => {
    const page = await site.open(home, { expectErrors: CALM })
    for (const { width, height } of [
      { width: 390, height: 844 },
      { width: 1440, height: 900 },
    ]) {
      await page.setViewportSize({ width, height })
      const hero = page.getByRole('main').locator('> div').first()
      const inFirstScreen = [hero.getByText('Quill Clinic', { exact: true }), hero.getByText('Denver, CO')]
      for (const part of [...inFirstScreen, hero.getByRole('link', { name: '(512) 555-0100' })]) {
        const box = await part.boundingBox()
        expect((box?.y ?? Number.NaN) + (box?.height ?? 0), `${await part.textContent()} at ${width}`).toBeLessThan(
          height,
        )
      }
    }
    const headings = await page.getByRole('main').getByRole('heading', { level: 2 }).allInnerTexts()
    expect(headings[1]?.replace(/\s+/g, ' ').toLowerCase()).toBe('your clinic: quill clinic')

    const section = page.getByRole('region', { name: /^Your clinic/ })
    await section.scrollIntoViewIfNeeded()
    await section.getByText('Free consultation').waitFor()
    await section.getByText('Financing').waitFor()
    await section.getByRole('link', { name: 'Directions' }).waitFor()
  })

  it('keeps its name through every click, and opens the map at it', async () => {
    const page = await site.open(`/microsite?providerId=${plain}`)
    await wake(page)
    await page.getByRole('banner').getByRole('link', { name: 'Provider Map' }).click()
    await page.waitForURL(`${site.url}/map?providerId=${plain}&provider=${plain}`)
    await page.getByRole('banner').getByText('Dr. Anders Holt').click()
    await page.waitForURL(`${site.url}/?providerId=${plain}`)
    await isSiteOf(page, 'Dr. Anders Holt')
  })

  it('is also on the main host by its id, with what the clinic offers', async () => {
    const lead = leadForm()
    const page = await site.open(`/microsite?providerId=${plain}`)
    await isSiteOf(page, 'Dr. Anders Holt')
    await page.getByRole('heading', { name: 'Find Out If You Qualify Now:', exact: true }).waitFor()
    expect(await page.getByText('Affordable, Flexible Payment Plans').count()).toBe(0)
    await page.goto(`/?providerId=${plain}`)
    await isSiteOf(page, 'Dr. Anders Holt')
    await wake(page)
    await fillIn(page, lead)
    await submitButton(page).click()
    await page.waitForURL(`${site.url}/success?providerId=${plain}`)
    expect(await leadOf(site, lead)).toMatchObject({ provider_id: plain, match_kind: 'chosen' })
  })

  it('is looked up by the browser while the server cannot find out whose it is', async () => {
    const lead = leadForm()
    const page = await site.open('/terms')
    const held = await holdCalls(page, `**/api/providers/${clinic}`)
    site.gateway.block()
    try {
      await page.goto(`/?providerId=${clinic}`)
      await page.getByText('Loading...', { exact: true }).waitFor()
      await expect.poll(held.calls).toBe(1)
      await comesAlive(page.getByText('Loading...', { exact: true }))
    } finally {
      site.gateway.unblock()
    }
    held.release()
    await isSiteOf(page, 'Quill Clinic')
    await fillIn(page, lead)
    await submitButton(page).click()
    await page.waitForURL(`${site.url}/success?providerId=${clinic}`)
    expect(await leadOf(site, lead)).toMatchObject({ provider_id: clinic })
  })

  it('is looked up by its host where the server has rendered nothing, and nobody is asked on the main host', async () => {
    const page = await site.open(`${home}terms`, { expectErrors: CALM })
    const held = await holdCalls(page, `**/api/providers/domain/${HOST}`)
    await openUnrendered(site, page, home)
    await page.getByText('Loading...', { exact: true }).waitFor()
    held.release()
    await isSiteOf(page, 'Quill Clinic')

    const calls = apiCalls(page.context())
    await openUnrendered(site, page, site.url)
    await page.getByRole('heading', { name: 'Find a provider near you' }).waitFor()
    expect(calls).toEqual([])
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

/** Opens the home page as it comes when it could not be rendered: empty, for the browser to draw. */
async function openUnrendered(site: BrowserSite, page: Page, home: string): Promise<void> {
  // The staff's pages always come so. Not every system knows the names under localhost that browsers know.
  const response = await page.request.get(`${site.url}/admin`)
  await page.route(new URL('/', home).href, (route) => route.fulfill({ response }))
  await page.goto(home)
}
