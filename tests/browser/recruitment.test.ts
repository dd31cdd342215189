import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { brand } from '../../core/brand/brand.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../core/contract/time.ts'
import { applicationForm, createProvider } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import {
  AUSTIN,
  comesAlive,
  DENVER,
  focused,
  holdCalls,
  isInSight,
  mailTo,
  openNetwork,
  pins,
  TILES,
  wake,
  zooms,
} from './page-actions.ts'

const PLAYER = new URL(brand.providerVideoUrl).origin
const _OFFER = 14 * DAY + 23 * HOUR + 59 * MINUTE + 52 * SECOND

const FIELDS = [
  ['Name', 'name'],
  ['Practice Name', 'practice_name'],
  ['Email', 'email'],
  ['Phone', 'phone'],
  ['Zip Code', 'zip_code'],
  ['Website (optional)', 'website'],
  ['Message (optional)', 'message'],
] as const

describeInBrowser('the page for clinics', (site) => {
  beforeAll(async () => {
    await createProvider(site.db, { practice_name: 'Quill Clinic', name: 'Dr. Rosa Quill', ...AUSTIN })
    await createProvider(site.db, { practice_name: 'Closed Clinic', ...DENVER, status: 'f' })
    await createProvider(site.db, { practice_name: 'Nowhere Clinic' })
  })

  const form = (page: Page) => page.getByRole('form', { name: 'Provider application' })

  it('takes an application: two emails, the ledger, and the dashboard, where it is resent and deleted', async () => {
    const application = applicationForm({ website: 'calloway.example' })
    site.smtp.answer((to) => (to === application.email ? { status: 550, text: 'no such box' } : 'accept'))
    const page = await site.open('/clinics')
    await page.getByRole('link', { name: 'Start Your Application' }).click()
    await isInSight(page.getByRole('heading', { name: 'Apply to Join the Network' }))
    await wake(page)
    for (const [label, name] of FIELDS) {
      await form(page)
        .getByLabel(label, { exact: true })
        .fill(application[name] ?? '')
    }
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Submit Your Application' }).click()
    const received = page.getByRole('heading', { name: 'Application received' })
    await received.waitFor()
    expect(await received.evaluate((heading) => heading === document.activeElement)).toBe(true)

    const [stored] = await site.db('provider_applications').where('email', application.email)
    expect(stored).toMatchObject({
      website: 'https://calloway.example',
      message: application.message,
      held_reason: null,
    })
    expect(await site.db('application_consents').where('application_id', stored?.id).first()).toMatchObject({
      wording: application.acceptance_message,
      page_url: `${site.url}/clinics`,
    })
    const toTeam = await mailTo(site.smtp, 'team@leadwell.example')
    expect(toTeam.subject).toBe(`New provider application: ${application.practice_name} (${application.zip_code})`)

    const staff = await site.open('/admin?tab=applications', { staff: true })
    const row = staff.getByRole('row').filter({ hasText: application.email })
    await row.getByText('Failed', { exact: true }).waitFor()
    await row.getByRole('button', { name: application.practice_name }).click()
    const panel = staff.getByRole('complementary', { name: application.practice_name })
    await panel.getByText('An email could not be delivered.').waitFor()
    site.smtp.answer('accept')
    await panel.getByRole('button', { name: 'Resend Email' }).click()
    expect((await mailTo(site.smtp, application.email)).subject).toContain('We have received your application')
    await panel.getByText('Sent', { exact: true }).waitFor()
    expect(
      await site
        .db('jobs')
        .where({ subject_kind: 'application', subject_id: stored?.id, state: 'done' })
        .pluck('purpose'),
    ).toEqual(expect.arrayContaining(['applicant', 'team']))

    await panel.getByRole('button', { name: 'Delete' }).click()
    await staff.getByRole('dialog').getByRole('button', { name: 'Delete application' }).click()
    await panel.waitFor({ state: 'detached' })
    await expect.poll(() => site.db('provider_applications').where({ id: stored?.id })).toEqual([])
  })

  it.each([
    { what: 'without JavaScript', isWithout: true },
    { what: 'while no script has come', isWithout: false },
  ])(
    'carries three fields to the whole form $what, and puts no personal data into an address',
    async ({ isWithout }) => {
      const page = await site.blank({ width: 390, context: { javaScriptEnabled: !isWithout } })
      const addresses: string[] = []
      page.on('request', (request) => addresses.push(request.url()))
      const held = isWithout ? undefined : await holdCalls(page, /\.js$/)
      await page.goto('/clinics', { waitUntil: 'commit' })
      await page.getByLabel('Your Name').fill('Dr. Ines "Zoë" Calloway')
      await page.getByLabel('Your Email').fill('ines@clinics.example')
      await page.getByLabel('Practice Zip Code').fill('78701')
      await page.getByRole('button', { name: 'Continue' }).click()
      await expect.poll(() => form(page).getByLabel('Zip Code').inputValue()).toBe('78701')
      expect(await form(page).getByLabel('Email', { exact: true }).inputValue()).toBe('ines@clinics.example')
      expect(await page.locator('[aria-invalid="true"]').count()).toBe(0)
      await isInSight(form(page).getByLabel('Practice Name'))
      await expect.poll(() => focused(page)).toBe('practice_name')
      expect(addresses.filter((address) => /calloway|ines|78701/i.test(address))).toEqual([])

      held?.release()
      if (isWithout) return
      await expect.poll(() => page.url()).toBe(`${site.url}/clinics`)
      await comesAlive(form(page))
      expect(await form(page).getByLabel('Name', { exact: true }).inputValue()).toBe('Dr. Ines "Zoë" Calloway')
    },
  )

  it('leads to its sections, and on a phone has its button in sight except where somebody types', async () => {
    const page = await site.open('/clinics')
    const header = page.getByRole('banner')
    const applyBar = page.locator('[data-apply]')
    await comesAlive(page.getByRole('button', { name: /^Play video/ }))
    for (const [label, target] of [
      ['Reasons', '#key-points'],
      ['FAQ', '#faq'],
      ['Apply Now', '#provider-form'],
    ] as const) {
      await header.getByRole('link', { name: label, exact: true }).click()
      await isInSight(page.locator(`${target} h2`))
      await expect.poll(() => focused(page)).toBe(target.slice(1))
    }
    expect(await applyBar.isVisible()).toBe(false)

    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/clinics#special-offer')
    await isInSight(page.locator('#special-offer h2'))
    const bottom = () => applyBar.evaluate((bar) => bar.parentElement?.getBoundingClientRect().bottom)
    await expect.poll(bottom).toBe(844)
    await page.getByLabel('Your Name').click()
    await expect.poll(() => applyBar.isVisible()).toBe(false)
    await page.getByLabel('Your Name').blur()
    await applyBar.click()
    await isInSight(page.locator('#provider-form h2'))
  })

  it('asks the video platform for nothing before somebody wants to see the film', async () => {
    const page = await site.blank({ expectErrors: new RegExp(`foreign host: ${PLAYER}/`) })
    const asked: string[] = []
    await page.route(`${PLAYER}/**`, (route) => {
      asked.push(route.request().url())
      return route.fulfill({ contentType: 'text/html', body: '<title>Player</title>' })
    })
    await page.goto('/clinics')
    const play = page.getByRole('button', { name: /^Play video/ })
    await comesAlive(play)
    await play.scrollIntoViewIfNeeded()
    await page.waitForLoadState('networkidle')
    expect(asked).toEqual([])
    expect(await page.locator('iframe').count()).toBe(0)

    await play.press('Enter')
    await expect.poll(() => asked).toEqual([`${brand.providerVideoUrl}?autoplay=1`])
    const frame = page.locator('iframe')
    expect(await frame.getAttribute('title')).toBeTruthy()
    expect(await frame.evaluate((element) => element === document.activeElement)).toBe(true)
  })

  it('loads its map when somebody comes near, leaves the mouse wheel to the page, and names no clinic', async () => {
    const page = await site.blank({ context: { geolocation: AUSTIN, permissions: ['geolocation'] } })
    const calls: string[] = []
    page.on('request', (request) => calls.push(request.url()))
    await page.goto('/clinics')
    await comesAlive(page.getByRole('button', { name: /^Play video/ }))
    await page.getByText('Loading provider map...').waitFor({ state: 'attached' })
    expect(calls.filter((url) => url.includes('/api/') || TILES.test(url))).toEqual([])

    const network = await openNetwork(page)
    await network.getByRole('status').getByText('2 certified providers', { exact: true }).waitFor()
    await expect.poll(() => pins(page).count()).toBe(2)
    await network.locator('.leaflet-container').hover()
    const before = await page.evaluate(() => window.scrollY)
    await page.mouse.wheel(0, -300)
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeLessThan(before)
    expect(await zooms(page)).toEqual([4])
    await page.locator('img.leaflet-marker-icon[src$="/pin.svg"]').press('Enter')
    await expect.poll(() => network.locator('.leaflet-popup-content').textContent()).toBe('Certified Provider')
    expect(await page.getByText(/Quill/).count()).toBe(0)

    await network.getByRole('button', { name: 'Find Providers Near Me' }).click()
    await network.getByTitle('Your Location').waitFor()
    await expect.poll(() => zooms(page)).toEqual([8])
  })
})

/** What the offer says is left, in milliseconds. */
async function _timeLeft(page: Page): Promise<number> {
  const shown = await page.getByRole('timer').locator('.tabular-nums').allTextContents()
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = shown.map(Number)
  return days * DAY + hours * HOUR + minutes * MINUTE + seconds * SECOND
}
