import { afterEach, describe, expect, it } from 'vitest'
import { deriveKey } from '../../../core/platform/data-key.ts'
import { newTotpSecret } from '../../../core/rules/second-factor.ts'
import * as factors from '../../../core/stores/staff-factors.ts'
import * as pendingSignIns from '../../../core/stores/staff-pending-sign-ins.ts'
import { codeOf } from '../../support/cookie-browser.ts'
import { emptyDatabase, useDatabase } from '../../support/database.ts'
import { createStaff } from '../../support/factories.ts'

const database = useDatabase()
afterEach(() => emptyDatabase(database.db))

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
    const token = pendingSignIns.makePendingToken()
    await pendingSignIns.begin(database.app, token, id)
    await pendingSignIns.putChallenge(database.app, token, 'sign-in', 'sign this')
    expect(await timesDone(() => pendingSignIns.takeChallenge(database.app, token, 'sign-in'))).toBe(1)
    expect(await timesDone(() => pendingSignIns.end(database.app, token))).toBe(1)
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
