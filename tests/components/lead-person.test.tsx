import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { LeadDetails, RelatedLead } from '../../core/contract/leads.ts'
import { answer } from './api.ts'
import { rowOf, storeLeads } from './leads-page.ts'
import { emptyDashboard, openDashboard } from './page.tsx'
import { lead, leadDetails } from './samples.ts'

beforeEach(() => emptyDashboard({ role: 'agent' }))

const other: RelatedLead = {
  ...{ id: 5, created_at: '2026-11-03T15:00:00.000Z', provider_id: 1, provider_name: 'Dr. Rosa Quill' },
  ...{ held_reason: null, outcome: 'booked' },
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
  })

  it('open with a click', async () => {
    const { user, panel } = await openLead({ samePerson: [other], requests: { number: 2, total: 2 } })
    await user.click(await panel.findByRole('link', { name: 'Request #5' }))
    await waitFor(() => expect(location.search).toBe('?lead=5'))
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
