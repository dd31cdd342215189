import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { apiClient } from '../support/api-client.ts'
import { applicationForm } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import { focused, problemAt } from './form-actions.ts'
import { holdCalls, isInSight, mailTo, seesToast, wake } from './page-actions.ts'

type Form = ReturnType<typeof applicationForm>

const RATE = 3
const CALL = '**/api/provider-applications'
const SEND = 'Submit Your Application'
const CONSENT_MISSING = 'You must agree to receive communications to continue.'

const FIELDS = [
  ['Name', 'name'],
  ['Practice Name', 'practice_name'],
  ['Email', 'email'],
  ['Phone', 'phone'],
  ['Zip Code', 'zip_code'],
  ['Website (optional)', 'website'],
  ['Message (optional)', 'message'],
] as const

const PROBLEMS: [label: string, typed: string, message: string][] = [
  ['Name', '', 'Name is required'],
  ['Practice Name', ' ', 'Practice name is required'],
  ['Email', '', 'Email is required'],
  ['Email', 'ines', 'Invalid email format'],
  ['Phone', '', 'Phone number is required'],
  ['Zip Code', '', 'Zip code is required'],
  ['Zip Code', '787', 'Please enter a valid 5-digit zip code'],
  ['Website (optional)', 'no address', 'Please enter a valid website address'],
]

