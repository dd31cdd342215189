import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { pages } from '../../web/pages.ts'
import { createProvider, leadForm } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import { cutTexts, isUsableByEverybody, overflow } from './inspect-page.ts'
import { AUSTIN, CALL, comesAlive, fillInPerson, hasFocus, pins, submitButton, wake } from './page-actions.ts'

const CONSENT_MISSING = 'You must agree to receive communications to continue.'
const HOST = 'clinic.localhost'
const PHONE = 390
const DESKTOP = 1280

/**
 * Every page for visitors, and its states that look different: a name, an address, the width at which the page comes alive,
 * and what brings it into the state.
 */
const VISITS: [
  what: string,
  visits: [name: string, path: string, width: number, prepare?: (page: Page) => unknown][],
][] = [
  [
    'the landing page',
    [
      ['landing page', '/', DESKTOP, wake],
      ['errors in the form, an open question, the calculator at its limits', '/', PHONE, useLandingPage],
      ['the open menu', '/', PHONE, (page) => page.getByRole('button', { name: 'Open menu' }).click()],
      ['the dialog of a policy', '/?utm_source=news#faq', PHONE, openPolicy],
    ],
  ],
  [
    'the forms in two steps',
    [
      [
        'quiz, step 1 with an error and its toast',
        '/start',
        PHONE,
        (page) => refuse(page, 'Please enter a valid 5-digit zip code'),
      ],
      ['quiz, step 2 with errors', '/start?zip_code=78701', DESKTOP, (page) => refuse(page, CONSENT_MISSING)],
      ['quiz, a request that did not go through', '/start?zip_code=78701', PHONE, failToSend],
      ['search, step 1', '/homev2', DESKTOP, wake],
      ['search, step 2', '/homev2?zip_code=78701&providerId=1', PHONE, (page) => refuse(page, CONSENT_MISSING)],
    ],
  ],
  [
    'a clinic’s site',
    [
      ['by host, with everything', `http://${HOST}/`, DESKTOP, wake],
      ['by id, with as little as can be', '/microsite?providerId=2', PHONE, wake],
      ['by id, with long names and errors', '/?providerId=3', PHONE, (page) => refuse(page, 'First name is required')],
      ['of nobody', '/?providerId=999999', PHONE],
    ],
  ],
  [
    'the thank-you page',
    [
      ['with a provider', '/success?providerId=1', DESKTOP],
      ['with a provider with a long name, without picture and phone', '/success?providerId=3', PHONE],
      ['without a provider', '/success?noProvider=true', PHONE],
    ],
  ],
  [
    'the map, the page for clinics, and what leads nowhere',
    [
      ['map', '/map', DESKTOP, (page) => page.getByRole('heading', { name: 'All clinics' }).waitFor()],
      ['page for clinics', '/clinics', PHONE, (page) => comesAlive(page.locator('#provider-form form'))],
      ['no such page', '/no/such/page', PHONE],
    ],
  ],
]

