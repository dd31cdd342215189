import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { LeadDetails } from '../../core/contract/leads.ts'
import type { ClinicOptOut, LeadOptOut, Suppression } from '../../core/contract/opt-outs.ts'
import type { OptOutPage } from '../../core/contract/page.ts'
import type { StaffRole } from '../../core/contract/staff.ts'
import { answer, refusal } from './api.ts'
import { chooseForAll, storeLeads } from './leads-page.ts'
import { emptyDashboard, findToast, openDashboard, openPage } from './page.tsx'
import { lead, leadDetails } from './samples.ts'

beforeEach(() => emptyDashboard())

const SINCE: Suppression = {
  id: 4,
  kind: 'email',
  reason: 'link',
  lead_id: 7,
  actor: 'visitor',
  actor_name: null,
  created_at: '2026-11-20T15:00:00.000Z',
  lifted_at: null,
  lifted_because: null,
}
const CLINIC: ClinicOptOut = {
  id: 9,
  lead_id: 7,
  clinic: 'Quill Clinic',
  asked_at: '2026-11-20T15:00:00.000Z',
  due_at: '2999-12-04T15:00:00.000Z',
  confirmed_at: null,
  confirmed_by: null,
  confirmed_by_name: null,
}
const LATE = { ...CLINIC, due_at: '2026-11-21T15:00:00.000Z' }

/** Opens the dashboard at lead 7, as staff of that role. */
async function openLead(optOut: LeadOptOut, role: StaffRole = 'manager', details: Partial<LeadDetails> = {}) {
  emptyDashboard({ role })
  storeLeads(lead(7, details))
  answer('GET /api/leads/{id}', leadDetails(7, details))
  answer('GET /api/leads/{id}/jobs', { jobs: [] })
  answer('GET /api/leads/{id}/opt-out', optOut)
  const user = await openDashboard('/admin?lead=7')
  const panel = within(await screen.findByRole('complementary', { name: 'Jordan Avery7' }))
  return { user, panel }
}
const dialog = async (name: string | RegExp) => within(await screen.findByRole('dialog', { name }))

describe('in a lead', () => {
  it('tells that only the phone number must not be called', async () => {
    const { panel } = await openLead({
      since: { ...SINCE, kind: 'phone', reason: 'clinic', actor: 'clinic' },
      clinics: [],
    })
    await panel.findByText('The phone number is not called any more since Nov 20, 2026, as the clinic was told.')
  })

  it.each(['manager', 'agent'] as const)('a %s stops contact, after a question', async (role) => {
    const { user, panel } = await openLead({ since: null, clinics: [] }, role)
    const calls = answer('POST /api/opt-outs', { success: true, leads: 1 })
    await user.click(await panel.findByRole('button', { name: 'Do not contact...' }))
    const question = await dialog('Stop all contact with Jordan Avery7?')
    expect(calls).toEqual([])
    answer('GET /api/leads/{id}/opt-out', { since: { ...SINCE, reason: 'staff', actor: 'staff' }, clinics: [CLINIC] })
    await user.click(question.getByRole('button', { name: 'Stop contact' }))

    await findToast('Success', 'This person is not contacted any more')
    expect(calls).toMatchObject([{ body: { lead_id: 7 } }])
    await panel.findByText('Asked not to be contacted on Nov 20, 2026, noted by staff.')
    panel.getByText('Quill Clinic: told on Nov 20, 2026, confirms until Dec 4, 2999.')
  })

  it('staff note what a clinic said on the phone', async () => {
    const { user, panel } = await openLead({ since: SINCE, clinics: [LATE] }, 'agent')
    const calls = answer('POST /api/opt-outs/{id}/confirm', { success: true })
    await panel.findByText(/had to confirm by Nov 21, 2026 and has not\. Please call\.$/)
    panel.getByText('Asked not to be contacted on Nov 20, 2026, by the link in an e-mail.')
    expect(panel.queryByRole('button', { name: 'Allow contact...' })).toBeNull()
    const confirmed = { confirmed_at: '2026-11-23T15:00:00.000Z', confirmed_by: 'clinic' }
    answer('GET /api/leads/{id}/opt-out', { since: SINCE, clinics: [{ ...LATE, ...confirmed }] })
    await user.click(panel.getByRole('button', { name: 'Confirmed by phone' }))

    await panel.findByText('Quill Clinic: confirmed on Nov 23, 2026 by the clinic.')
    expect(calls).toMatchObject([{ params: { id: 9 } }])
  })

  it('a manager allows contact again, and says why', async () => {
    const { user, panel } = await openLead({ since: SINCE, clinics: [] })
    const calls = answer('POST /api/opt-outs/lift', { success: true })
    await user.click(await panel.findByRole('button', { name: 'Allow contact...' }))
    const question = await dialog('Allow contact again?')
    const button = question.getByRole<HTMLButtonElement>('button', { name: 'Allow contact' })
    expect(button.disabled).toBe(true)
    await user.type(question.getByLabelText('Reason'), 'A mistake')
    await user.click(button)

    await findToast('Success', 'This person may be contacted again')
    expect(calls).toMatchObject([{ body: { lead_id: 7, because: 'A mistake' } }])
  })

  it('viewers see it and do nothing', async () => {
    const { panel } = await openLead({ since: SINCE, clinics: [CLINIC] }, 'viewer')
    await panel.findByText(/^Asked not to be contacted/)
    for (const name of ['Do not contact...', 'Confirmed by phone', 'Allow contact...']) {
      expect(screen.queryByRole('button', { name })).toBeNull()
    }
  })

  it('a held new form is released only after a question that names the consequence', async () => {
    const { user, panel } = await openLead({ since: SINCE, clinics: [] }, 'manager', { held_reason: 'do_not_contact' })
    const calls = answer('POST /api/leads/{id}/release', { success: true })
    await user.click(panel.getByRole('button', { name: 'Release...' }))
    const question = await dialog('Allow contact and release this lead?')
    question.getByText(/this person is taken off the list/)
    expect(calls).toEqual([])
    await user.click(question.getByRole('button', { name: 'Allow contact and release' }))
    await findToast('Success', 'Lead released')
    expect(calls).toHaveLength(1)
  })
})

