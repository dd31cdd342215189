import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { StaffAccount, StaffLink } from '../../core/staff/contract/staff.ts'
import { answer, type MadeCall, refusal } from './api.ts'
import { emptyDashboard, findToast, openDashboard } from './page.tsx'
import { staffAccount } from './samples.ts'

const TAB = '/admin?tab=staff'
const EXPIRES = '2026-11-23T15:00:00.000Z'
const ADA = { id: 3, name: 'Ada Park', email: 'ada@leadwell.example', role: 'manager' } as const
beforeEach(() => emptyDashboard())

const store = (...staff: StaffAccount[]) =>
  answer('GET /api/staff', { staff, shared_password: { state: 'on', can_switch_off: false } })
/** An account without a password, whose invitation stands so. */
function invited(
  id: number,
  state: StaffLink['state'],
  overrides: Partial<StaffAccount> = {},
  error: string | null = null,
) {
  const link = { kind: 'invitation', state, expires_at: state === 'sending' ? null : EXPIRES, error } as const
  return staffAccount(id, { has_password: false, link, ...overrides })
}
const findRow = async (name: string) =>
  within((await screen.findByText(name, { selector: 'td *' })).closest('tr') as HTMLElement)
/** Opens the tab, presses a button in the row of Ada, and returns the question that follows. */
async function press(name: string) {
  const user = await openDashboard(TAB)
  await user.click((await findRow('Ada Park')).getByRole('button', { name }))
  return { user, dialog: within(screen.getByRole('dialog')) }
}
const made = (calls: MadeCall[]) => calls.map(({ params, body }) => ({ ...params, ...body }))

describe('the accounts of staff', () => {
  it('are listed with what they are and when they were seen', async () => {
    const seen = new Date(Date.now() - 5 * 60_000).toISOString()
    store(
      staffAccount(3, { open_sessions: 2, last_seen_at: seen }),
      invited(4, 'sent', { name: 'Ben Ito' }),
      invited(5, 'sent', { name: 'Cleo Ames', disabled_at: EXPIRES }),
    )
    await openDashboard(TAB)
    const ada = await findRow('Ada Park')
    for (const text of ['ada@leadwell.example', '2', '5 minutes ago', 'Since Oct 1, 2026']) ada.getByText(text)
    ;(await findRow('Ben Ito')).getByText('Invitation sent')
    const cleo = await findRow('Cleo Ames')
    cleo.getByText('Disabled')
    expect(cleo.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Enable'])
  })

  it('leave one’s own to others', async () => {
    emptyDashboard(ADA)
    store(staffAccount(3), staffAccount(4, { name: 'Ben Ito' }))
    await openDashboard(TAB)
    const own = await findRow('Ada Park')
    own.getByText('Only another manager can change your account.')
    expect([...own.queryAllByRole('button'), ...own.queryAllByRole('combobox')]).toEqual([])
    ;(await findRow('Ben Ito')).getByRole('combobox', { name: 'Role of Ben Ito' })
  })
})

describe('an account', () => {
  it('is added: it says what is wrong, where the invitation goes, and how far that is', async () => {
    const user = await openDashboard(TAB)
    await user.click(await screen.findByRole('button', { name: 'Add an account' }))
    const dialog = within(screen.getByRole('dialog'))
    await user.type(dialog.getByLabelText('Name'), 'Ada Park')
    await user.type(dialog.getByLabelText('Email'), ADA.email)
    const error = 'There is already an account with this email.'
    answer('POST /api/staff', () => refusal(409, { error, code: 'conflict' }))
    await user.click(dialog.getByRole('button', { name: 'Add account' }))
    await dialog.findByText(error)
    const account = invited(3, 'sending', { role: 'viewer' })
    const added = answer('POST /api/staff', account)
    store(account)
    await user.click(dialog.getByRole('button', { name: 'Add account' }))
    await screen.findByRole('heading', { name: 'Account added' })
    expect(made(added)).toEqual([{ name: 'Ada Park', email: ADA.email, role: 'viewer' }])
    await user.click(screen.getByRole('button', { name: 'Done' }))
    ;(await findRow('Ada Park')).getByText('Invitation is being sent')
  })

  it('gets another role, or keeps its own when the server refuses', async () => {
    store(staffAccount(3, { role: 'viewer' }))
    answer('PATCH /api/staff/{id}', () => refusal(403, { error: 'Only managers may.', code: 'forbidden' }))
    const user = await openDashboard(TAB)
    const role = (await findRow('Ada Park')).getByRole<HTMLSelectElement>('combobox', { name: 'Role of Ada Park' })
    const save = () => screen.getByRole('button', { name: 'Save: Role of Ada Park' })
    await user.selectOptions(role, 'Manager')
    await user.click(save())
    await findToast('Failed to change the account', '403: Only managers may.')
    const changes = answer('PATCH /api/staff/{id}', staffAccount(3))
    store(staffAccount(3))
    await user.click(save())
    await findToast('Success', 'Account changed')
    await waitFor(() => expect(role.value).toBe('manager'))
    expect(made(changes)).toEqual([{ id: 3, role: 'manager' }])
  })

  it('is disabled when that is confirmed, and enabled again', async () => {
    store(staffAccount(3))
    const disabled = staffAccount(3, { disabled_at: EXPIRES })
    const changes = answer('PATCH /api/staff/{id}', disabled)
    const { user, dialog } = await press('Disable')
    expect(changes).toEqual([])
    store(disabled)
    await user.click(dialog.getByRole('button', { name: 'Disable' }))
    const row = await findRow('Ada Park')
    await row.findByText('Disabled')
    store(staffAccount(3))
    await user.click(row.getByRole('button', { name: 'Enable' }))
    await waitFor(() => expect(row.queryByText('Disabled')).toBeNull())
    expect(made(changes)).toMatchObject([{ disabled: true }, { disabled: false }])
  })

  it('is sent a link when its password is reset, once that is confirmed', async () => {
    store(staffAccount(3))
    const resets = answer('POST /api/staff/{id}/reset', invited(3, 'sending'))
    const { user, dialog } = await press('Reset password')
    dialog.getByText(/A link to choose a new one is sent to ada@leadwell\.example\./)
    expect(resets).toEqual([])
    await user.click(dialog.getByRole('button', { name: 'Reset password' }))
    await findToast('Success', 'A link is on its way to ada@leadwell.example')
    expect(made(resets)).toEqual([{ id: 3, what: 'password' }])
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
    expect(made(sent)).toEqual([{ id: 3, what: 'password' }])
  })
})

describe('the shared password', () => {
  const withState = (state: 'on' | 'off', can_switch_off = true) =>
    answer('GET /api/staff', { staff: [staffAccount(3)], shared_password: { state, can_switch_off } })

  it('is recommended to be switched off, which takes a confirmation', async () => {
    withState('on')
    const switched = answer('DELETE /api/shared-password', { success: true })
    const user = await openDashboard(TAB)
    await screen.findByText(/We recommend turning it off: managers have accounts/)
    await user.click(screen.getByRole('button', { name: 'Turn off' }))
    expect(switched).toEqual([])
    withState('off')
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Turn off' }))
    await findToast('Success', 'The shared password is turned off')
    await screen.findByText(/^The shared password is turned off: everyone signs in with an account/)
    expect(switched).toHaveLength(1)
  })

  it('stays while no manager could sign in without it', async () => {
    withState('on', false)
    await openDashboard(TAB)
    await screen.findByText(/First, a manager needs an account/)
    expect(screen.queryByRole('button', { name: 'Turn off' })).toBeNull()
  })
})
