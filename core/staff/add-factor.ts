import * as jobs from '../deliveries/stores/jobs.ts'
import { AppError } from '../errors.ts'
import type { Db, Transaction } from '../platform/db.ts'
import { lockFor, recordFactorChange, type Self } from './account.ts'
import type { Actor } from './actor.ts'
import { newTotpSecret } from './rules/second-factor.ts'
import * as auditLog from './stores/audit-log.ts'
import * as accounts from './stores/staff-accounts.ts'
import * as factors from './stores/staff-factors.ts'
import * as staffSessions from './stores/staff-sessions.ts'

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

/**
 * Removes all second factors of an account, and ends its sessions. Refuses one's own account, because a stolen session must
 * not remove them.
 * @throws AppError `not_found`, `conflict`, `forbidden`
 */
export async function resetFactors(db: Db, id: number, by: Actor): Promise<void> {
  await db.transaction(async (trx) => {
    await lockFor(trx, id, by)
    if (by.actorId === id) throw new AppError('conflict', 'You cannot reset your own two-step sign-in.')
    if ((await factors.kinds(trx, id)).length === 0) {
      throw new AppError('conflict', 'This account has no two-step sign-in.')
    }
    await factors.removeAll(trx, id)
    await staffSessions.endAll(trx, id)
    await auditLog.record(trx, { actor: by.actor, action: 'reset-factors', entity: 'staff', entityId: id })
    await jobs.add(trx, `account:${id}`, [{ name: 'send-email', purpose: 'factor_removed' }])
  })
}
