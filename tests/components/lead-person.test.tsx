import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { LeadDetails, RelatedLead } from '../../core/contract/leads.ts'
import { answer, refusal } from './api.ts'
import { rowOf, storeLeads } from './leads-page.ts'
import { emptyDashboard, findToast, openDashboard } from './page.tsx'
import { lead, leadDetails } from './samples.ts'

beforeEach(() => emptyDashboard({ role: 'agent' }))

const other: RelatedLead = {
  ...{ id: 5, created_at: '2026-11-03T15:00:00.000Z', provider_id: 1, provider_name: 'Dr. Rosa Quill' },
  ...{ held_reason: null, outcome: 'booked', linked: false },
}

/** Opens the dashboard at lead 7, which has these other requests. */
async function openLead(details: Partial<LeadDetails> = {}) {
  storeLeads(lead(7, { requests: details.requests ?? { number: 1, total: 1 } }))
  answer('GET /api/leads/{id}', leadDetails(7, details))
  answer('GET /api/leads/{id}/jobs', { jobs: [] })
  const user = await openDashboard('/admin?lead=7')
  return { user, panel: within(await screen.findByRole('complementary', { name: 'Jordan Avery7' })) }
}

describe('the other requests of a person', () => {
  it('are counted, and listed with date, clinic and outcome', async () => {
    const held = {
      ...other,
      id: 4,
      provider_id: null,
      provider_name: null,
      held_reason: 'too_fast',
      outcome: null,
    } as const
    const { panel } = await openLead({ samePerson: [other, held], requests: { number: 3, total: 4 } })
    await panel.findByText('3rd request of 4')
    within(await rowOf('Jordan Avery7')).getByText('Asked 4 times')
    const [first, second] = panel
      .getAllByRole('link', { name: /^Request #/ })
      .map((link) => link.closest('li')?.textContent)
    expect(first).toBe('Request #5, Nov 3, 2026, Dr. Rosa QuillBooked')
    expect(second).toBe('Request #4, Nov 3, 2026, No clinicHeld')
    panel.getByText('And 1 older.')
    expect(panel.queryByRole('button', { name: /^Not the same person/ })).toBeNull()
  })

  it('open with a click', async () => {
    const { user, panel } = await openLead({ samePerson: [other], requests: { number: 2, total: 2 } })
    await user.click(await panel.findByRole('link', { name: 'Request #5' }))
    await waitFor(() => expect(location.search).toBe('?lead=5'))
  })

  it('have no link to undo, and no dialog, for viewers', async () => {
    emptyDashboard({ role: 'viewer' })
    const { panel } = await openLead({ samePerson: [{ ...other, linked: true }], requests: { number: 2, total: 2 } })
    await panel.findByText('2nd request of 2')
    expect(panel.queryByRole('button', { name: /same person/i })).toBeNull()
  })

  it('are two people’s again after "Not the same person"', async () => {
    const { user, panel } = await openLead({
      samePerson: [{ ...other, linked: true }],
      requests: { number: 2, total: 2 },
    })
    const undone = answer('DELETE /api/leads/{id}/same-person/{leadId}', { success: true })
    await user.click(await panel.findByRole('button', { name: 'Not the same person: request #5' }))
    await findToast('Success', 'two people again')
    expect(undone).toMatchObject([{ params: { id: 7, leadId: 5 } }])
  })
})

describe('"Same person as..."', () => {
  const candidate = {
    ...{ id: 3, first_name: 'Jordan', last_name: 'Avery', email: 'other@visitors.example', phone: '(512) 555-0007' },
    ...{
      zip_code: '10001',
      created_at: '2026-11-01T15:00:00.000Z',
      held_reason: null,
      outcome: null,
      provider_name: null,
    },
  }

  async function openDialog() {
    const searches = answer('GET /api/leads/{id}/same-person', ({ query }) => ({
      candidates: query.q === 'nobody' ? [] : [candidate],
    }))
    const { user, panel } = await openLead()
    await user.click(await panel.findByRole('button', { name: 'Same person as...' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Same person as...' }))
    return { user, dialog, searches }
  }

  it('shows both side by side, and links them', async () => {
    const { user, dialog, searches } = await openDialog()
    const linked = answer('POST /api/leads/{id}/same-person', { success: true })
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Same person' }).disabled).toBe(true)
    await user.type(dialog.getByRole('combobox'), '#3')
    await waitFor(() => expect(searches.at(-1)?.query.q).toBe('#3'))
    await user.click(await dialog.findByRole('option', { name: /#3 Jordan Avery/ }))
    const row = (name: string) => within(dialog.getByRole('rowheader', { name }).closest('tr') as HTMLElement)
    expect(
      row('E-mail')
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    ).toEqual(['visitor7@visitors.example', 'other@visitors.example'])
    expect(
      row('Clinic')
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    ).toEqual(['Dr. Test 1', 'None'])
    await user.click(dialog.getByRole('button', { name: 'Same person as request #3' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(linked).toMatchObject([{ params: { id: 7 }, body: { leadId: 3 } }])
  })

  it('stays open when the link is refused, and says when nothing is found', async () => {
    const { user, dialog } = await openDialog()
    answer('POST /api/leads/{id}/same-person', () => refusal(409, { error: 'Request #3 is known.', code: 'conflict' }))
    await user.click(await dialog.findByRole('option', { name: /#3 Jordan Avery/ }))
    await user.click(dialog.getByRole('button', { name: 'Same person as request #3' }))
    await findToast('Failed to link the requests', 'Request #3 is known.')
    await user.type(dialog.getByRole('combobox'), 'nobody')
    await dialog.findByText('No results for “nobody”')
  })
})

it('filters the list by people who have asked before', async () => {
  const { calls } = storeLeads(lead(7))
  const user = await openDashboard()
  await user.click(await screen.findByRole('button', { name: 'Filters' }))
  await user.selectOptions(screen.getByRole('combobox', { name: 'Person' }), 'Asked before')
  await waitFor(() => expect(calls.at(-1)?.query.repeat).toBe(true))
  await waitFor(() => expect(location.search).toBe('?repeat=true'))
})
