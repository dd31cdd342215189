import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../../core/contract/session.ts'
import { answer, refusal } from './api.ts'
import { chooseInMenu, emptyDashboard, findToast, openDashboard, session } from './page.tsx'
import { openSession } from './samples.ts'

const ADA: Person = {
  id: 3,
  name: 'Ada Park',
  email: 'ada@leadwell.example',
  role: 'manager',
}
const ACCOUNT = { id: 3, name: 'Ada Park', email: 'ada@leadwell.example', role: 'manager' } as const
const OWN = 'four words in a row'
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1'

beforeEach(() => emptyDashboard(ADA))

async function typePasswords(user: UserEvent, [current = '', chosen = '', repeated = '']: string[]): Promise<void> {
  const form = await screen.findByRole('form', { name: 'Change password' })
  const fields = form.querySelectorAll<HTMLInputElement>('input[type=password]')
  for (const [index, words] of [current, chosen, repeated].entries()) {
    const field = fields[index] as HTMLInputElement
    await user.clear(field)
    await user.type(field, words)
  }
  await user.click(within(form).getByRole('button', { name: 'Save password' }))
}

describe('the form for a new password', () => {
  it.each([
    ['that was not typed the same twice', [OWN, `${OWN} `], 'The passwords do not match'],
    ['that is too short', ['short', 'short'], 'The new password must have 12 characters or more'],
  ])('refuses one %s', async (_what, [chosen = '', repeated = ''], words) => {
    const user = await openForm()
    await typePasswords(user, ['old', chosen, repeated])
    await screen.findByText(words)
  })

  it.each([
    ['the old password', { password: 'Invalid password' }, 'Current password'],
    ['the new password', { new_password: 'This password is known.' }, 'New password'],
  ])('says at its field what the server has against %s', async (_what, fields, label) => {
    const user = await openForm()
    answer('POST /api/session/password', () => refusal(422, { error: 'No.', code: 'invalid', fields }))
    await typePasswords(user, ['old', OWN, OWN])
    const [words = ''] = Object.values(fields)
    await screen.findByText(words)
    expect(screen.getByLabelText(label).getAttribute('aria-invalid')).toBe('true')
  })

  it('goes when the password is changed', async () => {
    const user = await openForm()
    answer('POST /api/session/password', session(ADA))
    await typePasswords(user, ['old', OWN, OWN])
    await findToast('Success', 'Your password has been changed')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  async function openForm(): Promise<UserEvent> {
    const user = await openDashboard()
    await chooseInMenu(user, 'Change password')
    return user
  }
})

describe('the sessions of an account', () => {
  const HERE = openSession(1, { current: true, account: ACCOUNT })
  const PHONE = openSession(2, { account: ACCOUNT, user_agent: IPHONE })

  it('are listed, and all but this one can be ended', async () => {
    const asked = answer('GET /api/sessions', { sessions: [HERE, PHONE] })
    const user = await openDashboard()
    await chooseInMenu(user, 'My sessions')
    const dialog = within(await screen.findByRole('dialog', { name: 'My sessions' }))
    await dialog.findByText('This browser')
    expect(asked.map(({ query }) => query)).toEqual([{ of: 'me' }])
    expect(dialog.getAllByRole('listitem')).toHaveLength(2)

    const ended = answer('DELETE /api/sessions/{id}', { success: true })
    answer('GET /api/sessions', { sessions: [HERE] })
    await user.click(dialog.getByRole('button', { name: 'End session of Ada Park in Safari on iPhone' }))
    await findToast('Success', 'Session ended')
    await waitFor(() => expect(dialog.getAllByRole('listitem')).toHaveLength(1))
    expect(ended.map(({ params }) => params)).toEqual([{ id: 2 }])
    await user.click(dialog.getByRole('button', { name: 'Close' }))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('are said not to be loaded', async () => {
    answer('GET /api/sessions', () => refusal(503, { error: 'Not now.', code: 'unavailable' }))
    const user = await openDashboard()
    await chooseInMenu(user, 'My sessions')
    expect((await screen.findByRole('alert')).textContent).toBe('Error503: Not now.Try again')
  })

  it('of the shared password are those of everybody who has it, who can change no password', async () => {
    emptyDashboard()
    answer('GET /api/sessions', { sessions: [openSession(1, { current: true })] })
    const user = await openDashboard()
    await user.click(await screen.findByRole('button', { name: 'Account of Shared password Manager' }))
    expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
      'My sessions',
      'Setup',
      'Sign out',
    ])
    await user.click(screen.getByRole('menuitem', { name: 'My sessions' }))
    await screen.findByText('The browsers that are signed in with the shared password.')
  })
})
