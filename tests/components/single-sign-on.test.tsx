import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { answer, refusal } from './api.ts'
import { emptyDashboard, openPage, session } from './page.tsx'

const OUT = { ...session(), ways: { account: true, shared: false, passkey: false, single_sign_on: 'Example ID' } }

it('has a button that leads to the provider, and back to the page', async () => {
  answer('GET /api/session', OUT)
  openPage('/admin?tab=activity')
  const link = await screen.findByRole('link', { name: 'Example ID' })
  expect(link.getAttribute('href')).toBe('/admin/sso?return=%2Fadmin%3Ftab%3Dactivity')
})

it('is a way in where no account has a password', async () => {
  answer('GET /api/session', { ...OUT, ways: { ...OUT.ways, account: false } })
  openPage('/admin')
  await screen.findByRole('link', { name: 'Example ID' })
})

it.each([
  ['unknown', 'There is no account for you here. Ask a manager to add one.'],
  ['cancelled', 'You cancelled the sign-in.'],
])('says in a sentence what went wrong: %s', async (problem, words) => {
  answer('GET /api/session', OUT)
  openPage(`/admin?sso=${problem}`)
  await screen.findByText(words)
})

it('says nothing that somebody else has put into the address', async () => {
  answer('GET /api/session', OUT)
  openPage('/admin?sso=Call%20%2B1%20555')
  await screen.findByRole('link', { name: 'Example ID' })
  expect(document.body.textContent).not.toContain('Call')
  expect(screen.getByRole('link', { name: 'Example ID' }).getAttribute('href')).toBe('/admin/sso?return=%2Fadmin')
})

it('opens the dashboard once the provider has returned the browser', async () => {
  emptyDashboard({ id: 3, name: 'Ada Park', email: 'ada@leadwell.example' })
  openPage('/admin?tab=applications&sso=done')
  await screen.findByRole('heading', { name: 'Admin Dashboard' })
  await waitFor(() => expect(window.location.search).toBe('?tab=applications'))
})

it('is offered to confirm that it is you', async () => {
  emptyDashboard({ id: 3, name: 'Ada Park', email: 'ada@leadwell.example' })
  const person = { id: 3, name: 'Ada Park', email: 'ada@leadwell.example', role: 'manager' } as const
  answer('GET /api/session', { ...session(person), ways: OUT.ways, factors: [], lacks_factor: false })
  answer('GET /api/session/confirmed', () => refusal(403, { error: 'Confirm.', code: 'confirm_identity' }))
  answer('GET /api/overview', () => refusal(403, { error: 'Confirm.', code: 'confirm_identity' }))
  const user = openPage('/admin?sso=done')
  await user.click(await screen.findByRole('link', { name: 'Export Providers CSV' }))
  const link = await screen.findByRole('link', { name: 'Example ID, then repeat this' })
  expect(link.getAttribute('href')).toBe('/admin/sso?return=%2Fadmin&fresh=')
})
