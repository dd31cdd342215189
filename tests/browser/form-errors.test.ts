import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { apiClient } from '../support/api-client.ts'
import { createProvider, leadForm } from '../support/factories.ts'
import { type BrowserSite, describeInBrowser } from './browser.ts'
import { CALL, chunk, fillInPerson, focused, leadOf, leadsOf, problemAt, problemAtField } from './form-actions.ts'
import { type FieldLabel, field, holdCalls, seesToast, wake } from './page-actions.ts'

const RATE = 3
const TOO_MANY = 'Too many forms came from your network. Please try again in a minute.'
const ZIP = '78702'

const MESSAGES: [FieldLabel, string, string][] = [
  ['First Name', '', 'First name is required'],
  ['Last Name', ' ', 'Last name is required'],
  ['Email', '', 'Email is required'],
  ['Email', 'jordan', 'Invalid email format'],
  ['Phone', '', 'Phone number is required'],
  ['Zip Code', '', 'Zip code is required'],
  ['Zip Code', '787', 'Please enter a valid 5-digit zip code'],
]

type FormUnderTest = { form: string; path: string; button: string; steps: 1 | 2 }

const LANDING: FormUnderTest = { form: 'the landing page', path: '/', button: 'Get Started Now!', steps: 1 }
const QUIZ: FormUnderTest = { form: 'the quiz', path: '/start', button: 'Continue', steps: 2 }
const FINDER: FormUnderTest = { form: 'the finder', path: '/homev2', button: 'Find My Provider', steps: 2 }
const MICROSITE: FormUnderTest = { form: 'a microsite', path: '/?providerId=1', button: 'Learn More!', steps: 1 }
const FORMS = [LANDING, QUIZ, FINDER, MICROSITE]

