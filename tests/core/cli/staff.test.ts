import { describe, expect, it } from 'vitest'
import { staffCommand } from '../../../core/cli/staff.ts'
import * as links from '../../../core/staff/stores/staff-accounts.ts'
import { callCommand } from '../../support/commands.ts'
import { useDatabase } from '../../support/database.ts'
import { createStaff, staffHeaders } from '../../support/factories.ts'

const database = useDatabase()

/** `npm run staff -- …` */
const staff = (args: string[], publicUrl = 'https://www.leadwell.example') =>
  callCommand(staffCommand, args, { env: { DATABASE_URL: database.appUrl, PUBLIC_URL: publicUrl } })
const accounts = () => database.db('staff_accounts').orderBy('id')
const ADA = ['--name', 'Ada Park', '--email', 'ada@leadwell.example']

describe('npm run staff', () => {
  it('makes an account with a link that it shows once, mails nothing, and lists it', async () => {
    const { code, text } = await staff(['add', ...ADA, '--role', 'manager'])
    const token = /https:\/\/www\.leadwell\.example\/admin\/password#(\S+)$/m.exec(text)?.[1] ?? ''
    expect({ code, link: await links.find(database.db, token) }).toMatchObject({
      code: 0,
      link: { kind: 'invitation', email: 'ada@leadwell.example' },
    })
    expect(await accounts()).toMatchObject([{ name: 'Ada Park', role: 'manager', password_hash: null }])
    expect(await database.db('jobs')).toEqual([])
    expect(await database.db('audit_log')).toMatchObject([{ actor: 'command line', action: 'add', entity: 'staff' }])
    expect(await staff(['list'])).toEqual({ code: 0, text: 'manager  invited   Ada Park <ada@leadwell.example>' })
    const again = await staff(['add', ...ADA, '--role', 'viewer'])
    expect(again).toEqual({ code: 1, text: 'There is already an account with this email.' })
  })

  it('makes no account whose link it could not print', async () => {
    const { code, text } = await staff(['add', ...ADA, '--role', 'viewer'], '')
    expect({ code, text }).toEqual({ code: 1, text: expect.stringContaining('PUBLIC_URL') })
    expect(await accounts()).toEqual([])
  })

  it('lets a manager who is locked out in again, with a link', async () => {
    const { id, email } = await createStaff(database.db)
    const { text } = await staff(['set-password', '--email', email.toUpperCase()])
    const token = /#(\S+)$/m.exec(text)?.[1] ?? ''
    expect(await links.find(database.db, token)).toMatchObject({ accountId: id, kind: 'reset' })
  })

  it('switches the shared password on again', async () => {
    await database.db('network').update({ shared_password_off_at: '2026-01-01' })
    expect((await staff(['list'])).text).toContain('The shared password is turned off.')
    expect((await staff(['shared-password-on'])).code).toBe(0)
    expect((await staff(['list'])).text).not.toContain('turned off')
  })

  it('removes the second factor of someone who has lost it', async () => {
    const { id, email } = await createStaff(database.db)
    await staffHeaders(database.db, id)
    await database
      .db('staff_totp')
      .insert({ account_id: id, sealed_secret: Buffer.from('lost'), confirmed_at: '2026-01-01', last_step: 0 })
    expect((await staff(['reset-factor', '--email', email])).code).toBe(0)
    expect(await database.db('staff_totp')).toEqual([])
    expect(await database.db('staff_sessions')).toEqual([])
    expect(await database.db('jobs')).toMatchObject([
      { subject_kind: 'account', subject_id: id, purpose: 'factor_removed' },
    ])
    expect(await database.db('audit_log')).toMatchObject([{ actor: 'command line', action: 'reset-factors' }])
    expect((await staff(['reset-factor', '--email', email])).code).toBe(1)
  })
})