describeInBrowser(
  'the application of a clinic',
  (site) => {
    beforeEach(() => {
      site.smtp.mails.length = 0
    })

    it('goes from a click on the page to two e-mails, the ledger and the dashboard', async () => {
      const form = applicationForm({ website: 'calloway.example' })
      const page = await site.open('/clinics')
      await page.getByRole('link', { name: 'Start Your Application' }).click()
      await isInSight(page.getByRole('heading', { name: 'Apply to Join the Network' }))
      await wake(page)
      await fillIn(page, form)
      await page.getByRole('button', { name: SEND }).click()

      const received = page.getByRole('heading', { name: 'Application received' })
      await received.waitFor()
      await page
        .locator('#provider-form')
        .getByRole('listitem')
        .getByText(/reviewed within 24[-–]48 hours/)
        .waitFor()
      expect(await received.evaluate((heading) => heading === document.activeElement)).toBe(true)

      const [stored, ...others] = await site.db('provider_applications').where('email', form.email)
      expect(others).toEqual([])
      expect(stored).toMatchObject({
        name: form.name,
        practice_name: form.practice_name,
        phone: form.phone,
        zip_code: form.zip_code,
        website: 'https://calloway.example',
        message: form.message,
        status: 'new',
        held_reason: null,
      })
      expect(await site.db('application_consents').where('application_id', stored.id).first()).toMatchObject({
        wording: form.acceptance_message,
        page_url: `${site.url}/clinics`,
      })

      const toApplicant = await mailTo(site.smtp, form.email)
      expect(toApplicant.subject).toContain('We have received your application')
      expect(toApplicant.text).toContain('24–48 hours')
      const toTeam = await mailTo(site.smtp, 'team@velmora.example')
      expect(toTeam.subject).toBe(`New provider application: ${form.practice_name} (${form.zip_code})`)
      expect(toTeam.text).toContain('Call us in the morning.')
      expect(toTeam.replyTo?.value[0]?.address).toBe(form.email)

      const ledger = () =>
        site.db('jobs').where('application_id', stored.id).orderBy('purpose').select('purpose', 'state')
      await expect.poll(ledger).toEqual([
        { purpose: 'applicant', state: 'done' },
        { purpose: 'team', state: 'done' },
      ])

      const staff = await site.open('/admin', { staff: true })
      await staff.getByRole('tab', { name: /^Applications/ }).click()
      const row = staff.getByRole('row').filter({ hasText: form.email })
      await row.getByText(form.practice_name).waitFor()
      await row.getByText('Sent', { exact: true }).waitFor()
      expect(await row.getByRole('combobox').inputValue()).toBe('new')
    })

    it('needs no website and no message', async () => {
      const form = applicationForm({ website: '', message: '' })
      const page = await open()
      await fillIn(page, form)
      await page.getByRole('button', { name: SEND }).click()
      await page.getByRole('heading', { name: 'Application received' }).waitFor()
      expect(await applications(form)).toMatchObject([{ website: null, message: null }])
    })

    it('says at each field what is wrong: when it is left, and when it is sent', async () => {
      const page = await open()
      for (const [label, typed, message] of PROBLEMS) {
        const input = field(page, label)
        await input.fill(typed)
        await input.blur()
        await expect.poll(() => problemAt(input), { message }).toBe(message)
      }
      await page.getByRole('button', { name: SEND }).click()
      await expect.poll(() => problemAt(page.getByRole('checkbox'))).toBe(CONSENT_MISSING)
      expect(await focused(page)).toBe('name')
      expect(await page.locator('[aria-invalid="true"]').count()).toBe(7)
    })

    describe('that cannot be sent', () => {
      it.each([
        {
          why: 'the network is lost',
          expectErrors: /ERR_INTERNET_DISCONNECTED/,
          fail: (page: Page) => page.context().setOffline(true),
          mend: (page: Page) => page.context().setOffline(false),
          message: 'Failed to submit form. Please try again later.',
        },
        {
          why: 'the server has a fault',
          expectErrors: /status of 500/,
          fail: () => site.db.raw('alter table application_consents rename to consents_gone'),
          mend: () => site.db.raw('alter table consents_gone rename to application_consents'),
          message: '500: Something went wrong on our side. Please try again.',
        },
        {
          why: 'the database is away',
          expectErrors: /status of 503/,
          fail: () => site.gateway.block(),
          mend: () => site.gateway.unblock(),
          message: '503: We cannot save anything right now. Please try again in a moment.',
        },
        {
          why: 'the answer is lost on its way',
          expectErrors: /ERR_CONNECTION_RESET/,
          fail: (page: Page) =>
            page.route(CALL, async (route) => {
              await route.fetch()
              await route.abort('connectionreset')
            }),
          mend: (page: Page) => page.unroute(CALL),
          message: 'Failed to submit form. Please try again later.',
        },
      ])('keeps what was typed when $why, and is one application when tried again', async (failure) => {
        const form = applicationForm()
        const page = await open({ expectErrors: failure.expectErrors })
        await fillIn(page, form)
        try {
          await failure.fail(page)
          await page.getByRole('button', { name: SEND }).click()
          await seesToast(page, 'Error', failure.message)
        } finally {
          await failure.mend(page)
        }
        await hasKept(page, form)

        await page.getByRole('button', { name: SEND }).click()
        await page.getByRole('heading', { name: 'Application received' }).waitFor()
        expect(await applications(form)).toHaveLength(1)
        await mailTo(site.smtp, form.email)
      })

      it('goes to the first field that the server finds wrong', async () => {
        const form = applicationForm()
        const page = await open({ expectErrors: /status of 422/ })
        await fillIn(page, form)
        await page.route(CALL, (route) =>
          route.continue({ postData: { ...route.request().postDataJSON(), email: 'ines', website: 'javascript:1' } }),
        )
        await page.getByRole('button', { name: SEND }).click()
        await seesToast(page, 'Error', '422: ')
        expect(await problemAt(field(page, 'Email'))).toBe('Invalid email format')
        expect(await problemAt(field(page, 'Website (optional)'))).toBe('Please enter a valid website address')
        expect(await focused(page)).toBe('email')
        await hasKept(page, form)
      })

      it('says so when too many came from this address', async () => {
        const form = applicationForm()
        const address = { 'x-forwarded-for': '192.0.2.96' }
        const page = await open({ expectErrors: /status of 429/, context: { extraHTTPHeaders: address } })
        for (let sent = 0; sent < RATE; sent++) {
          await apiClient(site.url).call('POST', '/api/provider-applications', {}, address)
        }
        await fillIn(page, form)
        await page.getByRole('button', { name: SEND }).click()
        await seesToast(page, 'Error', '429: Too many forms came from your network. Please try again in a minute.')
        await hasKept(page, form)
        expect(await applications(form)).toEqual([])
      })
    })

    it('is one, however often the button is pressed', async () => {
      const form = applicationForm()
      const page = await open()
      const held = await holdCalls(page, CALL)
      await fillIn(page, form)
      await page.getByRole('button', { name: SEND }).dblclick()
      await page.getByRole('button', { name: 'Wait! Submitting...' }).waitFor()
      held.release()
      await page.getByRole('heading', { name: 'Application received' }).waitFor()
      expect(held.calls()).toBe(1)
      expect(await applications(form)).toHaveLength(1)
    })

    async function open(visitor?: Parameters<typeof site.open>[1]): Promise<Page> {
      const page = await site.open('/clinics#provider-form', visitor)
      await wake(page)
      return page
    }

    function applications({ email }: Form) {
      return site.db('provider_applications').where({ email })
    }
  },
  { LEAD_RATE_PER_MINUTE: String(RATE) },
)

function field(page: Page, label: string) {
  return page.getByRole('form', { name: 'Provider application' }).getByLabel(label, { exact: true })
}

async function fillIn(page: Page, form: Form): Promise<void> {
  for (const [label, name] of FIELDS) await field(page, label).fill(form[name] ?? '')
  await page.getByRole('checkbox').check()
}

async function hasKept(page: Page, form: Form): Promise<void> {
  for (const [label, name] of FIELDS) expect(await field(page, label).inputValue()).toBe(form[name])
  expect(await page.getByRole('checkbox').isChecked()).toBe(true)
}