describe('a STOP by hand', () => {
  async function openForm(overdue: ClinicOptOut[] = []) {
    answer('GET /api/opt-outs', {
      overdue,
      recent: [
        { ...SINCE, kind: 'phone', reason: 'stop', actor: 'staff', lead_id: null },
        { ...SINCE, id: 3, kind: 'email', lifted_at: SINCE.created_at, lifted_because: 'A mistake' },
      ],
    })
    const user = await openDashboard()
    await chooseForAll(user, 'Enter a STOP...')
    return { user, form: await dialog('Enter a STOP') }
  }

  it('takes an address or a number, and says how many leads there are', async () => {
    const { user, form } = await openForm()
    const calls = answer('POST /api/opt-outs', { success: true, leads: 2 })
    await user.click(form.getByRole('button', { name: 'Stop contact' }))
    await form.findByText('Enter an e-mail address or a phone number')
    await user.type(form.getByLabelText('Phone number'), '(512) 555-0100')
    await user.click(form.getByRole('button', { name: 'Stop contact' }))

    await findToast('2 leads found')
    expect(calls).toMatchObject([{ body: { phone: '(512) 555-0100' } }])
    expect(form.getByLabelText<HTMLInputElement>('Phone number').value).toBe('')
  })

  it('shows what the server refuses at its field', async () => {
    const { user, form } = await openForm()
    answer('POST /api/opt-outs', () => refusal(422, { fields: { email: 'Invalid email format' } }))
    await user.type(form.getByLabelText('Email'), 'a@b.example')
    await user.click(form.getByRole('button', { name: 'Stop contact' }))
    await form.findByText('Invalid email format')
  })

  it('lists the latest without their addresses, and lets a manager lift one', async () => {
    const { user, form } = await openForm()
    await form.findByText('Phone number, Nov 20, 2026, STOP by staff')
    form.getByText('E-mail address, Nov 20, 2026, link in an e-mail, lead no. 7')
    form.getByText('Allowed again on Nov 20, 2026: A mistake')
    const calls = answer('POST /api/opt-outs/lift', { success: true })
    await user.click(form.getByRole('button', { name: 'Allow contact...' }))
    const question = await dialog('Allow contact again?')
    await user.type(question.getByLabelText('Reason'), 'Wrong number')
    await user.click(question.getByRole('button', { name: 'Allow contact' }))
    await waitFor(() => expect(calls).toMatchObject([{ body: { suppression_id: 4, because: 'Wrong number' } }]))
  })

  it('has the clinics that are late, also for leads that are deleted by now', async () => {
    const { user, form } = await openForm([LATE])
    const calls = answer('POST /api/opt-outs/{id}/confirm', { success: true })
    await form.findByText('Lead no. 7')
    await user.click(form.getByRole('button', { name: 'Confirmed by phone' }))
    await waitFor(() => expect(calls).toMatchObject([{ params: { id: 9 } }]))
  })

  it('is not for viewers', async () => {
    emptyDashboard({ role: 'viewer' })
    const user = await openDashboard()
    await screen.findByText(/No leads yet/)
    await user.click(await screen.findByRole('button', { name: 'More for all leads' }))
    expect(screen.queryByRole('menuitem', { name: 'Enter a STOP...' })).toBeNull()
  })
})

it('a clinic that is late is said on every tab, with the way to its lead', async () => {
  answer('GET /api/opt-outs', { overdue: [LATE, { ...LATE, id: 10 }], recent: [] })
  await openDashboard('/admin?tab=providers')
  await screen.findByText(/Quill Clinic had to confirm by Nov 21, 2026 for lead no\. 7\. Please call\. And 1 more\.$/)
  const link = screen.getByRole('link', { name: 'See the lead' })
  expect(new URLSearchParams(String(link.getAttribute('href')?.split('?')[1])).get('lead')).toBe('7')
})

describe('the page of a link', () => {
  it.each<[OptOutPage, string, string | null]>([
    [{ of: 'person', state: 'ask' }, 'Stop all contact?', 'Stop all contact'],
    [{ of: 'person', state: 'done' }, 'We have stopped', null],
    [{ of: 'person', state: 'already' }, 'This was done already', null],
    [{ of: 'person', state: 'invalid' }, 'This link is not complete', null],
    [{ of: 'clinic', state: 'ask', leadId: 7 }, 'Has contact stopped?', 'Confirm that contact has stopped'],
    [{ of: 'clinic', state: 'done', leadId: 7 }, 'Thank you', null],
  ])('%j: a title, and a plain form where there is something to press', async (optOut, title, button) => {
    openPage(optOut.of === 'person' ? '/do-not-contact' : '/do-not-contact/clinic', { optOut })
    await screen.findByRole('heading', { level: 1, name: title })
    const form = document.querySelector('main form') as HTMLFormElement | null
    expect(form && within(form).getByRole('button').textContent).toBe(button)
    if (form) expect([form.method, form.getAttribute('action')]).toEqual(['post', null])
    if (optOut.leadId) screen.getByText('Request no. 7')
  })
})
