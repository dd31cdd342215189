import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import type { NewLead } from '../../core/contract/forms.ts'
import { describeInBrowser } from '../browser/browser.ts'
import { AUSTIN, field, leadOf, submitButton } from '../browser/page-actions.ts'
import { createProvider, leadForm } from '../support/factories.ts'
import { waitFor } from '../support/wait.ts'
import { countJobs, type Hand } from './count-actions.ts'

const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1440, height: 900 }
const ANSWER = /^Yes\. .* from you, in Austin, TX\.$/

describeInBrowser('a visitor’s journeys to a sent form', (site) => {
  const doJob = countJobs('A visitor: clicks (taps on a phone), texts and screens to a sent form')
  let quill: number

  beforeAll(async () => {
    const { id } = await createProvider(site.db, {
      name: 'Dr. Rosa Quill',
      practice_name: 'Quill Clinic',
      zip_code: '78702',
      email: 'desk@quill.example',
      ...AUSTIN,
    })
    quill = id
  })

  /** Opens a page in a window of that size. */
  async function visit(path: string, size: typeof PHONE): Promise<Page> {
    const context = { viewport: size, hasTouch: size === PHONE, isMobile: size === PHONE }
    return site.open(path, { context })
  }

  /** Taps each field and types into it, agrees, and sends. */
  async function fillInAndSend(hand: Hand, page: Page, lead: NewLead, { withZip = false, focused = false } = {}) {
    const fields = [
      ['First Name', lead.first_name],
      ['Last Name', lead.last_name],
      ['Email', lead.email],
      ['Phone', lead.phone],
      ...(withZip ? ([['Zip Code', lead.zip_code]] as const) : []),
    ] as const
    for (const [label, text] of fields) {
      if (!(focused && label === 'First Name')) await hand.click(field(page, label))
      await hand.type(text)
    }
    await hand.click(page.getByRole('checkbox'))
    await hand.click(submitButton(page))
    await page.waitForURL(/\/success\?providerId=/)
  }

  /** Checks that the lead is stored with its consent, and that the clinic is told of it. */
  async function arrives(lead: NewLead): Promise<void> {
    expect(await leadOf(site, lead)).toMatchObject({ provider_id: quill, consent: expect.anything() })
    await waitFor('the mail to the clinic', () =>
      site.smtp.mails.some(
        ({ recipients, text }) => recipients.includes('desk@quill.example') && text?.includes(lead.email),
      ),
    )
  }

  it('by the button of the home page, on a phone', async () => {
    const lead = leadForm()
    const page = await visit('/', PHONE)
    const most = { clicks: 8, texts: 5, screens: 2 }
    await doJob({ name: '`/`, phone', page, most }, async (hand) => {
      await hand.click(page.getByRole('link', { name: 'Claim Your FREE Consultation' }))
      await fillInAndSend(hand, page, lead, { withZip: true })
    })
    await arrives(lead)
  })

  it('by the zip code at the top of the home page, which is answered before any other question', async () => {
    const lead = leadForm()
    const page = await visit('/', PHONE)
    const answer = { name: '`/`, phone: is there a clinic?', page }
    await doJob({ ...answer, most: { clicks: 2, texts: 1, screens: 0.1 } }, async (hand) => {
      await hand.click(page.getByLabel('Is there a clinic near you? Enter your zip code'))
      await hand.type(lead.zip_code)
      await hand.click(page.getByRole('button', { name: 'Check my area' }))
      await page.getByText(ANSWER).waitFor()
    })
    const rest = { name: '… and then the form is sent', page, most: { clicks: 6, texts: 4, screens: 1 } }
    await doJob(rest, (hand) => fillInAndSend(hand, page, lead))
    await arrives(lead)
  })

  it('by the button of the home page, on a desktop', async () => {
    const lead = leadForm()
    const page = await visit('/', DESKTOP)
    const most = { clicks: 7, texts: 5, screens: 0.2 }
    await doJob({ name: '`/`, desktop', page, most }, async (hand) => {
      await hand.click(page.getByRole('link', { name: 'Claim Your FREE Consultation' }))
      await expect.poll(() => field(page, 'First Name').evaluate((node) => node === document.activeElement)).toBe(true)
      await fillInAndSend(hand, page, lead, { withZip: true, focused: true })
    })
    await arrives(lead)
  })

  it.each([
    { path: '/start', zip: 'Zip Code', next: 'Continue' },
    { path: '/homev2', zip: 'ZIP Code', next: 'Find Providers' },
  ])('by $path, on a phone, with an answer after the zip code', async ({ path, zip, next }) => {
    const lead = leadForm()
    const page = await visit(path, PHONE)
    const most = { clicks: 8, texts: 5, screens: 1 }
    await doJob({ name: `\`${path}\`, phone`, page, most }, async (hand) => {
      await hand.click(page.getByLabel(zip, { exact: true }))
      await hand.type(lead.zip_code)
      await page.getByText(ANSWER).waitFor()
      await hand.click(page.getByRole('button', { name: next }))
      await fillInAndSend(hand, page, lead)
    })
    await arrives(lead)
  })

  it.each([
    { device: 'phone', size: PHONE, screens: 1.6 },
    { device: 'desktop', size: DESKTOP, screens: 0.3 },
  ])('by a clinic’s own site, on a $device', async ({ device, size, screens }) => {
    const lead = leadForm()
    const page = await visit(`/microsite?providerId=${quill}`, size)
    const most = { clicks: 7, texts: 5, screens }
    await doJob({ name: `microsite, ${device}`, page, most }, (hand) =>
      fillInAndSend(hand, page, lead, { withZip: true }),
    )
    await arrives(lead)
  })

  it.each([
    { device: 'phone', size: PHONE },
    { device: 'desktop', size: DESKTOP },
  ])('by the map, on a $device', async ({ device, size }) => {
    const lead = leadForm()
    const page = await visit('/map', size)
    const most = { clicks: 10, texts: 6, screens: 3 }
    await doJob({ name: `map, ${device}`, page, most }, async (hand) => {
      await hand.click(page.getByRole('combobox', { name: /zip code or city/i }))
      await hand.type('78702')
      await hand.click(page.getByRole('button', { name: 'Search' }))
      await page.getByText('Nearest to Austin, TX 78702').waitFor()
      await hand.click(page.getByRole('link', { name: /Request consultation/ }).first())
      await page.waitForURL(/providerId=/)
      await fillInAndSend(hand, page, lead, { withZip: true })
    })
    await arrives(lead)
  })
})
