import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { CONSENT } from '../../core/contract/consent.ts'
import type { LedgerAct, LedgerEdit } from '../../core/contract/jobs.ts'
import type { LeadDetails } from '../../core/contract/leads.ts'
import { answer, refusal } from './api.ts'
import { storeLeads } from './leads-page.ts'
import { emptyDashboard, findToast, openDashboard } from './page.tsx'
import { lead, leadDetails } from './samples.ts'

const AT = '2026-11-20T16:00:00.000Z'
const BY = { at: AT, actor: 'ada@leadwell.example', actor_name: 'Ada Park' }

async function openLead(overrides: Partial<LeadDetails> = {}, role: 'viewer' | 'agent' = 'agent') {
  emptyDashboard({ id: 1, name: 'Ada Park', email: 'ada@leadwell.example', role })
  storeLeads(lead(7, overrides))
  const act: LedgerAct = {
    ...{ ...BY, action: 'edit', provider: null, previous_provider: null, other_lead: null, consent: null },
    ...{ released: false, fields: [], owner: null },
  }
  const edit: LedgerEdit = { ...BY, field: 'email', was: 'old@visitors.example', became: 'visitor7@visitors.example' }
  answer('GET /api/leads/{id}', ({ params }) => leadDetails(params.id, overrides))
  answer('GET /api/leads/{id}/jobs', { jobs: [], acts: [act], edits: [edit] })
  const edits = answer('PATCH /api/leads/{id}', { success: true })
  const user = await openDashboard('/admin?lead=7')
  const panel = within(await screen.findByRole('complementary', { name: 'Jordan Avery7' }))
  return { user, panel, edits }
}
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))

describe('the correction of a lead', () => {
  it('stands in the timeline with what was', async () => {
    const { panel } = await openLead()
    await panel.findByText('Corrected by Ada Park')
    panel.getByText('E-mail: visitor7@visitors.example, was old@visitors.example.')
  })

  it('sends what has changed, then offers to send the e-mails again', async () => {
    const { user, panel, edits } = await openLead()
    const sent = answer('POST /api/leads/{id}/send-again', { success: true })
    await user.click(panel.getByRole('button', { name: 'Edit...' }))
    const form = await dialog('Edit the lead')
    const email = form.getByRole('textbox', { name: 'E-mail' })
    await user.clear(email)
    await user.type(email, 'nobody{Enter}')
    await form.findByText('Invalid email format')
    await user.type(email, '@new.example{Enter}')
    const offer = await dialog('Send the e-mails again?')
    expect(edits.map(({ body }) => body)).toEqual([{ email: 'nobody@new.example' }])
    offer.getByText(/The confirmation to nobody@new\.example and the e-mail to the clinic/)
    await user.click(offer.getByRole('button', { name: 'Send again' }))
    await findToast('The e-mails are on their way')
    expect(sent).toHaveLength(1)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(document.activeElement).toBe(panel.getByRole('button', { name: 'Edit...' })))
  })

  it('of the zip code of an unmatched lead offers to match it again', async () => {
    const { user, panel } = await openLead({ provider_id: null, clinic: null })
    const matched = answer('POST /api/leads/{id}/match-again', { success: true })
    await user.click(panel.getByRole('button', { name: 'Edit...' }))
    const zip = (await dialog('Edit the lead')).getByRole('textbox', { name: 'Zip code' })
    await user.clear(zip)
    await user.type(zip, '21201{Enter}')
    await user.click((await dialog('Match again?')).getByRole('button', { name: 'Match again' }))
    await findToast('Looking for a clinic')
    expect(matched).toHaveLength(1)
  })

  it('of a name alone offers nothing; a refusal keeps the form', async () => {
    const { user, panel } = await openLead()
    answer('PATCH /api/leads/{id}', refusal(409, { code: 'conflict', error: 'Asked not to be contacted.' }))
    await user.click(panel.getByRole('button', { name: 'Edit...' }))
    const form = await dialog('Edit the lead')
    await user.type(form.getByRole('textbox', { name: 'First name' }), 'a{Enter}')
    await findToast('Failed to save', 'Asked not to be contacted.')
    answer('PATCH /api/leads/{id}', { success: true })
    await user.click(form.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('is not for viewers', async () => {
    const { panel } = await openLead({}, 'viewer')
    await panel.findByText('Corrected by Ada Park')
    expect(panel.queryByRole('button', { name: 'Edit...' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'New lead' })).toBeNull()
  })
})

describe('a new lead by phone', () => {
  it('is entered with the consent that was read aloud, and opens', async () => {
    const { user, panel } = await openLead()
    const entered = answer('POST /api/phone-leads', { id: 7, held: false })
    await user.click(panel.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull())
    await user.keyboard('c')
    const form = await dialog('New lead')
    form.getByText(new RegExp(CONSENT.phone.wording.slice(0, 40)))
    const typed = {
      ...{ 'First name': 'Ada', 'Last name': 'Quill', 'Phone number': '5125550142' },
      ...{ 'E-mail': 'ada@visitors.example', 'Zip code': '78702' },
    }
    for (const [name, text] of Object.entries(typed)) await user.type(form.getByRole('textbox', { name }), text)
    await user.click(form.getByRole('button', { name: 'Enter lead' }))
    await form.findByText('Read the wording aloud, and check the box once the person has agreed')
    await user.click(form.getByRole('checkbox', { name: 'I read this aloud and the person agreed' }))
    await user.click(form.getByRole('button', { name: 'Enter lead' }))
    await findToast('Lead entered')
    expect(entered[0]?.body).toMatchObject({ last_name: 'Quill', agreed: true, consent_version: CONSENT.phone.version })
    await screen.findByRole('complementary', { name: 'Jordan Avery7' })
  })
})
