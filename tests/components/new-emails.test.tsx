import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { NewEmail } from '../../core/contract/providers.ts'
import { answer } from './api.ts'
import { emptyDashboard, openDashboard } from './page.tsx'
import { provider, settings } from './samples.ts'

const TAB = '/admin?tab=providers'
const WAITING: NewEmail = {
  email: 'new@quill.example',
  since: '2026-11-20T15:00:00.000Z',
  sync_id: 7,
  is_declined: false,
  asked: 'sent',
  error: null,
}
const quill = (change: Partial<NewEmail> = {}) =>
  provider(1, {
    name: 'Dr. Rosa Quill',
    practiceName: 'Quill Clinic',
    email: 'old@quill.example',
    new_email: { ...WAITING, ...change },
  })

/** Opens the tab with that clinic. Returns the card of new addresses. */
async function openCard(change: Partial<NewEmail> = {}, person = {}) {
  emptyDashboard(person)
  answer('GET /api/settings', settings())
  answer('GET /api/providers', ({ query }) => (query.status === 'inactive' ? [] : [quill(change)]))
  const user = await openDashboard(TAB)
  const card = await screen.findByRole('region', { name: 'New e-mail addresses' })
  return {
    user,
    card,
    buttons: () =>
      within(card)
        .queryAllByRole('button')
        .map((button) => button.textContent),
  }
}

it('a new address says that it waits, and where leads go until then', async () => {
  const { card, buttons } = await openCard()
  expect(card.textContent).toContain(
    'New address new@quill.example waits for confirmation. Leads go to old@quill.example.',
  )
  within(card).getByText('old@quill.example was asked by e-mail.')
  expect(buttons()).toEqual(['Confirm new address of Quill Clinic', 'Keep old address of Quill Clinic'])
  screen.getByText('New address waits for confirmation')
})

it.each([
  ['Confirm new address of Quill Clinic', 'confirm'],
  ['Keep old address of Quill Clinic', 'keep'],
])('"%s" decides about the address that is shown', async (name, decision) => {
  const { user, card } = await openCard()
  const calls = answer('POST /api/providers/{providerId}/new-email', { success: true })
  await user.click(within(card).getByRole('button', { name }))
  await screen.findByText('The address of Dr. Rosa Quill is settled')
  expect(calls.map(({ body }) => body)).toEqual([{ email: 'new@quill.example', decision }])
})

it('a new address still waits where the e-mail to the old one failed, and says so', async () => {
  const { card } = await openCard({ asked: 'failed', error: 'The mailbox does not exist.' })
  expect(card.textContent).toContain(
    'The e-mail to old@quill.example failed: The mailbox does not exist. Call the clinic, then decide here.',
  )
})

it('an old address that is kept can be given up later', async () => {
  const { card, buttons } = await openCard({ is_declined: true })
  expect(card.textContent).toContain('The old address is kept. WordPress still says new@quill.example.')
  expect(buttons()).toEqual(['Confirm new address of Quill Clinic'])
})

it('viewers see it, and decide nothing', async () => {
  const { card, buttons } = await openCard({}, { role: 'viewer' })
  expect(buttons()).toEqual([])
  expect(card.textContent).toContain('or a manager does.')
})
