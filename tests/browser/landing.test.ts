import { beforeAll, expect, it } from 'vitest'
import { createProvider, leadForm } from '../support/factories.ts'
import { waitFor } from '../support/wait.ts'
import { type BrowserSite, describeInBrowser } from './browser.ts'
import { chunk } from './form-actions.ts'
import { field, filledIn, fillIn, holdCalls, mailTo, signIn, submitButton, wake } from './page-actions.ts'

const FARAWAY = '99901' // Ketchikan, Alaska

describeInBrowser('a visitor', (site) => {
  let austin: number
  beforeAll(async () => {
    const clinic = { name: 'Dr. Rosa Quill', practice_name: 'Quill Clinic', email: 'rosa@clinics.example' }
    austin = (await createProvider(site.db, { ...clinic, website: 'quill.example', phone: '(512) 555-0177' })).id
  })

  it('sends the form: the clinic, the visitor and the CRM are told, and staff see it', async () => {
    const lead = leadForm({ last_name: 'Quillfeather' })
    const page = await site.open('/')
    const held = await holdCalls(page, '**/api/leads')
    await wake(page)
    await fillIn(page, lead)
    await page.getByRole('button', { name: 'Get Started Now!', exact: true }).click()

    await page.getByRole('button', { name: 'Wait! Submitting...', exact: true }).waitFor()
    expect(await submitButton(page).isDisabled()).toBe(true)
    held.release()

    await page.waitForURL(`${site.url}/success?providerId=${austin}`)
    await page
      .getByText("We've sent your contact info to the provider below—stay tuned for their call!", { exact: true })
      .waitFor()
    await page.getByRole('heading', { name: 'Your Path to Natural Male Enhancement Has Begun!' }).waitFor()
    const card = page.getByRole('region', { name: 'Provider Near You:' })
    await card.getByText('Dr. Rosa Quill', { exact: true }).waitFor()
    await card.getByText('Quill Clinic', { exact: true }).waitFor()
    await card.getByText('1 Main Street, 78701').waitFor()
    expect(await card.getByRole('link', { name: '(512) 555-0177' }).getAttribute('href')).toBe('tel:+15125550177')
    expect(await card.getByRole('link', { name: 'Visit Website' }).getAttribute('href')).toBe('https://quill.example')

    const toClinic = await mailTo(site.smtp, 'rosa@clinics.example')
    expect(toClinic.text).toContain('Quillfeather')
    expect(toClinic.text).toContain(lead.phone)
    expect((await mailTo(site.smtp, lead.email)).text).toContain('Quill Clinic')

    const [stored] = await leadsOf(site, lead.email)
    expect(stored).toMatchObject({ provider_id: austin, match_kind: 'nearest', zip_code: lead.zip_code })
    const event = await crmEvent(site, lead.email)
    expect(event).toMatchObject({ type: 'lead.created', data: { lead: { id: stored?.id }, provider: { id: austin } } })

    const staff = await site.open('/admin?tab=leads')
    await signIn(staff)
    const row = staff.getByRole('row').filter({ hasText: lead.email })
    await row.getByText('Dr. Rosa Quill').waitFor()
    await row.getByText('Success', { exact: true }).waitFor()
  })

  it('gets the whole page laid out without touching it, at an address without what an earlier visit left', async () => {
    const page = await site.open(`/?success=true&utm_source=news&error=1`)
    await page.waitForURL(`${site.url}/?utm_source=news`)
    const disclaimer = page.getByRole('contentinfo').locator('p').first()
    await waitFor('the layout of the footer', () =>
      disclaimer.evaluate((node) => node.checkVisibility({ contentVisibilityAuto: true })),
    )
    await waitFor('all pictures', () => page.evaluate(() => [...document.images].every(({ complete }) => complete)))
  })

  it.each([390, 768, 1440])('sees the dial beside the words, not behind the form, at %i px', async (width) => {
    const page = await site.open('/', { width })
    const [dial, card, claim] = await Promise.all(
      [page.locator('main svg:has(#orb-disc)'), page.locator('#provider-form'), page.locator('h1')].map((element) =>
        element.evaluate((node) => {
          const { left, top, right, bottom } = node.getBoundingClientRect()
          return { left, top, right, bottom, middle: (top + bottom) / 2 }
        }),
      ),
    )
    if (!dial || !card || !claim) throw new Error('One of them is missing.')
    // The disc is the inner 45 % of the drawing.
    const discLeft = (dial.left + dial.right) / 2 - 0.225 * (dial.right - dial.left)
    const edge = dial.middle < card.top ? width : card.left
    expect(edge - discLeft, 'visible part of the disc').toBeGreaterThan(60)
    expect(dial.middle).toBeGreaterThan(0)
    expect(dial.middle).toBeLessThan(900)
    expect(claim.left).toBe(width < 1024 ? card.left : claim.left)
  })

  it('is told when nobody is in reach, and so is the team', async () => {
    const lead = leadForm({ zip_code: FARAWAY })
    const page = await site.open('/')
    await fillIn(page, lead)
    await submitButton(page).click()

    await page.waitForURL(`${site.url}/success?noProvider=true`)
    await page.getByText('No Provider Found Yet', { exact: true }).waitFor()
    await waitFor('the mail to the team', () => site.smtp.mails.some(({ subject }) => subject?.includes(FARAWAY)))
    expect((await mailTo(site.smtp, lead.email)).subject).toBe('We have received your request')
    expect((await crmEvent(site, lead.email)).data.provider).toBeNull()
  })

  it('does everything with the keyboard', async () => {
    const lead = leadForm()
    const page = await site.open('/')
    const focused = () => page.evaluate(() => document.activeElement?.textContent || document.activeElement?.id)
    const press = (key: string) => page.keyboard.press(key)

    await press('Tab')
    expect(await focused()).toBe('Skip to content')
    await press('Enter')
    expect(await page.getByRole('form').count()).toBe(1)
    await press('Tab')
    expect(await focused()).toBe('Claim Your FREE Consultation')
    await press('Enter')
    for (const text of [lead.first_name, lead.last_name, lead.email, lead.phone, lead.zip_code]) {
      await page.keyboard.type(text)
      await press('Tab')
    }
    await press('Space')
    expect(await filledIn(page)).toMatchObject({ last_name: lead.last_name, acceptance_consent: true })
    await press('Tab')
    await press('Enter')

    await page.waitForURL(`${site.url}/success?providerId=${austin}`)
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
    expect(await leadsOf(site, lead.email)).toHaveLength(1)
  })

  it.each([{ when: 'from the thank-you page' }, { when: 'before the thank-you page has come', isEarly: true }])(
    'goes back $when and sends the same again: that makes no second lead',
    async ({ isEarly = false }) => {
      const lead = leadForm()
      const page = await site.open('/')
      await wake(page)
      const nextPage = isEarly ? await holdCalls(page, chunk('success-page')) : undefined
      await fillIn(page, lead)
      await submitButton(page).click()
      await page.waitForURL(/success/)
      if (!isEarly) await page.getByText('Dr. Rosa Quill', { exact: true }).waitFor()
      await mailTo(site.smtp, lead.email)

      await page.goBack()
      // The form is a new one, or still the same with all that was typed.
      await expect.poll(() => field(page, 'Phone').inputValue()).toBe(isEarly ? lead.phone : '')
      await fillIn(page, lead)
      expect(await filledIn(page)).toMatchObject({ email: lead.email, phone: lead.phone })
      await submitButton(page).click()
      nextPage?.release()
      await page.waitForURL(`${site.url}/success?providerId=${austin}`)
      await page.getByText('Dr. Rosa Quill', { exact: true }).waitFor()

      const [stored, ...others] = await leadsOf(site, lead.email)
      expect(others).toEqual([])
      expect(await site.db('jobs').where('lead_id', stored?.id)).toHaveLength(3)
    },
  )
})

function leadsOf({ db }: BrowserSite, email: string) {
  return db('leads').where('email', email).select('*')
}

function crmEvent({ crm }: BrowserSite, email: string) {
  return waitFor('the CRM to be told', () => crm.events.find(({ data }) => data.lead.email === email))
}
