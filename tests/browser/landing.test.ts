import { beforeAll, expect, it } from 'vitest'
import { createProvider, leadForm } from '../support/factories.ts'
import { waitFor } from '../support/wait.ts'
import { type BrowserSite, describeInBrowser } from './browser.ts'
import { filledIn, fillIn, holdCalls, isInSight, mailTo, signIn, submitButton, wake } from './page-actions.ts'

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
    expect(await card.getByRole('link', { name: '(512) 555-0177' }).getAttribute('href')).toBe('tel:5125550177')
    expect(await card.getByRole('link', { name: 'Visit Website' }).getAttribute('href')).toBe('https://quill.example')

    const toClinic = await mailTo(site.smtp, 'rosa@clinics.example')
    expect(toClinic.text).toContain('Quillfeather')
    expect(toClinic.text).toContain(lead.phone)
    expect((await mailTo(site.smtp, lead.email)).text).toContain('Quill Clinic')

    const [stored] = await leadsOf(site, lead.email)
    expect(stored).toMatchObject({ provider_id: austin, match_kind: 'nearest', zip_code: lead.zip_code })
    const event = await crmEvent(site, lead.email)
    expect(event).toMatchObject({ type: 'lead.created', data: { lead: { id: stored.id }, provider: { id: austin } } })

    const staff = await site.open('/admin')
    await signIn(staff)
    const row = staff.getByRole('row').filter({ hasText: lead.email })
    await row.getByText('Dr. Rosa Quill').waitFor()
    await row.getByText('Success', { exact: true }).waitFor()
  })

  it('gets the whole page laid out, also without touching it', async () => {
    const page = await site.open('/')
    const disclaimer = page.getByRole('contentinfo').locator('p').first()
    await waitFor('the layout of the footer', () =>
      disclaimer.evaluate((node) => node.checkVisibility({ contentVisibilityAuto: true })),
    )
    await waitFor('all pictures', () => page.evaluate(() => [...document.images].every(({ complete }) => complete)))
  })

  it('chooses a clinic by the address of the page, however far it is', async () => {
    const { id } = await createProvider(site.db, {
      name: 'Dr. Anders Holt',
      zip_code: '80202',
      email: 'a@holt.example',
    })
    const lead = leadForm()
    const page = await site.open(`/?providerId=${id}`)
    await page.getByText('Click to find out if you qualify for treatment.', { exact: true }).waitFor()
    await fillIn(page, lead)
    await page.getByRole('button', { name: 'Learn More!', exact: true }).click()

    await page.waitForURL(`${site.url}/success?providerId=${id}`)
    await page.getByText('Dr. Anders Holt', { exact: true }).waitFor()
    await mailTo(site.smtp, 'a@holt.example')
    expect(await leadsOf(site, lead.email)).toMatchObject([{ provider_id: id, match_kind: 'chosen' }])
  })

  it('is told when nobody is in reach, and so is the team', async () => {
    const lead = leadForm({ zip_code: FARAWAY })
    const page = await site.open('/')
    await fillIn(page, lead)
    await submitButton(page).click()

    await page.waitForURL(`${site.url}/success?noProvider=true`)
    for (const text of [
      "We've received your information and our team will search for providers in your area!",
      'Your Path to Natural Male Enhancement Has Begun!',
      'No Provider Found Yet',
      "We'll continue searching for providers in your area",
    ]) {
      await page.getByText(text, { exact: true }).waitFor()
    }
    await page.getByText(/ask a men’s clinic near you to become certified/).waitFor()
    expect(await page.getByRole('link', { name: 'Order Your Starter Kit' }).getAttribute('href')).toMatch(/^https:/)
    expect(await page.getByText('Provider Near You:').count()).toBe(0)

    expect((await mailTo(site.smtp, 'team@velmora.example')).subject).toContain(FARAWAY)
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
      await press('Tab')
      await page.keyboard.type(text)
    }
    await press('Tab')
    await press('Space')
    expect(await filledIn(page)).toMatchObject({ last_name: lead.last_name, acceptance_consent: true })
    await press('Tab')
    await press('Enter')

    await page.waitForURL(`${site.url}/success?providerId=${austin}`)
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
    expect(await leadsOf(site, lead.email)).toHaveLength(1)
  })

  it('goes back and sends the same again: that makes no second lead', async () => {
    const lead = leadForm()
    const page = await site.open('/')
    await wake(page)
    await fillIn(page, lead)
    await submitButton(page).click()
    await page.waitForURL(/success/)
    await mailTo(site.smtp, lead.email)

    await page.goBack()
    await fillIn(page, lead)
    await submitButton(page).click()
    await page.waitForURL(`${site.url}/success?providerId=${austin}`)
    await page.getByText('Dr. Rosa Quill', { exact: true }).waitFor()

    const [stored, ...others] = await leadsOf(site, lead.email)
    expect(others).toEqual([])
    expect(await site.db('jobs').where('lead_id', stored.id)).toHaveLength(3)
  })

  it('finds what an earlier visit left in the address removed, and the rest kept', async () => {
    const page = await site.open(`/?success=true&utm_source=news&error=1&providerId=${austin}`)
    await page.waitForURL(`${site.url}/?utm_source=news&providerId=${austin}`)
    await page.getByRole('button', { name: 'Learn More!' }).waitFor()
  })

  it('comes from the banner to the form', async () => {
    const page = await site.open('/', { width: 390 })
    await page
      .getByRole('link', { name: 'NEW ... Increase Size! No Surgery. No Fillers. Just Results.', exact: true })
      .click()
    await isInSight(page.getByRole('heading', { name: 'Find a provider near you' }))
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).name)).toBe('first_name')
  })

  it('comes from the banner of another page to the form', async () => {
    const page = await site.open('/success?noProvider=true', { width: 390 })
    await page.getByRole('link', { name: /^NEW/ }).click()
    await page.waitForURL(`${site.url}/#provider-form`)
    await submitButton(page).waitFor()
    await isInSight(page.getByRole('heading', { name: 'Find a provider near you' }))
  })

  it('sees that a provider is being loaded, and then the provider', async () => {
    const page = await site.open('/')
    const held = await holdCalls(page, `**/api/providers/${austin}`)
    await wake(page)
    await fillIn(page, leadForm())
    await submitButton(page).click()
    await page.getByText('Loading provider information...', { exact: true }).waitFor()
    held.release()
    await page.getByText('Dr. Rosa Quill', { exact: true }).waitFor()
  })

  it('is told that there is no information about an unknown provider', async () => {
    const page = await site.open('/', { expectErrors: /status of 404/ })
    for (const id of ['999999', 'abc', '']) {
      await page.goto(`/success?providerId=${id}`)
      await page.getByText('Provider information not available.', { exact: true }).waitFor()
    }
  })

  it("sees the clinic's picture, or its first letter when the picture is broken", async () => {
    const picture = await createProvider(site.db, { name: 'Dr. Iris Vale', image_url: '/demo/clinic-1.svg' })
    const broken = await createProvider(site.db, { name: 'Omar Reyes', image_url: '/demo/gone.svg' })

    const page = await site.open(`/success?providerId=${picture.id}`, { expectErrors: /status of 404/ })
    const image = page.getByRole('region', { name: 'Provider Near You:' }).locator('img')
    await waitFor('the picture', () => image.evaluate((element) => (element as HTMLImageElement).naturalWidth > 0))

    await page.goto(`/success?providerId=${broken.id}`)
    await page.getByText('O', { exact: true }).waitFor()
  })

  it('is told that a page does not exist', async () => {
    const page = await site.open('/no/such/page', { expectErrors: /status of 404/ })
    await page.getByRole('heading', { name: 'Page Not Found', exact: true }).waitFor()
    await page.getByText('Did you forget to add the page to the router?', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Go to the home page' }).click()
    await submitButton(page).waitFor()
  })
})

function leadsOf({ db }: BrowserSite, email: string) {
  return db('leads').where('email', email).select('*')
}

function crmEvent({ crm }: BrowserSite, email: string) {
  return waitFor('the CRM to be told', () => crm.events.find(({ data }) => data.lead.email === email))
}