describeInBrowser(
  'a form that cannot be sent',
  (site) => {
    let clinic: number
    beforeAll(async () => {
      clinic = (await createProvider(site.db)).id
    })

    it('says at each field of the landing page what is wrong: when it is left, and when it is sent', async () => {
      const page = await open(site, LANDING)
      for (const [label, text, message] of MESSAGES) {
        await field(page, label).fill(text)
        await field(page, label).blur()
        await expect.poll(() => problemAtField(page, label), { message }).toBe(message)

        await field(page, label).fill(label === 'Email' ? 'jordan@visitors.example' : ZIP)
        await expect.poll(() => problemAtField(page, label), { message }).toBe('')
        await field(page, label).fill(text)
        await send(page, LANDING).click()
        await expect.poll(() => problemAtField(page, label), { message }).toBe(message)
        expect(await focused(page)).toBe('first_name')
      }
      expect(await page.locator('[aria-invalid="true"]').count()).toBe(6)
    })

    it.each([QUIZ, FINDER])(
      'says so at the fields of the second step of $form, and goes to the first',
      async (form) => {
        const page = await open(site, form)
        await toPerson(page, form)
        await send(page, form).click()

        await seesToast(page, 'Consent Required', 'You must agree to receive communications to continue.')
        for (const [label, text, message] of MESSAGES) {
          if (text === '' && label !== 'Zip Code') await expect.poll(() => problemAtField(page, label)).toBe(message)
        }
        expect(await problemAt(page.getByRole('checkbox'))).toBe(
          'You must agree to receive communications to continue.',
        )
        expect(await focused(page)).toBe('first_name')
      },
    )

    describe.each([LANDING, QUIZ])('$form', (form) => {
      it.each([
        {
          why: 'the server is down',
          expectErrors: /ERR_CONNECTION_REFUSED/,
          fail: (page: Page) => page.route(CALL, (route) => route.abort('connectionrefused')),
          mend: (page: Page) => page.unroute(CALL),
          message: 'Failed to submit form. Please try again later.',
        },
        {
          why: 'the database is away',
          expectErrors: /status of 503/,
          fail: () => site.gateway.block(),
          mend: () => site.gateway.unblock(),
          message: '503: We cannot save anything right now. Please try again in a moment.',
        },
        {
          why: 'the server has a fault',
          expectErrors: /status of 500/,
          fail: () => site.db.raw('alter table consents rename to consents_gone'),
          mend: () => site.db.raw('alter table consents_gone rename to consents'),
          message: '500: Something went wrong on our side. Please try again.',
        },
        {
          why: 'nothing is in the answer',
          expectErrors: undefined,
          fail: (page: Page) =>
            page.route(CALL, async (route) => route.fulfill({ response: await route.fetch(), body: '' })),
          mend: (page: Page) => page.unroute(CALL),
          message: 'No data received from server',
        },
      ])('says it when $why, keeps what was typed, and makes one lead when tried again', async (failure) => {
        const lead = leadForm()
        const page = await open(site, form, { expectErrors: failure.expectErrors })
        await fillInAll(page, form, lead)
        try {
          await failure.fail(page)
          await send(page, form).click()
          await seesToast(page, 'Error', failure.message)
        } finally {
          await failure.mend(page)
        }
        await hasKept(page, lead)

        await send(page, form).click()
        await page.waitForURL(`${site.url}/success?providerId=${clinic}`)
        expect(await leadOf(site, lead)).toMatchObject({ zip_code: ZIP })
      })

      it('says it when the server finds fields wrong, and goes to the first of them', async () => {
        const lead = leadForm()
        const page = await open(site, form, { expectErrors: /status of 422/ })
        await fillInAll(page, form, lead)
        await page.route(CALL, (route) =>
          route.continue({ postData: { ...route.request().postDataJSON(), phone: '', email: 'jordan' } }),
        )
        await send(page, form).click()

        await seesToast(page, 'Error', '422: ')
        expect(await problemAtField(page, 'Email')).toBe('Invalid email format')
        expect(await problemAtField(page, 'Phone')).toBe('Phone number is required')
        expect(await focused(page)).toBe('email')
        await hasKept(page, lead)

        await page.unroute(CALL)
        await send(page, form).click()
        await page.waitForURL(`${site.url}/success?providerId=${clinic}`)
        await leadOf(site, lead)
      })

      it('says it when too many came from this address', async () => {
        const lead = leadForm()
        const address = { 'x-forwarded-for': form === QUIZ ? '192.0.2.98' : '192.0.2.97' }
        const page = await open(site, form, { expectErrors: /status of 429/, context: { extraHTTPHeaders: address } })
        for (let sent = 0; sent < RATE; sent++) await apiClient(site.url).call('POST', '/api/leads', {}, address)
        await fillInAll(page, form, lead)
        await send(page, form).click()

        await seesToast(page, 'Error', `429: ${TOO_MANY}`)
        await hasKept(page, lead)
        expect(await leadsOf(site, lead)).toEqual([])
      })
    })

    it.each(FORMS)('makes one lead of a double click: $form', async (form) => {
      const lead = leadForm()
      const page = await open(site, form)
      const held = await holdCalls(page, CALL)
      await fillInAll(page, form, lead)
      await send(page, form).dblclick()
      held.release()
      await page.waitForURL(`${site.url}/success?providerId=${clinic}`)
      expect(held.calls()).toBe(1)
      expect(await leadsOf(site, lead)).toHaveLength(1)
    })

    it.each(FORMS)('makes one lead when it is sent, and sent again after going back: $form', async (form) => {
      const lead = leadForm()
      const page = await open(site, form)
      await fillInAll(page, form, lead)
      await send(page, form).click()
      await page.getByText('Your Path to Natural Male Enhancement Has Begun!').waitFor()

      await page.goBack()
      await send(page, form).waitFor()
      if (form.steps === 1) await field(page, 'Zip Code').fill(ZIP)
      await fillInPerson(page, lead)
      await send(page, form).click()
      await page.waitForURL(`${site.url}/success?providerId=${clinic}`)
      expect(await leadsOf(site, lead)).toHaveLength(1)
    })

    it.each([LANDING, QUIZ])(
      'can be sent again by who goes back before the thank-you page is there: $form',
      async (form) => {
        const lead = leadForm()
        const page = await open(site, form)
        const held = await holdCalls(page, chunk('success-page'))
        await fillInAll(page, form, lead)
        await send(page, form).click()
        await page.waitForURL(`${site.url}/success?providerId=${clinic}`)

        await page.goBack()
        await send(page, form).waitFor()
        expect(await send(page, form).isEnabled()).toBe(true)
        await hasKept(page, lead)
        held.release()
        await send(page, form).click()
        await page.getByText('Your Path to Natural Male Enhancement Has Begun!').waitFor()
        expect(await leadsOf(site, lead)).toHaveLength(1)
      },
    )
  },
  { LEAD_RATE_PER_MINUTE: String(RATE) },
)

async function open(site: BrowserSite, { path }: FormUnderTest, visitor: Parameters<BrowserSite['open']>[1] = {}) {
  const page = await site.open(path, visitor)
  await wake(page)
  return page
}

function send(page: Page, { button }: FormUnderTest) {
  return page.getByRole('button', { name: button, exact: true })
}

/** To the fields about the person; in a form of two steps these are the second. */
async function toPerson(page: Page, { steps }: FormUnderTest): Promise<void> {
  await page.getByLabel(/^zip code$/i).fill(ZIP)
  if (steps === 1) return
  await page.getByRole('button', { name: /^(Continue|Find Providers)$/ }).click()
  await field(page, 'First Name').waitFor()
}

async function fillInAll(page: Page, form: FormUnderTest, lead: ReturnType<typeof leadForm>): Promise<void> {
  await toPerson(page, form)
  await fillInPerson(page, lead)
}

async function hasKept(page: Page, lead: ReturnType<typeof leadForm>): Promise<void> {
  expect(await field(page, 'First Name').inputValue()).toBe(lead.first_name)
  expect(await field(page, 'Last Name').inputValue()).toBe(lead.last_name)
  expect(await field(page, 'Email').inputValue()).toBe(lead.email)
  expect(await field(page, 'Phone').inputValue()).toBe(lead.phone)
  expect(await page.getByRole('checkbox').isChecked()).toBe(true)
  expect(await page.locator('[name="zip_code"]').inputValue()).toBe(ZIP)
}
