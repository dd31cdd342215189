import { screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Progress, Setup } from '../../core/conditions/contract/integrations.ts'
import { answer } from './api.ts'
import { emptyDashboard, findToast, openDashboard } from './page.tsx'
import { job, leadDetails, settings } from './samples.ts'

const NOW = new Date().toISOString()
const progress = (overrides: Partial<Progress> = {}): Progress => ({
  ...{ state: 'done', to: 'ada@leadwell.example', at: NOW, answer: '250 2.0.0 Ok: queued', error: null },
  next_attempt_at: null,
  ...overrides,
})
const setup = (overrides: Partial<Setup> = {}): Setup => ({
  has_worker: true,
  mail: {
    is_done: false,
    settings: { ...{ server: 'mail.example:587', from: 'Care <care@clinics.example>', team: 'team@clinics.example' } },
    check: null,
  },
  crm: { is_done: false, kind: 'none', host: null, check: null },
  wordpress: { is_done: true, url: 'https://clinics.example', last_run: null, is_running: false, clinics: 12 },
  team: { is_done: false, accounts: 1, invited: 0 },
  test_lead: { is_done: false, lead_id: null, zip_code: '78701' },
  ...overrides,
})
const ADA = { id: 1, name: 'Ada Park', email: 'ada@leadwell.example' }
const open = async () => openDashboard('/admin?tab=setup')
/** Answers the setup as it is now. */
const is = (overrides: Partial<Setup> = {}) => answer('GET /api/setup', setup(overrides))

beforeEach(() => {
  emptyDashboard(ADA)
  is()
})

it('a new installation opens with the setup for managers', async () => {
  answer('GET /api/settings', settings({ has_leads: false }))
  await openDashboard()
  expect(await screen.findByRole('heading', { name: 'Setup' })).toBeDefined()
  expect(screen.getByRole('link', { name: 'Setup' }).getAttribute('aria-current')).toBe('page')
})

it('the steps say what is done, and name the settings that are missing, never their values', async () => {
  is({ mail: { is_done: false, settings: null, check: null }, has_worker: false })
  await open()
  await screen.findByText(/^1 of 5 done/)
  within(screen.getByRole('region', { name: /^Read the providers from WordPress/ })).getByText('✓ Done')
  screen.getByText(/No worker is running/)
  for (const name of ['SMTP_URL', 'CRM_KIND=hubspot', 'HUBSPOT_TOKEN', 'CRM_WEBHOOK_URL', 'CRM_WEBHOOK_SECRET'])
    screen.getByText(name)
})

it('the test of the mail server goes to the manager, and its result is in the words of the server', async () => {
  const sent = answer('POST /api/setup/check', () => {
    is({ mail: { ...setup().mail, is_done: true, check: progress() } })
    return { success: true }
  })
  const user = await open()
  expect((await screen.findByLabelText<HTMLInputElement>('Send a test email to')).value).toBe('ada@leadwell.example')
  await user.click(screen.getByRole('button', { name: 'Send test email' }))
  expect(await screen.findByText('It said: “250 2.0.0 Ok: queued”')).toBeDefined()
  expect(sent.map(({ body }) => body)).toEqual([{ email: 'ada@leadwell.example' }])
})

describe('a test lead', () => {
  const sent = (overrides = {}) => {
    is({ test_lead: { is_done: false, lead_id: 7, zip_code: '78701' } })
    answer('GET /api/leads/{id}', leadDetails(7, { is_test: true, ...overrides }))
    answer('GET /api/leads/{id}/jobs', { jobs: [job({ name: 'send-email', purpose: 'provider', state: 'done' })] })
  }

  it('is sent, shown with what happens to it, and deleted with one press', async () => {
    const calls = answer('POST /api/setup/test-lead', () => {
      sent()
      return { id: 7, held: false }
    })
    const user = await open()
    await user.click(await screen.findByRole('button', { name: 'Send test lead' }))
    expect(calls.map(({ body }) => body)).toEqual([{ email: 'ada@leadwell.example', zip_code: '78701' }])
    const step = within(screen.getByRole('region', { name: 'Send a test lead' }))
    await step.findByText('Email to the provider')
    answer('DELETE /api/setup/test-lead', () => {
      is({ test_lead: { is_done: true, lead_id: null, zip_code: null } })
      return { success: true }
    })
    await user.click(step.getByRole('button', { name: 'Delete the test lead' }))
    await findToast('The test lead is deleted')
    await screen.findByRole('button', { name: 'Send test lead' })
  })

  it.each([
    [{ held_reason: 'do_not_contact' }, /It is held/],
    [{}, /It has no provider yet/],
  ])('that goes nowhere says why (%o)', async (overrides, words) => {
    sent({ provider_id: null, ...overrides })
    await open()
    await screen.findByText(words)
  })
})
