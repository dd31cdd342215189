import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { Person } from '../../core/contract/session.ts'
import { answer, heldAnswer, noAnswer, refusal } from './api.ts'
import { chooseInMenu, emptyDashboard, findToast, openDashboard, openPage, session } from './page.tsx'

const ADA: Person = {
  id: 3,
  name: 'Ada Park',
  email: 'ada@leadwell.example',
  role: 'viewer',
}
const SHARED: Person = { id: null, name: 'staff', email: null, role: 'manager' }
const OUT = session()
const signedIn = (staff: Person) => session(staff)

/** Opens a page of the staff as somebody who is not signed in. */
function openLocked(path = '/admin') {
  emptyDashboard()
  answer('GET /api/session', OUT)
  return openPage(path)
}

const dashboard = () => screen.findByRole('heading', { name: 'Admin Dashboard' })
const signInButton = () => screen.findByRole('button', { name: 'Sign in' })

describe.each(['/admin', '/getmpx'])('%s', (path) => {
  it('opens with the password, which the tab remembers until somebody signs out', async () => {
    const user = openLocked(path)
    await screen.findByText('Enter the password to continue.')
    const logins = answer('POST /api/session', signedIn(SHARED))
    await user.type(screen.getByLabelText('Password'), 'open sesame')
    await user.click(await signInButton())
    await screen.findByRole('tab', { name: 'Leads (0)' })
    expect(logins.map(({ body }) => body)).toEqual([{ password: 'open sesame' }])
    expect(sessionStorage.getItem('auth')).toBe('true')

    answer('GET /api/session', signedIn(SHARED))
    answer('DELETE /api/session', OUT)
    await chooseInMenu(user, 'Sign out')
    await screen.findByText('Enter the password to continue.')
    expect(sessionStorage.getItem('auth')).toBeNull()
  })
})

describe('a session that was opened in another tab', () => {
  it('opens /admin', async () => {
    emptyDashboard()
    openPage('/admin')
    await screen.findByRole('tab', { name: 'Leads (0)' })
  })

  it('does not open /getmpx, whatever the server says', async () => {
    emptyDashboard()
    openPage('/getmpx')
    await screen.findByLabelText('Password')
    expect(screen.queryByRole('tab')).toBeNull()
  })
})

it('a wrong first password in an open dashboard says so, and tells of no session', async () => {
  emptyDashboard()
  answer('GET /api/session', { ...signedIn(SHARED), access: 'open' })
  answer('POST /api/session', () => refusal(401, { error: 'Invalid password', code: 'unauthorized' }))
  const user = openPage('/getmpx')
  await user.type(await screen.findByLabelText('Password'), 'guess')
  await user.click(await signInButton())
  await screen.findByText('Invalid password')
  expect(screen.queryByText(/session has ended/)).toBeNull()
})

it('an account that is signed in has its menu in an open dashboard', async () => {
  emptyDashboard()
  answer('GET /api/session', { ...signedIn(ADA), access: 'open' })
  await openDashboard()
  await screen.findByRole('button', { name: /^Account of Ada Park/ })
  expect(screen.queryByText(/Open to everybody/)).toBeNull()
})

