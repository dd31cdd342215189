import { screen, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Session } from '../../core/staff/contract/session.ts'
import type { SecondFactor } from '../../core/staff/contract/staff.ts'
import { answer, bodiesOf, refusal } from './api.ts'
import { chooseInMenu, emptyDashboard, findToast, openDashboard, openPage, session } from './page.tsx'

const ADA = { id: 3, name: 'Ada Park', email: 'ada@leadwell.example', role: 'manager' } as const
const CODES = Array.from({ length: 10 }, (_, n) => `codes-0000${n}`)
const NONE: SecondFactor = { required: false, totp_since: null, recovery_codes_left: 0 }
const WITH_APP: SecondFactor = { ...NONE, totp_since: '2026-11-20T15:00:00.000Z', recovery_codes_left: 8 }
const SETUP = { secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', uri: 'otpauth://totp/Leadwell?secret=GEZDGNBV' }

beforeEach(() => emptyDashboard(ADA))

const codeField = () => screen.findByRole('textbox', { name: 'Code' })
const dashboard = () => screen.findByRole('tab', { name: 'Leads (0)' })

describe('the second step of a sign-in', () => {
  const ways = { account: true, shared: false, single_sign_on: null }
  const halfway: Session = { ...session(), ways, second_step: true }
  const open = (state: Session) => {
    answer('GET /api/session', state)
    return openPage('/admin')
  }

  it('comes after the right password, says what is wrong with a code, and opens the dashboard with one', async () => {
    const user = open({ ...session(), ways })
    answer('POST /api/session', halfway)
    await user.type(await screen.findByLabelText('Email'), ADA.email)
    await user.type(screen.getByLabelText('Password'), 'my own password{Enter}')
    const code = await codeField()
    expect(code.getAttribute('autocomplete')).toBe('one-time-code')
    expect(sessionStorage.getItem('auth')).toBeNull()
    answer('POST /api/session/second-step', refusal(422, { error: 'This code is wrong.' }))
    await user.type(code, '000000{Enter}')
    await screen.findByText('This code is wrong.')
    const steps = answer('POST /api/session/second-step', session(ADA))
    await user.clear(code)
    await user.type(code, '123 456{Enter}')
    await dashboard()
    expect(bodiesOf(steps)).toEqual([{ code: '123456' }])
  })

  it('takes a recovery code', async () => {
    const user = open(halfway)
    await user.click(await screen.findByRole('button', { name: 'Use a recovery code instead' }))
    const steps = answer('POST /api/session/second-step', session(ADA))
    await user.type(screen.getByRole('textbox', { name: 'Recovery code' }), 'abcde-12345{Enter}')
    await dashboard()
    expect(bodiesOf(steps)).toEqual([{ recovery_code: 'abcde-12345' }])
  })
})

describe('two-step sign-in of one’s own account', () => {
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
    answer('POST /api/second-factor/totp', SETUP)
    await user.click(dialog.getByRole('button', { name: 'Set up an app' }))
    await dialog.findByRole('img', { name: 'QR code for the authenticator app' })
    dialog.getByText('GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ')
    answer('POST /api/second-factor/totp/confirm', refusal(422, { error: 'This code is wrong.' }))
    await user.type(await codeField(), '000000{Enter}')
    await dialog.findByText('This code is wrong.')
    answer('POST /api/second-factor/totp/confirm', { recovery_codes: CODES })
    answer('GET /api/second-factor', WITH_APP)
    await user.clear(await codeField())
    await user.type(await codeField(), '123456{Enter}')
    const listed = within(await dialog.findByRole('list', { name: 'Recovery codes' })).getAllByRole('listitem')
    expect(listed.map(({ textContent }) => textContent)).toEqual(CODES)
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

  /** Presses a button of the dialog, and the one that says so again in the question that follows. */
  async function confirmed(user: UserEvent, name: string, question: string) {
    await user.click(screen.getByRole('button', { name }))
    const dialog = within(await screen.findByRole('dialog', { name: question }))
    await user.click(dialog.getByRole('button', { name }))
  }

  it('turns the app off and makes new codes, and asks before each; sets it up on another phone', async () => {
    const { user, dialog } = await openDialog(WITH_APP)
    answer('DELETE /api/second-factor', refusal(409, { code: 'conflict', error: 'It must stay.' }))
    await confirmed(user, 'Turn off', 'Turn the authenticator app off?')
    await findToast('Failed to turn off the authenticator app', '409: It must stay.')
    answer('POST /api/second-factor/totp', SETUP)
    await user.click(dialog.getByRole('button', { name: 'Set up on another phone' }))
    await dialog.findByRole('img', { name: 'QR code for the authenticator app' })
    answer('POST /api/second-factor/recovery-codes', { recovery_codes: CODES })
    await confirmed(user, 'Make new codes', 'Make new recovery codes?')
    await dialog.findByText(String(CODES[9]))
  })
})

it('an account that must have two-step sign-in sets it up before the dashboard opens, and sees its codes first', async () => {
  answer('GET /api/session', { ...session(ADA), two_step: false, lacks_factor: true })
  answer('GET /api/second-factor', { ...NONE, required: true })
  const user = openPage('/admin')
  await screen.findByRole('heading', { name: 'Set up two-step sign-in' })
  expect(screen.queryByRole('tab')).toBeNull()
  answer('POST /api/second-factor/totp', SETUP)
  answer('POST /api/second-factor/totp/confirm', { recovery_codes: CODES })
  await user.click(await screen.findByRole('button', { name: 'Set up an app' }))
  await user.type(await codeField(), '123456{Enter}')
  await screen.findByText(String(CODES[0]))
  answer('GET /api/session', { ...session(ADA), two_step: true, lacks_factor: false })
  await user.click(screen.getByRole('button', { name: 'I have saved them' }))
  await dashboard()
})
