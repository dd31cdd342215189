import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import type { SecondFactor } from '../../core/contract/second-factor.ts'
import type { Session } from '../../core/contract/session.ts'
import { answer, refusal } from './api.ts'
import { chooseInMenu, emptyDashboard, findToast, openDashboard, openPage, session } from './page.tsx'
import { ASSERTION, CREATION, MADE, USED, usePasskeys } from './passkeys.ts'
import { staffAccount } from './samples.ts'

const ADA = { id: 3, name: 'Ada Park', email: 'ada@leadwell.example', role: 'manager' } as const
const CODES = Array.from({ length: 10 }, (_, n) => `codes-0000${n}`)
const NONE: SecondFactor = { required: false, totp_since: null, passkeys: [], recovery_codes_left: 0 }
const PHONE = { id: 7, name: 'Phone', created_at: '2026-11-01T15:00:00.000Z', last_used_at: null }
const WITH_APP: SecondFactor = { ...NONE, totp_since: '2026-11-20T15:00:00.000Z', recovery_codes_left: 8 }
const SETUP = { secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', uri: 'otpauth://totp/Leadwell?secret=GEZDGNBV' }

const passkeys = usePasskeys()

const halfway = (...second_step: NonNullable<Session['second_step']>): Session => ({
  ...session(),
  ways: { account: true, shared: false, passkey: true, single_sign_on: null },
  second_step,
})

describe('the second step of a sign-in', () => {
  beforeEach(() => emptyDashboard(ADA))
  const open = (state: Session) => {
    answer('GET /api/session', state)
    return openPage('/admin')
  }
  const dashboard = () => screen.findByRole('tab', { name: 'Leads (0)' })

  it('comes after the right password, and opens the dashboard with a code', async () => {
    const user = open({ ...session(), ways: { account: true, shared: false, passkey: false, single_sign_on: null } })
    answer('POST /api/session', halfway('totp'))
    await user.type(await screen.findByLabelText('Email'), ADA.email)
    await user.type(screen.getByLabelText('Password'), 'my own password{Enter}')
    const code = await screen.findByRole('textbox', { name: 'Code' })
    expect(code.getAttribute('autocomplete')).toBe('one-time-code')
    expect(sessionStorage.getItem('auth')).toBeNull()

    const steps = answer('POST /api/session/second-step', session(ADA))
    await user.type(code, '123 456{Enter}')
    await dashboard()
    expect(steps.map(({ body }) => body)).toEqual([{ code: '123456' }])
  })

  it('is still there after a reload, and says what is wrong with a code', async () => {
    const user = open(halfway('totp'))
    answer('POST /api/session/second-step', refusal(422, { error: 'This code is wrong.' }))
    await user.type(await screen.findByRole('textbox', { name: 'Code' }), '000000{Enter}')
    await screen.findByText('This code is wrong.')
  })

  it('takes a recovery code', async () => {
    const user = open(halfway('totp'))
    await user.click(await screen.findByRole('button', { name: 'Use a recovery code instead' }))
    const steps = answer('POST /api/session/second-step', session(ADA))
    await user.type(screen.getByRole('textbox', { name: 'Recovery code' }), 'abcde-12345{Enter}')
    await dashboard()
    expect(steps.map(({ body }) => body)).toEqual([{ recovery_code: 'abcde-12345' }])
  })

  it('takes a passkey, and says so when none was used', async () => {
    const user = open(halfway('passkey'))
    expect(screen.queryByRole('textbox', { name: 'Code' })).toBeNull()
    answer('POST /api/session/passkey/options', { challenge: 'AAAA' })
    const signIns = answer('POST /api/session/passkey', session(ADA))
    passkeys.get.mockRejectedValueOnce(Object.assign(new Error(), { name: 'NotAllowedError' }))
    await user.click(await screen.findByRole('button', { name: 'Use a passkey' }))
    await screen.findByText('No passkey was used. Please try again.')
    expect(signIns).toEqual([])

    passkeys.get.mockResolvedValueOnce(USED)
    await user.click(screen.getByRole('button', { name: 'Use a passkey' }))
    await dashboard()
    expect(signIns).toHaveLength(1)
  })

  it('goes back to the password when it has ended on the server', async () => {
    const user = open(halfway('totp'))
    answer('POST /api/session/second-step', refusal(401, { code: 'unauthorized', error: 'This sign-in has ended.' }))
    await user.type(await screen.findByRole('textbox', { name: 'Code' }), '000000{Enter}')
    await screen.findByLabelText('Password')
    screen.getByText(/Please sign in again/)
  })

  it('can be left for another account', async () => {
    const user = open(halfway('totp'))
    const left = answer('DELETE /api/session', session())
    await user.click(await screen.findByRole('button', { name: 'Sign in as someone else' }))
    await screen.findByLabelText('Password')
    expect(left).toHaveLength(1)
  })
})

describe('two-step sign-in of one’s own account', () => {
  beforeEach(() => emptyDashboard(ADA))

  async function openDialog(own: SecondFactor) {
    answer('GET /api/second-factor', own)
    const user = await openDashboard()
    await chooseInMenu(user, 'Two-step sign-in')
    const dialog = within(await screen.findByRole('dialog', { name: 'Two-step sign-in' }))
    await dialog.findByRole('heading', { name: /^Authenticator app/ })
    return { user, dialog }
  }

  it('turns an app on with a code, and shows the recovery codes once', async () => {
    const { user, dialog } = await openDialog(NONE)
    expect(dialog.queryByRole('heading', { name: /^Recovery codes/ })).toBeNull()
    answer('POST /api/second-factor/totp', SETUP)
    await user.click(dialog.getByRole('button', { name: 'Set up an app' }))
    await dialog.findByRole('img', { name: 'QR code for the authenticator app' })
    dialog.getByText('GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ')

    const code = dialog.getByRole('textbox', { name: 'Code' })
    answer('POST /api/second-factor/totp/confirm', refusal(422, { error: 'This code is wrong.' }))
    await user.type(code, '000000{Enter}')
    await dialog.findByText('This code is wrong.')
    answer('POST /api/second-factor/totp/confirm', { recovery_codes: CODES })
    answer('GET /api/second-factor', WITH_APP)
    await user.clear(code)
    await user.type(code, '123456{Enter}')

    const list = await dialog.findByRole('list', { name: 'Recovery codes' })
    expect(
      within(list)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(CODES)
    const file = decodeURIComponent(String(dialog.getByRole('link', { name: 'Download' }).getAttribute('href')))
    for (const each of CODES) expect(file).toContain(each)
    await user.click(dialog.getByRole('button', { name: 'Copy' }))
    await findToast('Success', 'The codes are copied')
    expect(await navigator.clipboard.readText()).toBe(CODES.join('\n'))
    await user.click(dialog.getByRole('button', { name: 'I have saved them' }))
    await dialog.findByText('On since Nov 20, 2026')
    dialog.getByText('8 codes left')
    expect(dialog.queryByText(String(CODES[0]))).toBeNull()
  })

  it('adds a passkey by a name, and lists it', async () => {
    const { user, dialog } = await openDialog(WITH_APP)
    answer('POST /api/second-factor/passkeys/options', CREATION)
    const added = answer('POST /api/second-factor/passkeys', { recovery_codes: null })
    passkeys.create.mockResolvedValueOnce(MADE)
    await user.click(dialog.getByRole('button', { name: 'Add a passkey' }))
    const name = dialog.getByLabelText('Name')
    await user.clear(name)
    answer('GET /api/second-factor', { ...WITH_APP, passkeys: [PHONE] })
    await user.type(name, 'Phone{Enter}')
    await findToast('Success', 'Passkey added')
    expect(added.map(({ body }) => body.name)).toEqual(['Phone'])
    await within(await dialog.findByRole('list', { name: 'Passkeys' })).findByText('Phone')
  })

  it('says why no passkey was made', async () => {
    const { user, dialog } = await openDialog(NONE)
    answer('POST /api/second-factor/passkeys/options', CREATION)
    passkeys.create.mockRejectedValueOnce(Object.assign(new Error(), { name: 'InvalidStateError' }))
    await user.click(dialog.getByRole('button', { name: 'Add a passkey' }))
    await user.click(dialog.getByRole('button', { name: 'Continue' }))
    await findToast('Failed to add the passkey', 'This device has a passkey for your account already.')
  })

  /** Presses a button of the dialog, and the one that says so again in the question that follows. */
  async function confirmed(user: UserEvent, name: string, question: string) {
    await user.click(screen.getByRole('button', { name }))
    const dialog = within(await screen.findByRole('dialog', { name: question }))
    await user.click(dialog.getByRole('button', { name }))
  }

  it('removes a passkey, turns the app off and makes new codes, and asks before each', async () => {
    const { user, dialog } = await openDialog({ ...WITH_APP, passkeys: [PHONE] })
    const removed = answer('DELETE /api/second-factor/{id}', { success: true })
    await confirmed(user, 'Remove', 'Remove this passkey?')
    await findToast('Success', 'Passkey removed')
    expect(removed.map(({ params }) => params)).toEqual([{ id: 7 }])

    const off = answer('DELETE /api/second-factor/{id}', refusal(409, { code: 'conflict', error: 'It must stay.' }))
    await confirmed(user, 'Turn off', 'Turn the authenticator app off?')
    await findToast('Failed to turn off the authenticator app', '409: It must stay.')
    expect(off).toHaveLength(1)

    answer('POST /api/second-factor/recovery-codes', { recovery_codes: CODES })
    await confirmed(user, 'Make new codes', 'Make new recovery codes?')
    await dialog.findByText(String(CODES[9]))
  })
})

describe('an account that must have two-step sign-in', () => {
  it('sets it up before the dashboard opens, and sees its recovery codes first', async () => {
    emptyDashboard(ADA)
    answer('GET /api/session', { ...session(ADA), factors: [], lacks_factor: true })
    answer('GET /api/second-factor', { ...NONE, required: true })
    const user = openPage('/admin')
    await screen.findByRole('heading', { name: 'Set up two-step sign-in' })
    expect(screen.queryByRole('tab')).toBeNull()

    answer('POST /api/second-factor/totp', SETUP)
    answer('POST /api/second-factor/totp/confirm', { recovery_codes: CODES })
    await user.click(await screen.findByRole('button', { name: 'Set up an app' }))
    await user.type(await screen.findByRole('textbox', { name: 'Code' }), '123456{Enter}')
    await screen.findByText(String(CODES[0]))
    answer('GET /api/session', { ...session(ADA), factors: ['totp'], lacks_factor: false })
    await user.click(screen.getByRole('button', { name: 'I have saved them' }))
    await screen.findByRole('tab', { name: 'Leads (0)' })
  })

  it('is sent there in the middle of its work, as when its role was raised', async () => {
    emptyDashboard(ADA)
    answer('GET /api/sessions', { sessions: [] })
    answer('GET /api/staff', { staff: [], shared_password: { state: 'on', can_switch_off: true } })
    const user = await openDashboard('/admin?tab=staff')
    await user.click(await screen.findByRole('button', { name: 'Switch off' }))
    answer('GET /api/session', { ...session(ADA), factors: [], lacks_factor: true })
    answer('GET /api/second-factor', { ...NONE, required: true })
    answer('DELETE /api/shared-password', refusal(403, { code: 'second_factor_required' }))
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Switch off' }))
    await screen.findByRole('heading', { name: 'Set up two-step sign-in' })
  })
})

describe('a confirmation of one’s identity', () => {
  const BEN = staffAccount(4, { name: 'Ben Ito', factors: ['passkey'] })
  beforeEach(() => {
    emptyDashboard(ADA)
    answer('GET /api/session', { ...session(ADA), factors: ['totp', 'passkey'], lacks_factor: false })
    answer('GET /api/sessions', { sessions: [] })
    answer('GET /api/staff', { staff: [BEN], shared_password: { state: 'none', can_switch_off: true } })
  })

  /** Presses “Reset two-step sign-in” for Ben, which the server does only after a confirmation. */
  async function resetBen() {
    let isConfirmed = false
    const resets = answer('POST /api/staff/{id}/reset', () =>
      isConfirmed ? BEN : refusal(403, { code: 'confirm_identity' }),
    )
    const proofs = answer('POST /api/session/confirm', () => {
      isConfirmed = true
      return session(ADA)
    })
    const user = await openDashboard('/admin?tab=staff')
    const row = (await screen.findByText('Ben Ito')).closest('tr') as HTMLElement
    within(row).getByText('Two-step sign-in')
    await user.click(within(row).getByRole('button', { name: 'Reset two-step sign-in' }))
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Reset two-step sign-in' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Confirm it is you' }))
    return { user, dialog, proofs, resets }
  }

  it('can be a code of the app', async () => {
    const { user, dialog, proofs, resets } = await resetBen()
    expect(dialog.queryByLabelText('Password')).toBeNull()
    await user.type(dialog.getByRole('textbox', { name: 'Code' }), '123456{Enter}')
    await findToast('Success', 'Two-step sign-in reset')
    expect(proofs.map(({ body }) => body)).toEqual([{ code: '123456' }])
    expect(resets).toHaveLength(2)
  })

  it('can be a passkey', async () => {
    answer('POST /api/session/confirm/passkey', { challenge: 'AAAA' })
    passkeys.get.mockResolvedValueOnce(USED)
    const { user, dialog, proofs } = await resetBen()
    await user.click(dialog.getByRole('button', { name: 'Use a passkey instead' }))
    await findToast('Success', 'Two-step sign-in reset')
    expect(proofs.map(({ body }) => body.passkey.response)).toEqual([ASSERTION])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('is a passkey where the account has no other factor', async () => {
    answer('GET /api/session', { ...session(ADA), factors: ['passkey'], lacks_factor: false })
    answer('POST /api/session/confirm/passkey', { challenge: 'AAAA' })
    passkeys.get.mockResolvedValueOnce(USED)
    const { user, dialog, proofs } = await resetBen()
    expect(dialog.queryByRole('textbox')).toBeNull()
    await user.click(dialog.getByRole('button', { name: 'Use your passkey' }))
    await findToast('Success', 'Two-step sign-in reset')
    expect(proofs.map(({ body }) => body.passkey.response)).toEqual([ASSERTION])
  })
})