describe('signing in', () => {
  it('wants a password', async () => {
    const user = openLocked()
    await user.click(await signInButton())
    await screen.findByText('Enter the password')
    expect(document.activeElement).toBe(screen.getByLabelText('Password'))
  })

  it.each([
    ['a wrong password', () => refusal(401, { error: 'No.', code: 'unauthorized' }), 'Invalid password'],
    [
      'too many guesses, with how long to wait',
      () => refusal(429, { error: 'Too many attempts. Please wait a minute.', code: 'rate_limited' }),
      'Too many attempts. Please wait a minute.',
    ],
    [
      'too many sign-ins at once',
      () => refusal(503, { error: 'Too many people are signing in at the moment.', code: 'unavailable' }),
      'Too many people are signing in at the moment.',
    ],
    ['a server that does not answer', noAnswer, 'The server is not responding. Please try again.'],
    ['a server that fails', () => refusal(500, { error: 'Sorry.', code: 'internal' }), '500: Sorry.'],
  ])('tells at the field of %s', async (_what, reply, words) => {
    const user = openLocked()
    answer('POST /api/session', reply)
    await user.type(await screen.findByLabelText('Password'), 'guess')
    await user.click(await signInButton())
    await screen.findByText(words)
    const field = screen.getByLabelText('Password')
    expect(field.getAttribute('aria-invalid')).toBe('true')
    await waitFor(() => expect(document.activeElement).toBe(field))
    expect(sessionStorage.getItem('auth')).toBeNull()
  })

  it('with an account takes its e-mail, and says who it is', async () => {
    const user = openLocked()
    await user.click(await screen.findByRole('button', { name: 'Use my account instead' }))
    screen.getByText('Enter your e-mail and your password.')
    expect(document.activeElement).toBe(screen.getByLabelText('Email'))
    await user.type(screen.getByLabelText('Password'), 'x')
    await user.click(await signInButton())
    await screen.findByText('Email is required')

    const logins = answer('POST /api/session', signedIn(ADA))
    await user.type(screen.getByLabelText('Email'), 'ada@leadwell.example')
    await user.click(await signInButton())
    await screen.findByRole('button', { name: /^Account of Ada Park Viewer$/ })
    expect(logins.map(({ body }) => body)).toEqual([{ email: 'ada@leadwell.example', password: 'x' }])
  })

  it('goes back to the shared password', async () => {
    const user = openLocked()
    await user.click(await screen.findByRole('button', { name: 'Use my account instead' }))
    await user.click(screen.getByRole('button', { name: 'Use the shared password instead' }))
    expect(screen.queryByLabelText('Email')).toBeNull()
    expect(document.activeElement).toBe(screen.getByLabelText('Password'))
  })
})

describe('the prompt', () => {
  const openWith = (ways: { account: boolean; shared: boolean }) => {
    emptyDashboard()
    answer('GET /api/session', { ...OUT, ways })
    return openPage('/admin')
  }

  it('asks for an account where there are some, and still takes the shared password', async () => {
    const user = openWith({ account: true, shared: true })
    await screen.findByLabelText('Email')
    screen.getByText('Forgot your password? Ask a manager to reset it.')
    await user.click(screen.getByRole('button', { name: 'Use the shared password instead' }))
    expect(screen.queryByLabelText('Email')).toBeNull()
  })

  it('knows nothing of a shared password that is switched off', async () => {
    openWith({ account: true, shared: false })
    await screen.findByLabelText('Email')
    expect(screen.queryByRole('button', { name: /shared/ })).toBeNull()
  })

  it('says how to make the first account where nobody can sign in', async () => {
    openWith({ account: false, shared: false })
    await screen.findByText(/^No one can sign in yet\./)
    screen.getByText(/npm run staff -- add/)
    expect(screen.queryByLabelText('Password')).toBeNull()
  })
})

describe('the gate', () => {
  it('says that it is checking', async () => {
    const held = heldAnswer(OUT)
    answer('GET /api/session', held.answer)
    openPage('/admin')
    await screen.findByText('Loading...')
    held.release()
    await screen.findByLabelText('Password')
  })

  it('says that the server cannot be asked, and tries again', async () => {
    answer('GET /api/session', noAnswer)
    const user = openPage('/admin')
    await screen.findByText('The server is not responding. Please try again.')
    answer('GET /api/session', OUT)
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByLabelText('Password')
  })

  it('closes when the session has ended on the server, and forgets what was seen', async () => {
    emptyDashboard()
    answer('GET /api/leads', () => refusal(401, { error: 'Please sign in.', code: 'unauthorized' }))
    openPage('/admin')
    await screen.findByText('Your session has ended. Please sign in again.')
    expect(sessionStorage.getItem('auth')).toBeNull()
  })

  it('stays open when signing out fails', async () => {
    emptyDashboard()
    answer('DELETE /api/session', noAnswer)
    const user = await openDashboard()
    await chooseInMenu(user, 'Sign out')
    await findToast('Failed to sign out')
    await dashboard()
    await screen.findByRole('tab', { name: 'Leads (0)' })
  })

  it('is not there where the dashboard is open to everybody, who cannot sign out', async () => {
    emptyDashboard()
    answer('GET /api/session', { ...session(SHARED), access: 'open' })
    await openDashboard()
    expect(screen.getByRole('banner').textContent).toMatch(/Open\sto everybody/)
    expect(screen.queryByRole('button', { name: /^Account of / })).toBeNull()
  })
})
