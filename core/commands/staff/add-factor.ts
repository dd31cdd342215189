import { AppError } from '../../errors.ts'
import type { Db, Transaction } from '../../platform/db.ts'
import { newTotpSecret } from '../../rules/second-factor.ts'
import * as accounts from '../../stores/staff-accounts.ts'
import * as factors from '../../stores/staff-factors.ts'
import { recordFactorChange, type Self } from './account.ts'

/** Makes the secret for an authenticator app, which is on once `confirmTotp` has seen its first code. */
export async function beginTotp(db: Db, key: Buffer, { accountId }: Self): Promise<string> {
  const secret = newTotpSecret()
  if (!(await factors.beginTotp(db, key, accountId, secret))) {
    throw new AppError('conflict', 'An authenticator app is on already. Turn it off first.')
  }
  return secret
}

/**
 * Turns an authenticator app on. Returns recovery codes, or null where the account has some.
 * @throws AppError `invalid` when the code is wrong
 */
export async function confirmTotp(db: Db, key: Buffer, self: Self, code: string): Promise<string[] | null> {
  return db.transaction(async (trx) => {
    await accounts.lock(trx, [self.accountId])
    if (!(await factors.confirmTotp(trx, key, self.accountId, code))) throw wrongCode()
    await recordFactorChange(trx, self, 'new_factor', { kind: 'totp' })
    return firstRecoveryCodes(trx, key, self)
  })
}

/** Adds a passkey. Returns recovery codes, or null where the account has some. @throws AppError `conflict` */
export async function addPasskey(
  db: Db,
  key: Buffer,
  self: Self,
  { name, credential }: { name: string; credential: factors.Credential },
): Promise<string[] | null> {
  return db.transaction(async (trx) => {
    await accounts.lock(trx, [self.accountId])
    if (!(await factors.addPasskey(trx, self.accountId, name, credential))) {
      throw new AppError('conflict', 'This passkey was added before.')
    }
    await recordFactorChange(trx, self, 'new_factor', { kind: 'passkey', name })
    return firstRecoveryCodes(trx, key, self)
  })
}

export const wrongCode = () =>
  new AppError('invalid', 'This code is wrong, or was used before. Wait for the next one.', {
    fields: { code: 'This code is wrong, or was used before. Wait for the next one.' },
  })

async function firstRecoveryCodes(trx: Transaction, key: Buffer, { accountId }: Self): Promise<string[] | null> {
  return (await factors.recoveryCodesLeft(trx, accountId)) > 0 ? null : factors.renewRecoveryCodes(trx, key, accountId)
}
