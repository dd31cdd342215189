import { act, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MINUTE, SECOND } from '../../core/contract/time.ts'
import { answer, bodiesOf, refusal } from './api.ts'
import { chooseInMenu, emptyDashboard, findToast, openDashboard, session } from './page.tsx'
import { openSession, staffAccount } from './samples.ts'

const ADA = { id: 3, name: 'Ada Park', email: 'ada@leadwell.example', role: 'manager' } as const
beforeEach(() => emptyDashboard(ADA))

it('a new password is chosen by a link, which the account’s own address gets', async () => {
  const asked = answer('POST /api/session/reset', { success: true })
  const user = await openDashboard()
  await chooseInMenu(user, 'Change password')
  await user.click(await screen.findByRole('button', { name: 'Email me the link' }))
  await findToast('Success', 'A link is on its way to ada@leadwell.example')
  expect(bodiesOf(asked)).toEqual([{ email: ADA.email }])
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

describe('the sessions', () => {
  it('of an account are listed, and all but this one can be ended', async () => {
    const here = openSession(1, { current: true })
    const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1'
    const sessions = [here, openSession(2, { user_agent: iphone })]
    answer('GET /api/sessions', { sessions })
    const user = await openDashboard()
    await chooseInMenu(user, 'My sessions')
    const dialog = within(await screen.findByRole('dialog', { name: 'My sessions' }))
    await dialog.findByText('This browser')
    const ended = answer('DELETE /api/sessions/{id}', { success: true })
    answer('GET /api/sessions', { sessions: [here] })
    await user.click(dialog.getByRole('button', { name: 'End session in Safari on iPhone' }))
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
    expect(items).toEqual(['My sessions', 'Settings', 'Help', 'Sign out'])
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
    expect(bodiesOf(changes)).toEqual([{ disabled: true }, { disabled: true }])
  })

  it('is a code of the app for an account that has one', async () => {
    answer('GET /api/session', { ...session(ADA), two_step: true, lacks_factor: false })
    const proofs = answer('POST /api/session/confirm', () => {
      isConfirmed = true
      return session(ADA)
    })
    const { user, dialog } = await disableBen()
    expect(dialog.queryByLabelText('Password')).toBeNull()
    await user.type(dialog.getByRole('textbox', { name: 'Code' }), '123456{Enter}')
    await findToast('Success', 'Account changed')
    expect(bodiesOf(proofs)).toEqual([{ code: '123456' }])
  })

  it('may be left out, and then nothing is done', async () => {
    const { user, dialog, changes } = await disableBen()
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    await findToast('Failed to change the account', '403: Confirm that it is you.')
    expect(changes).toHaveLength(1)
  })

  it('is asked for before a download: a browser would save the refusal as the file', async () => {
    answer('GET /api/session', { ...session(ADA), identity_confirmed: false })
    const user = await openDashboard('/admin?tab=providers')
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

  it('asks two minutes before the end, goes on with a click or another window, and is closed at the end', async () => {
    const { state, reports } = serve()
    await openDashboard()
    await pass(27 * MINUTE)
    expect(dialog()).toBeNull()
    await pass(1.5 * MINUTE)
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Stay signed in' }))
    expect(screen.getByRole('timer').textContent).toMatch(/^Signing out in 1:\d\d$/)
    await user().click(screen.getByRole('button', { name: 'Stay signed in' }))
    await pass(27 * MINUTE)
    expect(dialog()).toBeNull()
    expect(reports).toHaveLength(1)
    await pass(1.5 * MINUTE)
    expect(dialog()).not.toBeNull()
    state.endsAt = Date.now() + 30 * MINUTE
    await pass(15 * SECOND)
    expect(dialog()).toBeNull()
    await pass(30.5 * MINUTE)
    await screen.findByText('Your session has ended. Please sign in again.')
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
