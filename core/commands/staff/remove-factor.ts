import { AppError } from '../../errors.ts'
import type { Db, Transaction } from '../../platform/db.ts'
import * as accounts from '../../stores/staff-accounts.ts'
import * as factors from '../../stores/staff-factors.ts'
import { recordFactorChange, type Self } from './account.ts'

/** Turns the authenticator app off, if it is on. @throws AppError `conflict` when the last factor must stay */
export async function removeTotp(db: Db, self: Self, isRequired: boolean): Promise<void> {
  await db.transaction(async (trx) => {
    await accounts.lock(trx, [self.accountId])
    if (!(await factors.removeTotp(trx, self.accountId))) return
    await afterRemoval(trx, self, isRequired)
    await recordFactorChange(trx, self, 'factor_removed', { kind: 'totp' })
  })
}

/** Removes a passkey. @throws AppError `not_found`, `conflict` when the last factor must stay */
export async function removePasskey(db: Db, id: number, self: Self, isRequired: boolean): Promise<void> {
  await db.transaction(async (trx) => {
    await accounts.lock(trx, [self.accountId])
    const name = await factors.removePasskey(trx, self.accountId, id)
    if (name === null) throw new AppError('not_found', 'There is no such passkey.')
    await afterRemoval(trx, self, isRequired)
    await recordFactorChange(trx, self, 'factor_removed', { kind: 'passkey', name })
  })
}

async function afterRemoval(trx: Transaction, { accountId }: Self, isRequired: boolean): Promise<void> {
  if ((await factors.kinds(trx, accountId)).length > 0) return
  if (isRequired) {
    throw new AppError(
      'conflict',
      'Your account must have two-step sign-in. Add another way first, then remove this one.',
    )
  }
  await factors.removeRecoveryCodes(trx, accountId)
}