const visited = new Set(VISITS.flatMap(([, visits]) => visits.map(([, path]) => path.split(/[?#]/)[0])))
const others = Object.entries(pages).filter(([, { path, rendered }]) => rendered !== 'browser' && !visited.has(path))
VISITS.push(['what needs no preparation', others.map(([name, { path }]) => [name, path, PHONE])])

describeInBrowser('every page for visitors', (site) => {
  beforeAll(async () => {
    await createProvider(site.db, {
      name: 'Dr. Rosa Quill',
      practice_name: 'Quill Clinic',
      website: 'quill.example',
      image_url: '/demo/clinic-1.svg',
      logo_url: '/demo/logo-austin.svg',
      domain: HOST,
      accepts_financing: true,
      accepts_free_consultation: true,
      ...AUSTIN,
    })
    await createProvider(site.db, { domain: 'plain.localhost', practice_name: null, address: null, phone: null })
    await createProvider(site.db, {
      name: 'Dr. Wolfeschlegelsteinhausenbergerdorff Castellano-Abernathy, MD, FACS',
      practice_name: 'Northgate Wellness & Urology Partners of Greater Buffalo and the Niagara Frontier',
      address: '100 Northeast Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch Boulevard, Suite 1200',
      phone: null,
      latitude: 42.88,
      longitude: -78.88,
    })
  })

  it.each(VISITS)('comes alive without a complaint, and can be used by everybody: %s', async (_, visits) => {
    // No such page or clinic; a link in an email without its token; a call that a test lets fail.
    const page = await site.blank({ expectErrors: /status of 4(04|22)|ERR_FAILED/ })
    for (const [name, path, width, prepare] of visits) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto(path.replace(`http://${HOST}/`, site.urlOf(HOST, '/')), { waitUntil: 'domcontentloaded' })
      await comesAlive(page.getByRole('heading', { level: 1 }))
      await prepare?.(page)
      await isUsableByEverybody(page, name)
    }
  })

  it('is of use to readers who space its text widely, in the narrowest window', async () => {
    const page = await site.blank({ width: 320 })
    for (const path of ['/', '/start', '/microsite?providerId=1', '/map', '/clinics', '/success?noProvider=true']) {
      await page.goto(path, { waitUntil: 'domcontentloaded' })
      await spaceWidely(page)
      await expect.poll(() => overflow(page), { message: `what sticks out of ${path}` }).toBe(0)
      expect(await cutTexts(page), `what is cut off on ${path}`).toEqual([])
    }
  })

  it('is of use to the keyboard on the map: Space presses, a popup follows its pin and gives the focus back', async () => {
    const page = await site.open('/map?zip=78702')
    const pin = pins(page).and(page.getByRole('button', { name: /^Quill Clinic/ }))
    await pin.focus()
    await page.keyboard.press('Space')
    const popup = page.getByRole('dialog', { name: /^Quill Clinic/ })
    const request = popup.getByRole('link', { name: /^Request consultation/ })
    await request.waitFor()
    await hasFocus(popup)
    await page.keyboard.press('Tab')
    await hasFocus(request)
    await popup.getByRole('button', { name: 'Close popup' }).press('Space')
    await popup.waitFor({ state: 'detached' })
    await hasFocus(pin)
    await pin.press('Enter')
    await request.press('Escape')
    await popup.waitFor({ state: 'detached' })
    await hasFocus(pin)

    const before = await page.evaluate(() => window.scrollY)
    await page.getByRole('button', { name: 'Zoom out' }).press('Space')
    await page.getByRole('heading', { name: 'In this part of the map' }).waitFor()
    expect(await page.evaluate(() => window.scrollY)).toBe(before)
  })

  it('shows what is chosen by more than a color, where colors are forced', async () => {
    const page = await site.open('/map', { width: PHONE, context: { forcedColors: 'active' } })
    const look = (label: string) =>
      page.getByText(label, { exact: true }).evaluate((node) => getComputedStyle(node).backgroundColor)
    expect(await look('List')).not.toBe(await look('Map'))

    const field = page.getByRole('combobox')
    await comesAlive(field)
    await field.fill('austin')
    await page.getByRole('option').nth(1).waitFor()
    await field.press('ArrowDown')
    const outlines = () =>
      page.getByRole('option').evaluateAll((options) => options.map((each) => getComputedStyle(each).outlineStyle))
    await expect.poll(async () => (await outlines()).slice(0, 2)).toEqual(['solid', 'none'])
  })
})

/** Sends an empty form. */
async function refuse(page: Page, problem: string): Promise<void> {
  await wake(page)
  await page.locator('#provider-form button[type="submit"]').click()
  await page.getByText(problem).first().waitFor()
}

async function failToSend(page: Page): Promise<void> {
  await wake(page)
  await page.route(CALL, (route) => route.abort())
  await fillInPerson(page, leadForm())
  await submitButton(page).click()
  await page.getByText('That did not go through.').waitFor()
  await page.unroute(CALL)
}

async function useLandingPage(page: Page): Promise<void> {
  await refuse(page, 'First name is required')
  await page.getByText('Is it safe?').click()
  await page.getByText('There were no adverse events among').waitFor()
  await page.getByLabel('Current length').fill('8')
  await page.getByText('9.04').waitFor()
}

async function openPolicy(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Terms and Conditions' }).click()
  await page.getByRole('dialog', { name: 'Terms and Conditions' }).getByText('Last updated').waitFor()
}

/** Spaces all text as WCAG 2.2, 1.4.12 says. */
async function spaceWidely(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.documentElement.dataset.whole = ''
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(
      '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }',
    )
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  })
}
