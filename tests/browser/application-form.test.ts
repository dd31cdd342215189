import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { applicationForm } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import { holdCalls, isInSight, mailTo, seesToast, wake } from './page-actions.ts'

type Form = ReturnType<typeof applicationForm>

const CALL = '**/api/provider-applications'
const SEND = 'Submit Your Application'

const FIELDS = [
  ['Name', 'name'],
  ['Practice Name', 'practice_name'],
  ['Email', 'email'],
  ['Phone', 'phone'],
  ['Zip Code', 'zip_code'],
  ['Website (optional)', 'website'],
  ['Message (optional)', 'message'],
] as const

describeInBrowser('the application of a clinic', (site) => {
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
      .getByText(/reviewed within 24-48 hours/)
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
    expect(await site.db('application_consents').where('application_id', stored?.id).first()).toMatchObject({
      wording: form.acceptance_message,
      page_url: `${site.url}/clinics`,
    })

    const toApplicant = await mailTo(site.smtp, form.email)
    expect(toApplicant.subject).toContain('We have received your application')
    expect(toApplicant.text).toContain('24-48 hours')
    const toTeam = await mailTo(site.smtp, 'team@leadwell.example')
    expect(toTeam.subject).toBe(`New provider application: ${form.practice_name} (${form.zip_code})`)
    expect(toTeam.text).toContain('Call us in the morning.')
    expect(toTeam.replyTo?.value[0]?.address).toBe(form.email)

    const ledger = () =>
      site.db('jobs').where('application_id', stored?.id).orderBy('purpose').select('purpose', 'state')
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

  it('is one, sent again after the database was away and an answer was lost, and clicked twice', async () => {
    const form = applicationForm()
    const page = await open({ expectErrors: /status of 503|ERR_CONNECTION_RESET/ })
    await fillIn(page, form)
    site.gateway.block()
    try {
      await page.getByRole('button', { name: SEND }).click()
      await seesToast(page, 'Error', '503: We cannot save anything right now. Please try again in a moment.')
    } finally {
      site.gateway.unblock()
    }
    await hasKept(page, form)

    await page.route(CALL, async (route) => {
      await route.fetch()
      await route.abort('connectionreset')
    })
    await page.getByRole('button', { name: SEND }).click()
    await seesToast(page, 'Error', 'Failed to submit form. Please try again later.')
    await page.unroute(CALL)
    await hasKept(page, form)

    const held = await holdCalls(page, CALL)
    await page.getByRole('button', { name: SEND }).dblclick()
    await page.getByRole('button', { name: 'Wait! Submitting...' }).waitFor()
    held.release()
    await page.getByRole('heading', { name: 'Application received' }).waitFor()
    expect(held.calls()).toBe(1)
    expect(await site.db('provider_applications').where('email', form.email)).toHaveLength(1)
    await mailTo(site.smtp, form.email)
  })

  async function open(visitor?: Parameters<typeof site.open>[1]): Promise<Page> {
    const page = await site.open('/clinics#provider-form', visitor)
    await wake(page)
    return page
  }
})

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
