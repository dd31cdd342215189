import { AppError } from '../../errors.ts'
import type { Db } from '../../platform/db.ts'
import * as accounts from '../../stores/staff-accounts.ts'
import * as factors from '../../stores/staff-factors.ts'
import { recordFactorChange, type Self } from './account.ts'

/** Makes new recovery codes, which end the earlier ones. @throws AppError `conflict` without a factor */
export async function renewRecoveryCodes(db: Db, key: Buffer, self: Self): Promise<string[]> {
  return db.transaction(async (trx) => {
    await accounts.lock(trx, [self.accountId])
    if ((await factors.kinds(trx, self.accountId)).length === 0) {
      throw new AppError('conflict', 'First add an authenticator app or a passkey.')
    }
    await recordFactorChange(trx, self, 'new_factor', { kind: 'recovery_codes' })
    return factors.renewRecoveryCodes(trx, key, self.accountId)
  })
}
