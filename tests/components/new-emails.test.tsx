import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { NewEmail } from '../../core/contract/provider-emails.ts'
import { answer, refusal } from './api.ts'
import { emptyDashboard, openDashboard, openPage } from './page.tsx'
import { provider, settings } from './samples.ts'

const TAB = '/admin?tab=providers'
const TOKEN = 'Q2hlY2sgdGhlIGFkZHJlc3MgYmVmb3JlIHlvdSBzYXk'
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

it('the page of the link asks before it confirms', async () => {
  answer('POST /api/email-confirmations/look-up', {
    name: 'Quill Clinic',
    email: 'new@quill.example',
    does: 'wordpress',
  })
  const calls = answer('POST /api/email-confirmations', { success: true })
  const user = openPage(`/confirm-email#${TOKEN}`)
  const button = await screen.findByRole('button', { name: 'Confirm new address' })
  expect(calls).toEqual([])
  await user.click(button)
  const done = await screen.findByRole('status')
  expect(done.textContent).toBe('Thank you. Requests for Quill Clinic now go to new@quill.example.')
  expect(calls.map(({ body }) => body)).toEqual([{ token: TOKEN }])
})

it('the page of the link says when it is no longer valid', async () => {
  answer('POST /api/email-confirmations/look-up', () =>
    refusal(404, { error: 'This link is no longer valid. It was used already, or it is too old.', code: 'not_found' }),
  )
  openPage(`/confirm-email#${TOKEN}`)
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('It was used already, or it is too old.')
  expect(screen.queryByRole('button', { name: 'Confirm new address' })).toBeNull()
})

it.each([
  ['requests', 'Confirm new address', 'Thank you. Requests for Quill Clinic now go to new@quill.example.'],
  [
    'late',
    'Confirm new address',
    'Thank you. We tell new@quill.example when a request for Quill Clinic has no answer in time.',
  ],
  ['undo', 'Undo the change', 'The change is undone. Requests for Quill Clinic go to new@quill.example.'],
  [
    'undo_late',
    'Undo the change',
    'The change is undone. We do not tell other@quill.example when a request for Quill Clinic has no answer in time.',
  ],
] as const)(
  'the page of a link of the clinic’s own (%s) says who asked, and what it does',
  async (does, name, done) => {
    const summary = { name: 'Quill Clinic', email: 'new@quill.example', other: 'other@quill.example' }
    answer('POST /api/email-confirmations/look-up', { ...summary, does, asked_by: 'desk@quill.example' })
    const calls = answer('POST /api/email-confirmations', { success: true })
    const user = openPage(`/confirm-email#${TOKEN}`)
    const button = await screen.findByRole('button', { name })
    screen.getByText(/^desk@quill.example asked for/)
    expect(calls).toEqual([])
    await user.click(button)
    expect((await screen.findByRole('status')).textContent).toBe(done)
  },
)
