import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { LedgerJob } from '../../core/contract/jobs.ts'
import type { StaffRole } from '../../core/contract/staff.ts'
import { answer, refusal } from './api.ts'
import { storeLeads } from './leads-page.ts'
import { emptyDashboard, openDashboard, session } from './page.tsx'
import { job, lead, leadDetails } from './samples.ts'

beforeEach(() => emptyDashboard())

const EMAIL = job({ name: 'send-email', purpose: 'provider', has_copy: true })
const CRM = job({ name: 'sync-crm', purpose: 'created', has_copy: true })
const PAYLOAD = { type: 'lead.created', data: { lead: { id: 7 } } }

async function openLead(jobs: LedgerJob[], role: StaffRole = 'manager', ledger: object = {}) {
  storeLeads(lead(7))
  answer('GET /api/leads/{id}', leadDetails(7, { request_id: '6c7f1c52-1111-4222-8333-444455556666' }))
  answer('GET /api/leads/{id}/jobs', { jobs, ...ledger })
  answer('GET /api/session', session({ id: 1, name: 'Ada Park', email: 'ada@leadwell.example', role }))
  const user = await openDashboard('/admin?lead=7')
  const panel = within(await screen.findByRole('complementary', { name: 'Jordan Avery7' }))
  return { user, panel }
}

describe('"View" of a delivery', () => {
  it('shows the e-mail in a frame that may do nothing, and its plain text', async () => {
    const { user, panel } = await openLead([EMAIL])
    const calls = answer('GET /api/leads/{id}/emails/{jobId}', {
      to: 'desk@clinics.example',
      subject: 'New consultation request',
      sent_at: '2026-11-20T15:00:01.000Z',
      text: 'Open the request: http://localhost:3000/r/•••',
    })
    await user.click(await panel.findByRole('button', { name: 'View: E-mail to the clinic' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'E-mail to the clinic' }))
    await dialog.findByText('New consultation request')
    dialog.getByText('desk@clinics.example')
    expect(calls.map(({ params }) => params)).toEqual([{ id: 7, jobId: EMAIL.id }])
    const frame = dialog.getByTitle('The e-mail')
    expect(frame.getAttribute('sandbox')).toBe('')
    expect(frame.getAttribute('src')).toBe(`/api/leads/7/emails/${EMAIL.id}/html`)

    await user.click(dialog.getByRole('button', { name: 'Plain text' }))
    dialog.getByText('Open the request: http://localhost:3000/r/•••')
    expect(dialog.queryByTitle('The e-mail')).toBeNull()
    await user.click(dialog.getByRole('button', { name: 'Close' }))
    expect(document.activeElement).toBe(panel.getByRole('button', { name: 'View: E-mail to the clinic' }))
  })

  it('shows the payload for the CRM, and copies it', async () => {
    const { user, panel } = await openLead([CRM])
    answer('GET /api/leads/{id}/crm-payloads/{jobId}', { sent_at: '2026-11-20T15:00:01.000Z', payload: PAYLOAD })
    await user.click(await panel.findByRole('button', { name: 'View: CRM: lead created' }))
    await user.click(await screen.findByRole('button', { name: 'Copy the payload' }))
    expect(await navigator.clipboard.readText()).toBe(JSON.stringify(PAYLOAD, null, 2))
  })

  it('says why it cannot be shown', async () => {
    const { user, panel } = await openLead([EMAIL])
    answer(
      'GET /api/leads/{id}/emails/{jobId}',
      refusal(404, { error: 'No copy of this message is kept.', code: 'not_found' }),
    )
    await user.click(await panel.findByRole('button', { name: 'View: E-mail to the clinic' }))
    await screen.findByText(/No copy of this message is kept\./)
  })

  it.each([
    ['viewer', []],
    ['agent', ['View: E-mail to the clinic']],
    ['manager', ['View: E-mail to the clinic', 'View: CRM: lead created']],
  ] as const)('is offered to a %s where they may see what was sent', async (role, expected) => {
    const { panel } = await openLead([EMAIL, CRM], role)
    await panel.findByText('CRM: lead created')
    const names = panel.queryAllByRole('button', { name: /^View: / }).map((button) => button.getAttribute('aria-label'))
    expect(names).toEqual(expected)
  })

  it('is not offered where no copy is kept', async () => {
    const { panel } = await openLead([job({ name: 'send-email', purpose: 'provider' })])
    await panel.findByText('E-mail to the clinic')
    expect(panel.queryByRole('button', { name: /^View/ })).toBeNull()
  })
})

it('the request that brought a lead can be copied, to find it in the logs', async () => {
  const { user, panel } = await openLead([])
  await user.click(await panel.findByText('Consent and origin'))
  await user.click(await panel.findByRole('button', { name: 'Copy the request ID' }))
  expect(await navigator.clipboard.readText()).toBe('6c7f1c52-1111-4222-8333-444455556666')
})

it('the timeline has the text of a note', async () => {
  const at = '2026-11-20T16:00:00.000Z'
  const act = { at, actor: 'ada@leadwell.example', actor_name: 'Ada Park', action: 'add-note' }
  const none = { provider: null, previous_provider: null, released: false }
  const { panel } = await openLead([], 'manager', {
    acts: [{ ...act, ...none }],
    notes: [{ at, body: 'Called, voicemail.' }],
  })
  await waitFor(() => panel.getByText('Note added by Ada Park'))
  panel.getByText('“Called, voicemail.”')
})
