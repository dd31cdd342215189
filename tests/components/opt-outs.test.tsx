import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ClinicOptOut, LeadOptOut, Suppression } from '../../core/privacy/contract/opt-outs.ts'
import { answer, refusal } from './api.ts'
import { chooseForAll, openLead } from './leads-page.ts'
import { emptyDashboard, findToast, openDashboard } from './page.tsx'
import { leadDetails } from './samples.ts'

beforeEach(() => emptyDashboard())

const SINCE: Suppression = {
  ...{ id: 4, kind: 'email', reason: 'link', lead_id: 7, actor: 'visitor', actor_name: null },
  ...{ created_at: '2026-11-20T15:00:00.000Z', lifted_at: null, lifted_because: null },
}
const CLINIC: ClinicOptOut = {
  ...{ id: 9, lead_id: 7, clinic: 'Quill Clinic', asked_at: SINCE.created_at, due_at: '2999-12-04T15:00:00.000Z' },
  ...{ confirmed_at: null, confirmed_by: null, confirmed_by_name: null },
}
const LATE = { ...CLINIC, due_at: '2026-11-21T15:00:00.000Z' }
const answerOptOut = (opt_out: LeadOptOut) => answer('GET /api/leads/{id}', leadDetails(7, { opt_out }))
const dialog = async (name: string | RegExp) => within(await screen.findByRole('dialog', { name }))

describe('in a lead', () => {
  async function open(optOut: LeadOptOut, role: 'manager' | 'agent' | 'viewer' = 'manager', details: object = {}) {
    emptyDashboard({ role })
    return openLead({ opt_out: optOut, ...details })
  }

  it.each(['manager', 'agent'] as const)('a %s stops contact, after a question', async (role) => {
    const { user, panel } = await open({ since: null, clinics: [] }, role)
    const calls = answer('POST /api/opt-outs', { success: true, leads: 1 })
    await panel.findByText('Consent record')
    expect(panel.queryByRole('heading', { name: 'Do not contact' })).toBeNull()
    await user.click(panel.getByRole('button', { name: 'More for Jordan Avery7' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Do not contact...' }))
    const question = await dialog('Stop all contact with Jordan Avery7?')
    expect(calls).toEqual([])
    answerOptOut({ since: { ...SINCE, reason: 'staff', actor: 'staff' }, clinics: [CLINIC] })
    await user.click(question.getByRole('button', { name: 'Stop contact' }))
    await findToast('Success', 'This person will no longer be contacted')
    expect(calls).toMatchObject([{ body: { lead_id: 7 } }])
    await panel.findByText('Asked not to be contacted on Nov 20, 2026, noted by staff.')
    panel.getByText('Quill Clinic: notified on Nov 20, 2026, must confirm by Dec 4, 2999.')
  })

  it('staff note what a clinic said on the phone', async () => {
    const { user, panel } = await open({ since: SINCE, clinics: [LATE] }, 'agent')
    const calls = answer('POST /api/opt-outs/{id}/confirm', { success: true })
    await panel.findByText(/had to confirm by Nov 21, 2026 but has not\. Please call\.$/)
    expect(panel.queryByRole('button', { name: 'Allow contact...' })).toBeNull()
    const confirmed = { confirmed_at: '2026-11-23T15:00:00.000Z', confirmed_by: 'clinic' }
    answerOptOut({ since: SINCE, clinics: [{ ...LATE, ...confirmed }] })
    await user.click(panel.getByRole('button', { name: 'Confirmed by phone' }))
    await panel.findByText('Quill Clinic: confirmed on Nov 23, 2026 by the provider.')
    expect(calls).toMatchObject([{ params: { id: 9 } }])
  })

  it('a manager allows contact again, and says why', async () => {
    const { user, panel } = await open({ since: SINCE, clinics: [] })
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
    const { user, panel } = await open({ since: SINCE, clinics: [CLINIC] }, 'viewer')
    await panel.findByText(/^Asked not to be contacted/)
    for (const name of ['Confirmed by phone', 'Allow contact...'])
      expect(screen.queryByRole('button', { name })).toBeNull()
    await user.click(await screen.findByRole('button', { name: 'More for all leads' }))
    expect(screen.queryByRole('menuitem', { name: 'Enter a STOP...' })).toBeNull()
  })

  it('a held new form is released only after a question that names the consequence', async () => {
    const { user, panel } = await open({ since: SINCE, clinics: [] }, 'manager', { held_reason: 'do_not_contact' })
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
  async function openForm() {
    const stop = { ...SINCE, kind: 'phone', reason: 'stop', actor: 'staff', lead_id: null } as const
    const lifted = { ...SINCE, id: 3, lifted_at: SINCE.created_at, lifted_because: 'A mistake' }
    answer('GET /api/opt-outs', { recent: [stop, lifted] })
    const user = await openDashboard()
    await chooseForAll(user, 'Enter a STOP...')
    return { user, form: await dialog('Enter a STOP') }
  }

  it('takes an address or a number, says what is wrong with it, and how many leads there are', async () => {
    const { user, form } = await openForm()
    const stop = () => user.click(form.getByRole('button', { name: 'Stop contact' }))
    await stop()
    await form.findByText('Enter an email address or a phone number')
    answer('POST /api/opt-outs', () => refusal(422, { fields: { phone: 'What the server says of it.' } }))
    await user.type(form.getByLabelText('Phone number'), '(512) 555-0100')
    await stop()
    await form.findByText('What the server says of it.')
    const calls = answer('POST /api/opt-outs', { success: true, leads: 2 })
    await stop()
    await findToast('2 leads found')
    expect(calls).toMatchObject([{ body: { phone: '(512) 555-0100' } }])
    expect(form.getByLabelText<HTMLInputElement>('Phone number').value).toBe('')
  })

  it('lists the latest without their addresses, and lets a manager lift one', async () => {
    const { user, form } = await openForm()
    await form.findByText('Phone number, Nov 20, 2026, STOP by staff')
    form.getByText('Email address, Nov 20, 2026, link in an email, lead no. 7')
    form.getByText('Allowed again on Nov 20, 2026: A mistake')
    const calls = answer('POST /api/opt-outs/lift', { success: true })
    await user.click(form.getByRole('button', { name: 'Allow contact...' }))
    const question = await dialog('Allow contact again?')
    await user.type(question.getByLabelText('Reason'), 'Wrong number')
    await user.click(question.getByRole('button', { name: 'Allow contact' }))
    await waitFor(() => expect(calls).toMatchObject([{ body: { suppression_id: 4, because: 'Wrong number' } }]))
  })
})
