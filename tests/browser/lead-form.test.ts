import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { NewLead } from '../../core/contract/leads.ts'
import { apiClient } from '../support/api-client.ts'
import { createProvider, leadForm } from '../support/factories.ts'
import { describeInBrowser, type Visitor } from './browser.ts'
import {
  type FieldLabel,
  field,
  filledIn,
  fillIn,
  holdCalls,
  mailTo,
  seesToast,
  submitButton,
  wake,
} from './page-actions.ts'

const RATE = 5
const CALL = '**/api/leads'
const ZIP_INVALID = 'Please enter a valid 5-digit zip code'
const REQUIRED: [FieldLabel, string][] = [
  ['First Name', 'First name is required'],
  ['Last Name', 'Last name is required'],
  ['Email', 'Email is required'],
  ['Phone', 'Phone number is required'],
  ['Zip Code', 'Zip code is required'],
]

describeInBrowser(
  'the lead form',
  (site) => {
    let clinic: number
    beforeAll(async () => {
      clinic = (await createProvider(site.db)).id
    })

    describe('what is wrong', () => {
      it('is said at every field when an empty form is sent, and nothing is sent', async () => {
        const page = await openForm()
        const { calls } = await holdCalls(page, CALL)
        await submitButton(page).click()

        for (const [label, message] of REQUIRED) {
          await expect.poll(() => problemAt(page, label)).toBe(message)
        }
        expect(await describedProblem(page.getByRole('checkbox'))).toBe(
          'You must agree to receive communications to continue.',
        )
        expect(await focusedField(page)).toBe('first_name')

        await field(page, 'First Name').fill('Jordan')
        await field(page, 'Last Name').fill('Avery')
        await submitButton(page).click()
        await expect.poll(() => focusedField(page)).toBe('email')
        expect(await problemAt(page, 'First Name')).toBe('')
        expect(calls()).toBe(0)
      })

      it('is said when a field is left, and is gone as soon as it is mended', async () => {
        const page = await openForm()
        for (const [label, message] of REQUIRED) {
          await field(page, label).focus()
          await field(page, label).blur()
          await expect.poll(() => problemAt(page, label)).toBe(message)
        }
        await page.getByRole('checkbox').focus()
        await page.getByRole('checkbox').blur()
        await expect
          .poll(() => describedProblem(page.getByRole('checkbox')))
          .toBe('You must agree to receive communications to continue.')

        await fillIn(page, leadForm())
        for (const [label] of REQUIRED) await expect.poll(() => problemAt(page, label)).toBe('')
        await expect.poll(() => describedProblem(page.getByRole('checkbox'))).toBe('')
      })

      it('is said of values that cannot be', async () => {
        const page = await openForm()
        for (const [label, value, message] of [
          ['First Name', '   ', 'First name is required'],
          ['Last Name', 'x'.repeat(101), 'Last name must be 100 characters or fewer'],
          ['Email', 'jordan@', 'Invalid email format'],
          ['Email', 'jordan avery@visitors.example', 'Invalid email format'],
          ['Zip Code', '7870', ZIP_INVALID],
          ['Zip Code', '7870a', ZIP_INVALID],
          ['Zip Code', '00000', ZIP_INVALID],
        ] as [FieldLabel, string, string][]) {
          await field(page, label).fill(value)
          await field(page, label).blur()
          await expect.poll(() => problemAt(page, label), { message: `${label} ${value}` }).toBe(message)
        }
      })
    })

    it('makes five digits of a pasted zip code, and takes no more than five characters', async () => {
      const page = await openForm()
      for (const pasted of ['90210-1234', ' 90210 ', '902101234']) {
        await field(page, 'First Name').fill(pasted)
        await field(page, 'First Name').selectText()
        await page.keyboard.press('ControlOrMeta+c')
        await field(page, 'Zip Code').fill('')
        await page.keyboard.press('ControlOrMeta+v')
        expect(await field(page, 'Zip Code').inputValue(), pasted).toBe('90210')
      }

      await field(page, 'Zip Code').fill('')
      await field(page, 'Zip Code').pressSequentially('787029')
      expect(await field(page, 'Zip Code').inputValue()).toBe('78702')
    })

    it.each(['clicked', 'sent by Enter'])('makes one lead when it is %s twice', async (how) => {
      const lead = leadForm()
      const page = await openForm()
      const held = await holdCalls(page, CALL)
      await fillIn(page, lead)
      if (how === 'clicked') await submitButton(page).dblclick()
      else {
        await field(page, 'Zip Code').press('Enter')
        await field(page, 'Zip Code').press('Enter')
      }
      held.release()

      await arrives(page)
      expect(held.calls()).toBe(1)
      expect(await leadsOf(lead)).toHaveLength(1)
    })

    describe('when sending fails', () => {
      it.each([
        {
          what: 'nobody answers',
          expectErrors: /ERR_CONNECTION_REFUSED/,
          fail: (page: Page) => page.route(CALL, (route) => route.abort('connectionrefused')),
          mend: (page: Page) => page.unroute(CALL),
          message: 'Failed to submit form. Please try again later.',
        },
        {
          what: 'the answer is lost on its way',
          expectErrors: /ERR_CONNECTION_RESET/,
          fail: (page: Page) =>
            page.route(CALL, async (route) => {
              await route.fetch()
              await route.abort('connectionreset')
            }),
          mend: (page: Page) => page.unroute(CALL),
          message: 'Failed to submit form. Please try again later.',
        },
        {
          what: 'the answer is empty',
          fail: (page: Page) =>
            page.route(CALL, async (route) => route.fulfill({ response: await route.fetch(), body: '' })),
          mend: (page: Page) => page.unroute(CALL),
          message: 'No data received from server',
        },
        {
          what: 'a proxy answers with a page of its own',
          expectErrors: /status of 502/,
          fail: (page: Page) =>
            page.route(CALL, (route) =>
              route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Oh no</h1>' }),
            ),
          mend: (page: Page) => page.unroute(CALL),
          message: '502: Bad Gateway',
        },
        {
          what: 'the server has a fault',
          expectErrors: /status of 500/,
          fail: () => site.db.raw('alter table consents rename to consents_gone'),
          mend: () => site.db.raw('alter table consents_gone rename to consents'),
          message: '500: Something went wrong on our side. Please try again.',
        },
        {
          what: 'the database is gone',
          expectErrors: /status of 503/,
          fail: () => site.gateway.block(),
          mend: () => site.gateway.unblock(),
          message: '503: We cannot save anything right now. Please try again in a moment.',
        },
      ])('because $what: says so, keeps what was typed, and another try makes the one lead', async (failure) => {
        const lead = leadForm()
        const page = await openForm({ expectErrors: failure.expectErrors })
        await fillIn(page, lead)
        try {
          await failure.fail(page)
          await submitButton(page).click()
          await seesToast(page, 'Error', failure.message)
        } finally {
          await failure.mend(page)
        }
        const { acceptance_message, ...typed } = lead
        expect(await filledIn(page)).toEqual(typed)

        await page.getByRole('button', { name: 'Get Started Now!' }).click()
        await arrives(page)
        expect(await leadsOf(lead)).toHaveLength(1)
        await mailTo(site.smtp, lead.email)
      })

      it('because the server finds fields wrong: says so at the fields', async () => {
        const lead = leadForm()
        const page = await openForm({ expectErrors: /status of 422/ })
        await page.route(CALL, (route) =>
          route.continue({ postData: { ...route.request().postDataJSON(), phone: '', email: 'jordan' } }),
        )
        await fillIn(page, lead)
        await submitButton(page).click()

        await seesToast(page, 'Error', '422: ')
        expect(await problemAt(page, 'Email')).toBe('Invalid email format')
        expect(await problemAt(page, 'Phone')).toBe('Phone number is required')
        expect(await focusedField(page)).toBe('email')
        expect(await filledIn(page)).toMatchObject({ email: lead.email, phone: lead.phone })

        await page.unroute(CALL)
        await submitButton(page).click()
        await arrives(page)
        expect(await leadsOf(lead)).toHaveLength(1)
      })

      it('because too many forms came from this address: says so', async () => {
        const address = { 'x-forwarded-for': '192.0.2.99' }
        const lead = leadForm()
        const page = await openForm({ expectErrors: /status of 429/, context: { extraHTTPHeaders: address } })
        const api = apiClient(site.url)
        for (let sent = 0; sent < RATE; sent++) await api.call('POST', '/api/leads', {}, address)
        await fillIn(page, lead)
        await submitButton(page).click()

        await seesToast(page, 'Error', '429: Too many forms came from your network. Please try again in a minute.')
        expect(await filledIn(page)).toMatchObject({ email: lead.email })
        expect(await leadsOf(lead)).toEqual([])
      })
    })

    async function openForm(visitor?: Visitor): Promise<Page> {
      const page = await site.open('/', visitor)
      await wake(page)
      return page
    }

    function arrives(page: Page) {
      return page.waitForURL(`${site.url}/success?providerId=${clinic}`)
    }

    function leadsOf({ email }: NewLead) {
      return site.db('leads').where({ email }).select('id')
    }
  },
  { LEAD_RATE_PER_MINUTE: String(RATE) },
)

function focusedField(page: Page): Promise<string> {
  return page.evaluate(() => (document.activeElement as HTMLInputElement).name)
}

function problemAt(page: Page, label: FieldLabel): Promise<string> {
  return describedProblem(field(page, label))
}

/** What a screen reader says is wrong with a field; empty while the field counts as valid. */
function describedProblem(input: Locator): Promise<string> {
  return input.evaluate((element) => {
    if (element.getAttribute('aria-invalid') !== 'true') return ''
    return document.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent ?? ''
  })
}
