import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { answer, refusal } from './api.ts'
import { emptyDashboard, findToast, openDashboard, session } from './page.tsx'
import { staffAccount } from './samples.ts'

const ADA = { id: 3, name: 'Ada Park', email: 'ada@leadwell.example', role: 'manager' } as const
const BEN = staffAccount(4, { name: 'Ben Ito', email: 'ben@leadwell.example' })
const asksToConfirm = () => refusal(403, { error: 'Confirm that it is you.', code: 'confirm_identity' })

beforeEach(() => {
  emptyDashboard(ADA)
  answer('GET /api/sessions', { sessions: [] })
  answer('GET /api/staff', { staff: [BEN], shared_password: { state: 'none', can_switch_off: true } })
})

/** Presses “Disable” for Ben, which the server does only for those who have just said who they are. */
async function disableBen() {
  let isConfirmed = false
  const changes = answer('PATCH /api/staff/{id}', () => (isConfirmed ? BEN : asksToConfirm()))
  const confirmations = answer('POST /api/session/confirm', ({ body }) => {
    if (body.password !== 'my own password')
      return refusal(422, { error: 'Invalid password', code: 'invalid', fields: { password: 'Invalid password' } })
    isConfirmed = true
    return session(ADA)
  })
  const user = await openDashboard('/admin?tab=staff')
  await user.click(await screen.findByRole('button', { name: 'Disable' }))
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Disable' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirm it is you' }))
  return { user, dialog, changes, confirmations }
}

describe('a call that needs a confirmation', () => {
  it('asks for the password, and goes on with it', async () => {
    const { user, dialog, changes, confirmations } = await disableBen()
    await user.type(dialog.getByLabelText('Password'), 'wrong')
    await user.click(dialog.getByRole('button', { name: 'Confirm' }))
    await dialog.findByText('Invalid password')
    await user.clear(dialog.getByLabelText('Password'))
    await user.type(dialog.getByLabelText('Password'), 'my own password{Enter}')

    await findToast('Success', 'Account changed')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(confirmations).toHaveLength(2)
    expect(changes.map(({ body }) => body)).toEqual([{ disabled: true }, { disabled: true }])
  })

  it('is not made when the person would rather not', async () => {
    const { user, dialog, changes } = await disableBen()
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    await findToast('Failed to change the account', '403: Confirm that it is you.')
    expect(changes).toHaveLength(1)
  })
})

describe('a download', () => {
  it('asks first: a browser would save the refusal as the file', async () => {
    let isConfirmed = false
    const checks = answer('GET /api/session/confirmed', () => (isConfirmed ? { success: true } : asksToConfirm()))
    answer('POST /api/session/confirm', () => {
      isConfirmed = true
      return session(ADA)
    })
    const user = await openDashboard('/admin')
    await user.click(await screen.findByRole('link', { name: 'Export Providers CSV' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Confirm it is you' }))
    await user.type(dialog.getByLabelText('Password'), 'my own password{Enter}')
    await waitFor(() => expect(checks).toHaveLength(2))
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})
