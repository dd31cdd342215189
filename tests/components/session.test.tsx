import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { Session } from '../../core/staff/contract/session.ts'
import { answer, bodiesOf, noAnswer, refusal } from './api.ts'
import { chooseInMenu, emptyDashboard, findToast, openDashboard, openPage, session } from './page.tsx'
import { lead } from './samples.ts'

const ADA = { id: 3, name: 'Ada Park', email: 'ada@leadwell.example', role: 'viewer' } as const
const SHARED = { id: null, name: 'staff', email: null, role: 'manager' } as const
const OUT = session()

/** Opens a page of the staff as somebody who is not signed in. */
function openLocked(path = '/admin', state: Partial<Session> = {}) {
  emptyDashboard()
  answer('GET /api/session', { ...OUT, ...state })
  return openPage(path)
}
const password = () => screen.findByLabelText<HTMLInputElement>('Password')
const dashboard = () => screen.findByRole('tab', { name: 'Leads (0)' })

describe('the gate', () => {
  const slow = 'Too many attempts. Please wait a minute.'
  it.each([
    ['a wrong password', () => refusal(401, { error: 'No.', code: 'unauthorized' }), 'Invalid password'],
    ['too many guesses', () => refusal(429, { error: slow, code: 'rate_limited' }), slow],
    ['a server that does not answer', noAnswer, 'The server is not responding. Please try again.'],
    ['a server that fails', () => refusal(500, { error: 'Sorry.', code: 'internal' }), '500: Sorry.'],
  ])('tells at the field of %s', async (_what, reply, words) => {
    const user = openLocked()
    answer('POST /api/session', reply)
    await user.type(await password(), 'guess{Enter}')
    await screen.findByText(words)
    const field = await password()
    expect(field.getAttribute('aria-invalid')).toBe('true')
    await waitFor(() => expect(document.activeElement).toBe(field))
    expect(sessionStorage.getItem('auth')).toBeNull()
  })

  it('takes an account by its email, says who it is, and still takes the shared password', async () => {
    const user = openLocked('/admin', { ways: { account: true, shared: true, single_sign_on: null } })
    const email = await screen.findByLabelText('Email')
    await user.click(screen.getByRole('button', { name: 'Use the shared password instead' }))
    expect(screen.queryByLabelText('Email')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Use my account instead' }))
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Email')))
    expect(email.isConnected).toBe(false)
    const logins = answer('POST /api/session', session(ADA))
    await user.type(screen.getByLabelText('Email'), ADA.email)
    await user.type(await password(), 'x{Enter}')
    await screen.findByRole('button', { name: /^Account of Ada Park Viewer$/ })
    expect(bodiesOf(logins)).toEqual([{ email: ADA.email, password: 'x' }])
  })

  it('sends a link to those who forgot their password, and says what the server has against it', async () => {
    const user = openLocked('/admin', { ways: { account: true, shared: false, single_sign_on: null } })
    await user.type(await screen.findByLabelText('Email'), ADA.email)
    await user.click(screen.getByRole('button', { name: 'Forgot your password?' }))
    answer('POST /api/session/reset', () => refusal(429, { error: slow, code: 'rate_limited' }))
    await user.click(screen.getByRole('button', { name: 'Email me a link' }))
    await screen.findByText(new RegExp(slow))
    const asked = answer('POST /api/session/reset', { success: true })
    await user.click(screen.getByRole('button', { name: 'Email me a link' }))
    await screen.findByText(
      /^If ada@leadwell\.example has an account with a password, a link to choose a new one is on its way/,
    )
    expect(bodiesOf(asked)).toEqual([{ email: ADA.email }])
    await user.click(screen.getByRole('button', { name: 'Back to the sign-in' }))
    await password()
  })

  it('says how to make the first account where nobody can sign in', async () => {
    openLocked('/admin', { ways: { account: false, shared: false, single_sign_on: null } })
    await screen.findByText(/^No one can sign in yet\./)
    expect(screen.queryByLabelText('Password')).toBeNull()
  })

  it('says that the server cannot be asked, and tries again', async () => {
    answer('GET /api/session', noAnswer)
    const user = openPage('/admin')
    await screen.findByText('The server is not responding. Please try again.')
    answer('GET /api/session', OUT)
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await password()
  })

  it('closes when the session has ended on the server, and forgets what was seen', async () => {
    emptyDashboard()
    answer('GET /api/leads', () => refusal(401, { error: 'Please sign in.', code: 'unauthorized' }))
    openPage('/admin')
    await screen.findByText('Your session has ended. Please sign in again.')
    expect(sessionStorage.getItem('auth')).toBeNull()
  })

  it('stays open when another tab has signed in meanwhile, and reads again what was refused', async () => {
    emptyDashboard()
    let reads = 0
    answer('GET /api/session', () => {
      reads += 1
      return session(SHARED)
    })
    const refused = () => refusal(401, { error: 'Please sign in.', code: 'unauthorized' })
    answer('GET /api/leads', () => (reads < 2 ? refused() : { leads: [lead(1)], total: 1 }))
    openPage('/admin')
    await screen.findByRole('tab', { name: 'Leads (1)' })
  })

  it('stays open when signing out fails', async () => {
    emptyDashboard()
    answer('DELETE /api/session', noAnswer)
    const user = await openDashboard()
    await chooseInMenu(user, 'Sign out')
    await findToast('Failed to sign out')
    await dashboard()
  })

  it('is not there where the dashboard is open to everyone, but an account has its menu there', async () => {
    emptyDashboard()
    answer('GET /api/session', { ...session(ADA), access: 'open' })
    answer('DELETE /api/session', { ...session(SHARED), access: 'open' })
    const user = await openDashboard()
    await chooseInMenu(user, 'Sign out')
    await waitFor(() => expect(screen.getByRole('banner').textContent).toMatch(/Open\sto everyone/))
    expect(screen.queryByRole('button', { name: /^Account of / })).toBeNull()
  })
})

describe('single sign-on', () => {
  const ways = { account: true, shared: false, single_sign_on: 'Example ID' }
  const link = () => screen.findByRole('link', { name: 'Example ID' })

  it('has a button that leads to the provider, and back to the page', async () => {
    openLocked('/admin?tab=activity', { ways })
    expect((await link()).getAttribute('href')).toBe('/admin/sso?return=%2Fadmin%3Ftab%3Dactivity')
  })

  it.each([
    ['unknown', 'There is no account for you here. Ask a manager to add one.'],
    ['cancelled', 'You cancelled the sign-in.'],
  ])('says in a sentence what went wrong: %s', async (problem, words) => {
    openLocked(`/admin?sso=${problem}`, { ways })
    await screen.findByText(words)
  })

  it('says nothing that somebody else has put into the address', async () => {
    openLocked('/admin?sso=Call%20%2B1%20555', { ways })
    expect((await link()).getAttribute('href')).toBe('/admin/sso?return=%2Fadmin')
    expect(document.body.textContent).not.toContain('Call')
  })

  it('opens the dashboard once the provider has returned the browser', async () => {
    emptyDashboard(ADA)
    openPage('/admin?tab=applications&sso=done')
    await screen.findByRole('heading', { name: 'Admin Dashboard' })
    await waitFor(() => expect(window.location.search).toBe('?tab=applications'))
  })

  it('is offered to confirm that it is you', async () => {
    emptyDashboard(ADA)
    const manager = session({ ...ADA, role: 'manager' })
    answer('GET /api/session', { ...manager, ways, two_step: false, lacks_factor: false, identity_confirmed: false })
    const user = openPage('/admin?tab=providers&sso=done')
    await user.click(await screen.findByRole('link', { name: 'Export Providers CSV' }))
    const again = await screen.findByRole('link', { name: 'Example ID, then repeat this' })
    expect(again.getAttribute('href')).toBe('/admin/sso?return=%2Fadmin%3Ftab%3Dproviders&fresh=')
  })
})

it('a password that is not typed twice the same is not sent, and the link leaves the address at once', async () => {
  const link = { kind: 'invitation' as const, name: ADA.name, email: ADA.email, expires_at: '2026-11-23T15:00:00.000Z' }
  answer('POST /api/session/link', link)
  const user = openPage('/admin/password#token-from-the-mail')
  await screen.findByText('Welcome, Ada Park. You sign in with ada@leadwell.example and this password.')
  expect(window.location.href).not.toContain('token-from-the-mail')
  await user.type(await screen.findByLabelText('New password'), 'four words in a row')
  await user.type(screen.getByLabelText('Confirm new password'), 'another one entirely{Enter}')
  await screen.findByText('The passwords do not match')
})
