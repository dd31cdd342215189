import { act, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MINUTE, SECOND } from '../../web/lib/time.ts'
import { answer, refusal } from './api.ts'
import { chooseInMenu, emptyDashboard, findToast, openDashboard, session } from './page.tsx'
import { openSession, staffAccount } from './samples.ts'

const ADA = { id: 3, name: 'Ada Park', email: 'ada@leadwell.example', role: 'manager' } as const
const bodies = (calls: { body?: unknown }[]) => calls.map(({ body }) => body)
beforeEach(() => emptyDashboard(ADA))

describe('the form for a new password', () => {
  const OWN = 'four words in a row'
  async function typePasswords(...passwords: string[]) {
    const user = await openDashboard()
    await chooseInMenu(user, 'Change password')
    const form = await screen.findByRole('form', { name: 'Change password' })
    const fields = form.querySelectorAll<HTMLInputElement>('input[type=password]')
    for (const [index, words] of passwords.entries()) await user.type(fields[index] as HTMLInputElement, words)
    await user.click(within(form).getByRole('button', { name: 'Save password' }))
  }

  it.each([
    ['the old password', { password: 'Invalid password' }, 'Current password'],
    ['the new password', { new_password: 'This password is known.' }, 'New password'],
  ])('says at its field what the server has against %s', async (_what, fields, label) => {
    answer('POST /api/session/password', () => refusal(422, { error: 'No.', code: 'invalid', fields }))
    await typePasswords('old', OWN, OWN)
    await screen.findByText(String(Object.values(fields)[0]))
    expect(screen.getByLabelText(label).getAttribute('aria-invalid')).toBe('true')
  })

  it('goes when the password is changed', async () => {
    const changes = answer('POST /api/session/password', session(ADA))
    await typePasswords('old', OWN, OWN)
    await findToast('Success', 'Your password has been changed')
    expect(bodies(changes)).toEqual([{ password: 'old', new_password: OWN }])
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

describe('the sessions', () => {
  it('of an account are listed, and all but this one can be ended', async () => {
    const here = openSession(1, { current: true, account: ADA })
    const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1'
    const sessions = [here, openSession(2, { account: ADA, user_agent: iphone })]
    const asked = answer('GET /api/sessions', { sessions })
    const user = await openDashboard()
    await chooseInMenu(user, 'My sessions')
    const dialog = within(await screen.findByRole('dialog', { name: 'My sessions' }))
    await dialog.findByText('This browser')
    expect(asked.map(({ query }) => query)).toEqual([{ of: 'me' }])
    const ended = answer('DELETE /api/sessions/{id}', { success: true })
    answer('GET /api/sessions', { sessions: [here] })
    await user.click(dialog.getByRole('button', { name: 'End session of Ada Park in Safari on iPhone' }))
    await findToast('Success', 'Session ended')
    await waitFor(() => expect(dialog.getAllByRole('listitem')).toHaveLength(1))
    expect(ended.map(({ params }) => params)).toEqual([{ id: 2 }])
  })

  it('of the shared password are those of everybody who has it, who can change no password', async () => {
    emptyDashboard()
    answer('GET /api/sessions', { sessions: [openSession(1, { current: true })] })
    const user = await openDashboard()
    await user.click(await screen.findByRole('button', { name: 'Account of Shared password Manager' }))
    const items = screen.getAllByRole('menuitem').map(({ textContent }) => textContent)
    expect(items).toEqual(['My sessions', 'Setup', 'Sign out'])
    await user.click(screen.getByRole('menuitem', { name: 'My sessions' }))
    await screen.findByText('The browsers that are signed in with the shared password.')
  })
})

describe('a confirmation of who one is', () => {
  const BEN = staffAccount(4, { name: 'Ben Ito', email: 'ben@leadwell.example' })
  const asksToConfirm = () => refusal(403, { error: 'Confirm that it is you.', code: 'confirm_identity' })
  let isConfirmed = false
  /** Lets the server do something only for those who have just said who they are. */
  const guarded = (answered: object) => () => (isConfirmed ? answered : asksToConfirm()) as never
  beforeEach(() => {
    isConfirmed = false
    answer('GET /api/sessions', { sessions: [] })
    answer('GET /api/staff', { staff: [BEN], shared_password: { state: 'none', can_switch_off: true } })
    answer('POST /api/session/confirm', ({ body }) => {
      const fields = { password: 'Invalid password' }
      if (body.password !== 'my own password') return refusal(422, { error: 'No.', code: 'invalid', fields })
      isConfirmed = true
      return session(ADA)
    })
  })
  const question = async () => within(await screen.findByRole('dialog', { name: 'Confirm your identity' }))

  async function disableBen() {
    const changes = answer('PATCH /api/staff/{id}', guarded(BEN))
    const user = await openDashboard('/admin?tab=staff')
    await user.click(await screen.findByRole('button', { name: 'Disable' }))
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Disable' }))
    return { user, changes, dialog: await question() }
  }

  it('is a password, with which the call goes on', async () => {
    const { user, dialog, changes } = await disableBen()
    await user.type(dialog.getByLabelText('Password'), 'wrong{Enter}')
    await dialog.findByText('Invalid password')
    await user.clear(dialog.getByLabelText('Password'))
    await user.type(dialog.getByLabelText('Password'), 'my own password{Enter}')
    await findToast('Success', 'Account changed')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(bodies(changes)).toEqual([{ disabled: true }, { disabled: true }])
  })

  it('may be left out, and then nothing is done', async () => {
    const { user, dialog, changes } = await disableBen()
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    await findToast('Failed to change the account', '403: Confirm that it is you.')
    expect(changes).toHaveLength(1)
  })

  it('is asked for before a download: a browser would save the refusal as the file', async () => {
    answer('GET /api/session', { ...session(ADA), identity_confirmed: false })
    const user = await openDashboard('/admin')
    await user.click(await screen.findByRole('link', { name: 'Export Providers CSV' }))
    await user.type((await question()).getByLabelText('Password'), 'my own password{Enter}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})

describe('a dashboard without activity', () => {
  beforeEach(() => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    emptyDashboard(ADA)
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  /** What the server does: a session of 30 minutes that activity makes last longer. */
  function serve() {
    const left = (ms: number) => ({ ...session(ADA), idle_seconds_left: Math.ceil(ms / SECOND) })
    const state = { endsAt: Date.now() + 30 * MINUTE }
    answer('GET /api/session', () => (state.endsAt > Date.now() ? left(state.endsAt - Date.now()) : session()))
    const reports = answer('POST /api/session/activity', () => {
      state.endsAt = Date.now() + 30 * MINUTE
      return left(30 * MINUTE)
    })
    return { state, reports }
  }
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  const dialog = () => screen.queryByRole('dialog', { name: 'Are you still there?' })
  const user = () => userEvent.setup({ advanceTimers: vi.advanceTimersByTime })

  it('asks two minutes before the end, and the session goes on with a click', async () => {
    const { reports } = serve()
    await openDashboard()
    await pass(27 * MINUTE)
    expect(dialog()).toBeNull()
    await pass(1.5 * MINUTE)
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Stay signed in' }))
    expect(screen.getByRole('timer').textContent).toMatch(/^Signing out in 1:\d\d$/)
    await user().click(screen.getByRole('button', { name: 'Stay signed in' }))
    await pass(10 * MINUTE)
    expect(dialog()).toBeNull()
    expect(reports).toHaveLength(1)
  })

  it('is closed at the end', async () => {
    serve()
    await openDashboard()
    await pass(28.5 * MINUTE)
    expect(dialog()).not.toBeNull()
    await pass(2 * MINUTE)
    await screen.findByText('Your session has ended. Please sign in again.')
    expect(dialog()).toBeNull()
  })

  it('takes its question back when another window keeps the session open', async () => {
    const { state } = serve()
    await openDashboard()
    await pass(28.5 * MINUTE)
    expect(dialog()).not.toBeNull()
    state.endsAt = Date.now() + 30 * MINUTE
    await pass(15 * SECOND)
    expect(dialog()).toBeNull()
  })

  it('reports activity at once, then twice a minute at most, and nothing that the page does by itself', async () => {
    const { reports } = serve()
    await openDashboard()
    await pass(10 * MINUTE)
    expect(reports).toEqual([])
    for (let n = 0; n < 10; n++) {
      await user().keyboard('a')
      await pass(SECOND)
    }
    expect(reports).toHaveLength(1)
    await pass(30 * SECOND)
    expect(reports).toHaveLength(2)
    await pass(5 * MINUTE)
    expect(reports).toHaveLength(2)
  })
})
