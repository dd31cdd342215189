import { describe, expect, it } from 'vitest'
import { staffCommand } from '../../../core/cli/staff.ts'
import { verifyPassword } from '../../../core/platform/passwords.ts'
import * as links from '../../../core/staff/stores/staff-accounts.ts'
import { callCommand } from '../../support/commands.ts'
import { useDatabase } from '../../support/database.ts'
import { createStaff, staffHeaders } from '../../support/factories.ts'

const database = useDatabase()

/** `npm run staff -- …` */
const staff = (
  args: string[],
  { input = '', url = database.appUrl, publicUrl = 'https://www.leadwell.example' } = {},
) => callCommand(staffCommand, args, { input, env: { DATABASE_URL: url, PUBLIC_URL: publicUrl } })
const accounts = () => database.db('staff_accounts').orderBy('id')
const ADA = ['--name', 'Ada Park', '--email', 'ada@leadwell.example']

describe('npm run staff', () => {
  it('makes an account whose password comes from stdin, and lists it', async () => {
    const { code, text } = await staff(['add', ...ADA, '--role', 'manager'], { input: 'a password of Ada\n' })
    expect({ code, text }).toEqual({ code: 0, text: 'Ada Park <ada@leadwell.example> can now sign in. Role: manager.' })

    const [account] = await accounts()
    expect(account).toMatchObject({ name: 'Ada Park', role: 'manager' })
    expect(await verifyPassword('a password of Ada', account?.password_hash ?? null)).toBe(true)
    expect(await database.db('audit_log')).toMatchObject([{ actor: 'command line', action: 'add', entity: 'staff' }])

    expect(await staff(['list'])).toEqual({ code: 0, text: 'manager  enabled   Ada Park <ada@leadwell.example>' })
    const again = await staff(['add', ...ADA, '--role', 'viewer', '--invite'])
    expect(again).toEqual({ code: 1, text: 'There is already an account with this email.' })
  })

  it('invites with a link that it shows once, and mails nothing', async () => {
    const { code, text } = await staff(['add', ...ADA, '--role', 'viewer', '--invite'])
    const token = /https:\/\/www\.leadwell\.example\/admin\/password#(\S+)$/m.exec(text)?.[1] ?? ''
    expect({ code, link: await links.find(database.db, token) }).toMatchObject({
      code: 0,
      link: { kind: 'invitation', email: 'ada@leadwell.example' },
    })
    expect(await accounts()).toMatchObject([{ password_hash: null }])
    expect(await database.db('jobs')).toEqual([])
    expect((await staff(['list'])).text).toBe('viewer   invited   Ada Park <ada@leadwell.example>')
  })

  it('makes no account whose link it could not print', async () => {
    const { code, text } = await staff(['add', ...ADA, '--role', 'viewer', '--invite'], { publicUrl: '' })
    expect({ code, text }).toEqual({ code: 1, text: expect.stringContaining('PUBLIC_URL') })
    expect(await accounts()).toEqual([])
  })

  it('lets a manager who is locked out in again, with a link', async () => {
    const { id, email } = await createStaff(database.db)
    const { text } = await staff(['set-password', '--email', email, '--invite'])
    const token = /#(\S+)$/m.exec(text)?.[1] ?? ''
    expect(await links.find(database.db, token)).toMatchObject({ accountId: id, kind: 'reset' })
  })

  it('switches the shared password off, once a manager can sign in, and on', async () => {
    expect((await staff(['shared-password-off'])).code).toBe(1)
    await createStaff(database.db)
    expect((await staff(['shared-password-off'])).code).toBe(0)
    expect((await staff(['list'])).text).toContain('The shared password is turned off.')
    expect((await staff(['shared-password-on'])).code).toBe(0)
    expect((await staff(['list'])).text).not.toContain('turned off')
  })

  it('sets a password, changes a role, disables and enables', async () => {
    const { id, email } = await createStaff(database.db, { password_hash: null })
    await staffHeaders(database.db, id)

    expect((await staff(['set-password', '--email', email], { input: 'a password of Ada' })).code).toBe(0)
    expect(await accounts()).toMatchObject([{ password_hash: expect.any(String) }])
    expect(await database.db('staff_sessions')).toEqual([])
    expect((await staff(['set-role', '--email', email, '--role', 'viewer'])).text).toBe(
      `The role of ${email} is now viewer.`,
    )
    expect((await staff(['disable', '--email', email.toUpperCase()])).code).toBe(0)
    expect(await accounts()).toMatchObject([{ role: 'viewer', disabled_at: expect.any(Date) }])
    expect((await staff(['enable', '--email', email])).code).toBe(0)
    expect(await accounts()).toMatchObject([{ disabled_at: null }])
  })

  it('removes the second factors of someone who has lost them', async () => {
    const { id, email } = await createStaff(database.db)
    await staffHeaders(database.db, id)
    await database.db('staff_passkeys').insert({
      account_id: id,
      credential_id: 'lost',
      public_key: Buffer.from('lost'),
      counter: 0,
      name: 'Lost phone',
    })
    expect((await staff(['reset-factor', '--email', email])).code).toBe(0)
    expect(await database.db('staff_passkeys')).toEqual([])
    expect(await database.db('staff_sessions')).toEqual([])
    expect(await database.db('jobs')).toMatchObject([
      { subject_kind: 'account', subject_id: id, purpose: 'factor_removed' },
    ])
    expect(await database.db('audit_log')).toMatchObject([{ actor: 'command line', action: 'reset-factors' }])
    expect((await staff(['reset-factor', '--email', email])).code).toBe(1)
  })

  it.each([
    ['nothing', '', 'No password on stdin'],
    ['a short one', 'short\n', 'The new password must have 12 characters or more.'],
  ])('takes no account with %s for a password', async (_, input, sentence) => {
    const { code, text } = await staff(['add', ...ADA, '--role', 'viewer'], { input })
    expect(code).not.toBe(0)
    expect(text).toContain(sentence)
    expect(await accounts()).toEqual([])
  })
})
