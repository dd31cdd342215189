import { describe, expect, it } from 'vitest'
import { deriveKey } from '../../../../core/platform/data-key.ts'
import { newTotpSecret } from '../../../../core/staff/rules/second-factor.ts'
import * as factors from '../../../../core/staff/stores/staff-factors.ts'
import * as staffSessions from '../../../../core/staff/stores/staff-sessions.ts'
import { MINUTE } from '../../../../core/time.ts'
import { codeOf } from '../../../support/cookie-browser.ts'
import { useDatabase } from '../../../support/database.ts'
import { createStaff } from '../../../support/factories.ts'

const database = useDatabase()
const SHARED = { sharedFingerprint: 'of the password' }
const open = async (owner: staffSessions.SessionOwner = SHARED) => (await staffSessions.open(database.db, owner)).token
const find = (token: string, fingerprint: string | null = 'of the password') =>
  staffSessions.find(database.db, token, async () => fingerprint)
const isOpen = async (token: string) => (await find(token)) !== null
/** What is known of the first session besides its person. */
const SESSION = { sessionId: 1, isConfirmed: true, factors: [], isBySingleSignOn: false, idleSecondsLeft: 30 * 60 }
const rows = () => database.db('staff_sessions')
/** As if so many milliseconds had passed. */
const pass = (ms: number) =>
  rows().update({
    expires_at: database.db.raw(`expires_at - ? * interval '1 ms'`, [ms]),
    idle_ends_at: database.db.raw(`idle_ends_at - ? * interval '1 ms'`, [ms]),
    last_seen_at: database.db.raw(`last_seen_at - ? * interval '1 ms'`, [ms]),
  })
const touch = () => staffSessions.touch(database.db, 1, 30 * MINUTE)

describe('a staff session', () => {
  it('is open until it is ended', async () => {
    const { id, token } = await staffSessions.open(database.db, SHARED)
    expect(await isOpen(token)).toBe(true)
    expect(await staffSessions.end(database.db, id)).toEqual({ accountId: null })
    expect(await isOpen(token)).toBe(false)
    expect(await staffSessions.end(database.db, id)).toBeNull()
  })

  it('cannot be read from the database', async () => {
    const token = await open()
    expect(token.length).toBeGreaterThanOrEqual(43)
    expect(JSON.stringify(await rows())).not.toContain(token)
  })

  it.each(['', 'x', `' or true --`])('is not opened by the token %j', async (token) => {
    await open()
    expect(await isOpen(token)).toBe(false)
  })

  it('says who it is: a manager without a name for the shared password', async () => {
    expect(await find(await open())).toEqual({ ...staffSessions.SHARED, ...SESSION })
  })

  it('says who it is: the account, as it is now', async () => {
    const { id, email } = await createStaff(database.db, { name: 'Ada Park', role: 'manager' })
    const token = await open({ accountId: id })
    await database.db('staff_accounts').update({ role: 'viewer' })
    expect(await find(token)).toEqual({
      id,
      name: 'Ada Park',
      email,
      role: 'viewer',
      ...SESSION,
    })
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
/** Does the same five times at the same moment. Returns how often it was done. */
async function timesDone(act: () => Promise<unknown>): Promise<number> {
  return (await Promise.all(Array.from({ length: 5 }, act))).filter(Boolean).length
}

describe('at the same moment', () => {
  it('a code of an app is taken once, also the one that turns it on', async () => {
    const { id } = await createStaff(database.db)
    const secret = newTotpSecret()
    await factors.beginTotp(database.app, KEY, id, secret)
    const confirm = () => database.app.transaction((trx) => factors.confirmTotp(trx, KEY, id, codeOf(secret)))
    expect(await timesDone(confirm)).toBe(1)
    await database.db('staff_totp').update({ last_step: 0 })
    expect(await timesDone(() => factors.takeTotpCode(database.app, KEY, id, codeOf(secret)))).toBe(1)
  })

  it('a recovery code is taken once', async () => {
    const { id } = await createStaff(database.db)
    const [code = ''] = await database.app.transaction((trx) => factors.renewRecoveryCodes(trx, KEY, id))
    expect(await timesDone(() => factors.takeRecoveryCode(database.app, KEY, id, code))).toBe(1)
  })

  it('a count of a passkey is taken once', async () => {
    const { id } = await createStaff(database.db)
    const credential = { id: 'one', publicKey: new Uint8Array(1), counter: 4, transports: [] }
    await database.app.transaction((trx) => factors.addPasskey(trx, id, 'Phone', credential))
    expect(await timesDone(() => factors.countPasskeyUse(database.app, 'one', 5))).toBe(1)
  })

  it('a sign-in under way ends once, and its challenge is answered once', async () => {
    const { id } = await createStaff(database.db)
    const token = staffSessions.makePendingToken()
    await staffSessions.begin(database.app, token, id)
    await staffSessions.putChallenge(database.app, token, 'sign-in', 'sign this')
    expect(await timesDone(() => staffSessions.takeChallenge(database.app, token, 'sign-in'))).toBe(1)
    expect(await timesDone(() => staffSessions.endPending(database.app, token))).toBe(1)
  })
})

it('a secret that was copied to the row of another account does not open', async () => {
  const [ada, ben] = [await createStaff(database.db), await createStaff(database.db)]
  const secret = newTotpSecret()
  await factors.beginTotp(database.app, KEY, ada.id, secret)
  await database.db('staff_totp').update({ account_id: ben.id })
  const confirmed = database.app.transaction((trx) => factors.confirmTotp(trx, KEY, ben.id, codeOf(secret)))
  await expect(confirmed).rejects.toThrow()
})
