import { describe, expect, it } from 'vitest'
import { MINUTE } from '../../../../core/contract/time.ts'
import { deriveKey } from '../../../../core/platform/data-key.ts'
import { newTotpSecret } from '../../../../core/staff/rules/second-factor.ts'
import * as accounts from '../../../../core/staff/stores/staff-accounts.ts'
import * as staffSessions from '../../../../core/staff/stores/staff-sessions.ts'
import { codeOf } from '../../../support/cookie-browser.ts'
import { useDatabase } from '../../../support/database.ts'
import { createStaff } from '../../../support/factories.ts'

const database = useDatabase()
const SHARED = { sharedFingerprint: 'of the password' }
const open = async (owner: staffSessions.SessionOwner = SHARED) => (await staffSessions.open(database.db, owner)).token
const find = (token: string, fingerprint: string | null = 'of the password') =>
  staffSessions.find(database.db, token, async () => fingerprint)
const isOpen = async (token: string) => (await find(token)) !== null
const rows = () => database.db('staff_sessions')
const pass = (ms: number) =>
  rows().update({
    expires_at: database.db.raw(`expires_at - ? * interval '1 ms'`, [ms]),
    idle_ends_at: database.db.raw(`idle_ends_at - ? * interval '1 ms'`, [ms]),
    last_seen_at: database.db.raw(`last_seen_at - ? * interval '1 ms'`, [ms]),
  })
const touch = () => staffSessions.touch(database.db, 1, 30 * MINUTE)

describe('a staff session', () => {
  it('cannot be read from the database', async () => {
    const token = await open()
    expect(token.length).toBeGreaterThanOrEqual(43)
    expect(JSON.stringify(await rows())).not.toContain(token)
  })

  it('stays open as long as there is activity, up to twelve hours', async () => {
    const token = await open()
    for (let hours = 0; hours < 11; hours += 1) {
      await pass(29 * MINUTE)
      await touch()
      await pass(29 * MINUTE)
      await touch()
    }
    expect(await isOpen(token)).toBe(true)
    await pass(29 * MINUTE)
    await touch()
    for (let minutes = 0; minutes < 60; minutes += 20) {
      await pass(20 * MINUTE)
      await touch()
    }
    expect(await isOpen(token)).toBe(false)
  })
})

const KEY = deriveKey(Buffer.alloc(32, 1), 'second-factor')
const turnOn = (id: number, secret: string) =>
  database.app.transaction((trx) => accounts.setTotp(trx, KEY, id, { secret, code: codeOf(secret) }))
/** Does the same five times at the same moment. Returns how often it was done. */
async function timesDone(act: () => Promise<unknown>): Promise<number> {
  return (await Promise.all(Array.from({ length: 5 }, act))).filter(Boolean).length
}

describe('at the same moment', () => {
  it('a code of an app is taken once, and never the one that turned it on', async () => {
    const { id } = await createStaff(database.db)
    const secret = newTotpSecret()
    expect(await turnOn(id, secret)).toBe(true)
    const take = () => accounts.takeTotpCode(database.app, KEY, id, codeOf(secret))
    expect(await take()).toBe(false)
    await database.db('staff_totp').update({ last_step: 0 })
    expect(await timesDone(take)).toBe(1)
  })

  it('a recovery code is taken once', async () => {
    const { id } = await createStaff(database.db)
    const [code = ''] = await database.app.transaction((trx) => accounts.renewRecoveryCodes(trx, KEY, id))
    expect(await timesDone(() => accounts.takeRecoveryCode(database.app, KEY, id, code))).toBe(1)
  })

  it('a sign-in under way ends once', async () => {
    const { id } = await createStaff(database.db)
    const token = await staffSessions.begin(database.app, id)
    expect(await timesDone(() => staffSessions.endPending(database.app, token))).toBe(1)
  })
})

it('a secret that was copied to the row of another account does not open', async () => {
  const [ada, ben] = [await createStaff(database.db), await createStaff(database.db)]
  const secret = newTotpSecret()
  await turnOn(ada.id, secret)
  await database.db('staff_totp').update({ account_id: ben.id, last_step: 0 })
  await expect(accounts.takeTotpCode(database.app, KEY, ben.id, codeOf(secret))).rejects.toThrow()
})
