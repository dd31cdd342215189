import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { StaffAccount, StaffLink } from '../../core/contract/staff.ts'
import { answer, type MadeCall, refusal } from './api.ts'
import { emptyDashboard, findToast, openDashboard } from './page.tsx'
import { openSession, staffAccount } from './samples.ts'

const TAB = '/admin?tab=staff'
const EXPIRES = '2026-11-23T15:00:00.000Z'

beforeEach(() => {
  emptyDashboard()
  answer('GET /api/sessions', { sessions: [] })
})

/** Makes the server know these accounts. */
function store(...staff: StaffAccount[]): MadeCall[] {
  return answer('GET /api/staff', { staff, shared_password: { state: 'on', can_switch_off: false } })
}

/** An account without a password, whose invitation stands so. */
function invited(
  id: number,
  state: StaffLink['state'],
  overrides: Partial<StaffAccount> = {},
  error: string | null = null,
): StaffAccount {
  const expires_at = state === 'sending' ? null : EXPIRES
  return staffAccount(id, { has_password: false, link: { kind: 'invitation', state, expires_at, error }, ...overrides })
}

async function findRow(name: string) {
  const cell = await screen.findByText(name, { selector: 'td *' })
  return within(cell.closest('tr') as HTMLElement)
}

describe('the accounts of staff', () => {
  it('are none at first', async () => {
    await openDashboard(TAB)
    await screen.findByText('No accounts yet. Until then, everyone signs in with the shared password.')
    await screen.findByText('No one is signed in.')
  })

  it('are listed with what they are and when they were seen', async () => {
    store(
      staffAccount(3, { open_sessions: 2, last_seen_at: new Date(Date.now() - 5 * 60_000).toISOString() }),
      invited(4, 'sent', { name: 'Ben Ito' }),
      invited(5, 'sent', { name: 'Cleo Ames', disabled_at: EXPIRES }),
    )
    await openDashboard(TAB)
    const ada = await findRow('Ada Park')
    for (const text of ['ada@leadwell.example', '2', '5 minutes ago', 'Since Oct 1, 2026']) ada.getByText(text)
    ;(await findRow('Ben Ito')).getByText('Invitation sent')
    const cleo = await findRow('Cleo Ames')
    cleo.getByText('Disabled')
    expect(cleo.queryByText('Invitation sent')).toBeNull()
    expect(cleo.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Enable'])
  })

  it('are said not to be loaded', async () => {
    answer('GET /api/staff', () => refusal(503, { error: 'Not now.', code: 'unavailable' }))
    await openDashboard(TAB)
    expect((await screen.findByRole('alert')).textContent).toBe('Error503: Not now.Try again')
  })

  it('leave one’s own to others', async () => {
    emptyDashboard({ id: 3, name: 'Ada Park', email: 'ada@leadwell.example' })
    store(staffAccount(3), staffAccount(4, { name: 'Ben Ito' }))
    await openDashboard(TAB)
    const own = await findRow('Ada Park')
    own.getByText('You')
    own.getByText('Only another manager can change your account.')
    expect([...own.queryAllByRole('button'), ...own.queryAllByRole('combobox')]).toEqual([])
    ;(await findRow('Ben Ito')).getByRole('combobox', { name: 'Role of Ben Ito' })
  })

  it('are nothing for viewers, who do not even ask', async () => {
    const asked = store()
    emptyDashboard({ id: 3, name: 'Ada Park', email: 'ada@leadwell.example', role: 'viewer' })
    await openDashboard('/admin?tab=staff')
    await screen.findByRole('tab', { name: 'Activity' })
    expect(screen.queryByRole('tab', { name: 'Staff' })).toBeNull()
    expect(asked).toEqual([])
  })
})

describe('adding an account', () => {
  it('says where the invitation goes, and lists how far it is', async () => {
    const user = await openDashboard(TAB)
    const dialog = await openDialog(user)
    await user.type(dialog.getByLabelText('Name'), 'Ada Park')
    await user.type(dialog.getByLabelText('Email'), 'ada@leadwell.example')
    const account = invited(3, 'sending', { role: 'viewer' })
    const added = answer('POST /api/staff', account)
    store(account)
    await user.click(dialog.getByRole('button', { name: 'Add account' }))
    await screen.findByRole('heading', { name: 'Account added' })
    dialog.getByText('ada@leadwell.example')
    expect(added.map(({ body }) => body)).toEqual([{ name: 'Ada Park', email: 'ada@leadwell.example', role: 'viewer' }])
    await user.click(dialog.getByRole('button', { name: 'Done' }))
    ;(await findRow('Ada Park')).getByText('Invitation is being sent')
  })

  it('says at the field what is wrong', async () => {
    const user = await openDashboard(TAB)
    const dialog = await openDialog(user)
    await user.click(dialog.getByRole('button', { name: 'Add account' }))
    await dialog.findByText('Name is required')
  })

  it('says at the e-mail that it has an account already', async () => {
    const error = 'There is already an account with this e-mail.'
    answer('POST /api/staff', () => refusal(409, { error, code: 'conflict' }))
    const user = await openDashboard(TAB)
    const dialog = await openDialog(user)
    await user.type(dialog.getByLabelText('Name'), 'Ada again')
    await user.type(dialog.getByLabelText('Email'), 'ada@leadwell.example')
    await user.click(dialog.getByRole('button', { name: 'Add account' }))
    await dialog.findByText(error)
    expect(dialog.getByLabelText('Email').getAttribute('aria-invalid')).toBe('true')
  })

  async function openDialog(user: Awaited<ReturnType<typeof openDashboard>>) {
    await user.click(await screen.findByRole('button', { name: 'Add an account' }))
    return within(screen.getByRole('dialog'))
  }
})

describe('an account', () => {
  it('gets another role', async () => {
    store(staffAccount(3, { role: 'viewer' }))
    const changes = answer('PATCH /api/staff/{id}', staffAccount(3))
    const user = await openDashboard(TAB)
    const role = (await findRow('Ada Park')).getByRole<HTMLSelectElement>('combobox', { name: 'Role of Ada Park' })
    store(staffAccount(3))
    await user.selectOptions(role, 'Manager')
    expect(changes).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Save: Role of Ada Park' }))
    await findToast('Success', 'Account changed')
    await waitFor(() => expect(role.value).toBe('manager'))
    expect(changes.map(({ params, body }) => [params, body])).toEqual([[{ id: 3 }, { role: 'manager' }]])
  })

  it('is disabled when that is confirmed, and enabled again', async () => {
    store(staffAccount(3))
    const disabled = staffAccount(3, { disabled_at: EXPIRES })
    const changes = answer('PATCH /api/staff/{id}', disabled)
    const user = await openDashboard(TAB)
    await user.click((await findRow('Ada Park')).getByRole('button', { name: 'Disable' }))
    const dialog = within(screen.getByRole('dialog', { name: 'Disable this account?' }))
    expect(changes).toEqual([])
    store(disabled)
    await user.click(dialog.getByRole('button', { name: 'Disable' }))
    const row = await findRow('Ada Park')
    await row.findByText('Disabled')
    store(staffAccount(3))
    await user.click(row.getByRole('button', { name: 'Enable' }))
    await waitFor(() => expect(row.queryByText('Disabled')).toBeNull())
    expect(changes.map(({ body }) => body)).toEqual([{ disabled: true }, { disabled: false }])
  })

  it('stays as it is when the server refuses the change, in the words of the server', async () => {
    store(staffAccount(3))
    answer('PATCH /api/staff/{id}', () => refusal(403, { error: 'Only managers may.', code: 'forbidden' }))
    const user = await openDashboard(TAB)
    await user.selectOptions((await findRow('Ada Park')).getByRole('combobox'), 'Viewer')
    await user.click(screen.getByRole('button', { name: /^Save/ }))
    await findToast('Failed to change the account', '403: Only managers may.')
  })

  it('loses its sessions, and nobody else does', async () => {
    const account = { id: 3, name: 'Ada Park', email: 'ada@leadwell.example', role: 'manager' } as const
    const [hers, others, own] = [
      openSession(1, { account }),
      openSession(2),
      openSession(4, { account, current: true }),
    ]
    answer('GET /api/sessions', { sessions: [hers, others, own] })
    const ended = answer('DELETE /api/sessions/{id}', { success: true })
    store(staffAccount(3, { open_sessions: 2 }))
    const user = await openDashboard(TAB)
    await user.click((await findRow('Ada Park')).getByRole('button', { name: 'End sessions' }))
    const dialog = within(screen.getByRole('dialog', { name: 'End the sessions of Ada Park?' }))
    dialog.getByText('2 browsers will have to sign in again.')
    store(staffAccount(3))
    await user.click(dialog.getByRole('button', { name: 'End sessions' }))
    await findToast('Success', 'Sessions ended')
    expect(ended.map(({ params }) => params)).toEqual([{ id: 1 }])
    await waitFor(() => expect(screen.queryByRole('button', { name: 'End sessions' })).toBeNull())
  })

  it('is sent a link when its password is reset, once that is confirmed', async () => {
    store(staffAccount(3))
    const account = invited(3, 'sending')
    const resets = answer('POST /api/staff/{id}/reset', account)
    const user = await openDashboard(TAB)
    await user.click((await findRow('Ada Park')).getByRole('button', { name: 'Reset password' }))
    const dialog = within(screen.getByRole('dialog', { name: 'Reset this password?' }))
    dialog.getByText(/A link to choose a new one is sent to ada@leadwell\.example\./)
    expect(resets).toEqual([])
    store(account)
    await user.click(dialog.getByRole('button', { name: 'Reset password' }))
    await findToast('Success', 'A link is on its way to ada@leadwell.example')
    expect(resets.map(({ params }) => params)).toEqual([{ id: 3 }])
  })

  it.each([
    ['retrying', 'Invitation not delivered yet', 'The mail server does not answer.'],
    ['failed', 'Invitation could not be delivered', 'There is no such mailbox.'],
    ['expired', 'Invitation expired', null],
  ] as const)('whose invitation is %s says so, and it can be sent again', async (state, words, error) => {
    store(invited(3, state, {}, error))
    const sent = answer('POST /api/staff/{id}/reset', invited(3, 'sending'))
    const user = await openDashboard(TAB)
    const row = await findRow('Ada Park')
    row.getByText(words)
    if (error) row.getByText(error)
    store(invited(3, 'sent'))
    await user.click(row.getByRole('button', { name: 'Send again' }))
    await row.findByText('Invitation sent')
    row.getByText(/^The link works until /)
    expect(sent.map(({ params }) => params)).toEqual([{ id: 3 }])
  })

  it('keeps its password when that cannot be reset', async () => {
    store(staffAccount(3))
    answer('POST /api/staff/{id}/reset', () => refusal(403, { error: 'Only managers may.', code: 'forbidden' }))
    const user = await openDashboard(TAB)
    await user.click((await findRow('Ada Park')).getByRole('button', { name: 'Reset password' }))
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Reset password' }))
    await findToast('Failed to send the link', '403: Only managers may.')
  })
})

describe('the shared password', () => {
  const withState = (state: 'none' | 'on' | 'off', can_switch_off = true) =>
    answer('GET /api/staff', { staff: [staffAccount(3)], shared_password: { state, can_switch_off } })

  it('is recommended to be switched off, which takes a confirmation', async () => {
    withState('on')
    const switched = answer('DELETE /api/shared-password', { success: true })
    const user = await openDashboard(TAB)
    await screen.findByText(/We recommend switching it off: managers have accounts/)
    await user.click(screen.getByRole('button', { name: 'Switch off' }))
    expect(switched).toEqual([])
    withState('off')
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Switch off' }))
    await findToast('Success', 'The shared password is switched off')
    await screen.findByText(/^The shared password is switched off: everyone signs in with an account/)
    expect(switched).toHaveLength(1)
  })

  it('stays while no manager could sign in without it', async () => {
    withState('on', false)
    await openDashboard(TAB)
    await screen.findByText(/First, a manager needs an account/)
    expect(screen.queryByRole('button', { name: 'Switch off' })).toBeNull()
  })

  it('is not spoken of where there is none', async () => {
    withState('none')
    await openDashboard(TAB)
    await findRow('Ada Park')
    expect(screen.queryByRole('heading', { name: 'Shared password' })).toBeNull()
  })
})
