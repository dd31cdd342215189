import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { NetworkPause } from '../../core/contract/network-pauses.ts'
import { answer, refusal } from './api.ts'
import { emptyDashboard, openDashboard } from './page.tsx'

const PAUSE: NetworkPause = {
  id: 3,
  starts_at: '2026-11-26T05:00:00.000Z',
  ends_at: '2026-11-28T05:00:00.000Z',
  reason: 'Thanksgiving',
  created_by: 'staff',
}

async function openCard(pauses: NetworkPause[], person = {}) {
  emptyDashboard(person)
  answer('GET /api/network-pauses', { pauses })
  const user = await openDashboard('/admin?tab=providers')
  return { user, card: within(await screen.findByRole('region', { name: 'Pauses of the network' })) }
}

it('lists the pauses, and ends one', async () => {
  const { user, card } = await openCard([PAUSE])
  await card.findByText('Thanksgiving', { selector: 'p *' })
  const calls = answer('DELETE /api/network-pauses/{id}', { success: true })
  await user.click(card.getByRole('button', { name: /(End now|Cancel) Thanksgiving/ }))
  await waitFor(() => expect(calls).toMatchObject([{ params: { id: 3 } }]))
})

it('adds a pause, and says what is missing before it asks', async () => {
  const { user, card } = await openCard([])
  await card.findByText('No pause is planned.')
  const calls = answer('POST /api/network-pauses', PAUSE)
  await user.click(card.getByRole('button', { name: 'Pause the network' }))
  expect(await card.findAllByText('Choose a day and a time')).toHaveLength(2)

  await user.type(card.getByLabelText('From'), '2026-11-26T00:00')
  await user.type(card.getByLabelText('To'), '2026-11-28T00:00')
  await user.type(card.getByLabelText('Reason'), 'Thanksgiving')
  await user.click(card.getByRole('button', { name: 'Pause the network' }))
  await waitFor(() => expect(calls).toHaveLength(1))
  expect(calls[0]?.body).toEqual({
    starts_at: new Date('2026-11-26T00:00').toISOString(),
    ends_at: new Date('2026-11-28T00:00').toISOString(),
    reason: 'Thanksgiving',
  })
})

it('only shows them to viewers, and an error with a way to try again', async () => {
  const { card } = await openCard([PAUSE], { role: 'viewer' })
  await card.findByText('Thanksgiving', { selector: 'p *' })
  expect(card.queryByRole('button')).toBeNull()
})

it('shows why they could not be loaded', async () => {
  emptyDashboard()
  answer('GET /api/network-pauses', () => refusal(503, { error: 'The database is away.' }))
  await openDashboard('/admin?tab=providers')
  await screen.findByText('503: The database is away.')
})
