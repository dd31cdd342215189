import * as jobs from '../deliveries/stores/jobs.ts'
import { AppError } from '../errors.ts'
import type { Db, Transaction } from '../platform/db.ts'
import type { RowWith } from '../tables/table.ts'
import { lockFor, recordFactorChange, type Self } from './account.ts'
import type { SingleSignOnProblem } from './contract/session.ts'
import { newTotpSecret } from './rules/second-factor.ts'
import type { Actor } from './stores/audit-log.ts'
import * as auditLog from './stores/audit-log.ts'
import type { Credentials } from './stores/staff-accounts.ts'
import * as accounts from './stores/staff-accounts.ts'
import * as factors from './stores/staff-factors.ts'
import * as staffSessions from './stores/staff-sessions.ts'

/**
 * Opens a session after a complete sign-in, and ends the one that the browser had. Mails the owner about a new browser.
 * @param from `oldToken` is the browser's cookie; `isNew`: the browser has not signed in to this account before;
 * `factor`: the second factor that was used; `isConfirmed`: whether signing in proved the identity, by default true
 * @returns the token of the session
 */
export async function signIn(
  db: Db,
  owner: staffSessions.SessionOwner,
  from: {
    device: staffSessions.Device
    oldToken?: string
    isNew: boolean
    idle: number
    factor?: string
    isConfirmed?: boolean
  },
  { actor }: Actor,
): Promise<string> {
  return db.transaction(async (trx) => {
    const account = from.isNew && 'accountId' in owner ? owner : null
    // Before the session, whose foreign key locks the account too: two sign-ins would wait for each other.
    if (account) await accounts.lock(trx, [account.accountId])
    const replaced = from.oldToken ? await staffSessions.endByToken(trx, from.oldToken) : null
    const { id, token } = await staffSessions.open(trx, owner, from)
    const details = { ...(replaced !== null && { replaces: replaced }), ...(from.factor && { factor: from.factor }) }
    await auditLog.record(trx, { actor, action: 'sign-in', entity: 'session', entityId: id, details })
    if (account) await jobs.add(trx, `account:${account.accountId}`, [{ name: 'send-email', purpose: 'new_browser' }])
    return token
  })
}

/**
 * Ends a session: one of the actor's own, or for managers any.
 * @throws AppError `not_found`, `forbidden`, `confirm_identity` for the sessions of others
 */
export async function endSession(
  db: Db,
  id: number,
  who: Actor & { role: string; isConfirmed: boolean },
): Promise<void> {
  await db.transaction(async (trx) => {
    const ended = await staffSessions.end(trx, id)
    if (!ended) throw new AppError('not_found', 'This session has already ended.')
    const isOwn = ended.accountId === (who.actorId ?? null)
    if (!isOwn && who.role !== 'manager')
      throw new AppError('forbidden', 'Only managers may end the sessions of others.')
    if (!isOwn && !who.isConfirmed) throw confirmIdentity()
    const details = { account: ended.accountId ?? 'shared' }
    await auditLog.record(trx, { actor: who.actor, action: 'end-session', entity: 'session', entityId: id, details })
  })
}

/** The answer of sensitive calls when the last confirmation is too old. The dashboard asks for it, and calls again. */
export const confirmIdentity = () => new AppError('confirm_identity', 'Confirm that it is you, and try again.')

/** A person at the OpenID provider. `subject` never changes and is never given to another person (OpenID Connect Core, 2). */
export type Identity = { issuer: string; subject: string; email: string | null; isEmailVerified: boolean }

/**
 * Finds the account of a person. The first sign-in finds it by the email address, if the provider has verified that, and
 * links account and person. From then on only the link counts.
 */
export async function findOrLinkAccount(db: Db, identity: Identity): Promise<Credentials | SingleSignOnProblem> {
  const { issuer, subject, email, isEmailVerified } = identity
  return db.transaction(async (trx) => {
    const linked = await trx('staff_identities')
      .join('staff_accounts', 'staff_accounts.id', 'account_id')
      .where({ issuer, subject })
      .first<RowWith<'staff_accounts', 'email'> | undefined>('email')
    const known = linked?.email ?? email
    if (known === null || known === undefined) return 'unverified'
    const account = await accounts.findCredentials(trx, known)
    if (linked) return account?.isEnabled ? account : 'unknown'

    if (!isEmailVerified) return 'unverified'
    if (!account?.isEnabled) return 'unknown'
    const [added] = await trx('staff_identities')
      .insert({ issuer, subject, account_id: account.id })
      .onConflict(['account_id', 'issuer'])
      .ignore()
      .returning('account_id')
    if (!added) return 'linked'
    const { id, email: actor } = account
    await auditLog.record(trx, { actor, action: 'link-identity', entity: 'staff', entityId: id, details: { issuer } })
    return account
  })
}

/**
 * Switches the shared password on or off. Off also ends its sessions.
 * @throws AppError `conflict` when no manager could sign in without it
 */
export async function setSharedPassword(db: Db, isOn: boolean, { actor }: Actor): Promise<void> {
  await db.transaction(async (trx) => {
    if (!isOn && !(await accounts.canSignIn(trx, 'manager'))) {
      throw new AppError('conflict', 'First, a manager needs an account with a password.')
    }
    await trx('network').update({ shared_password_off_at: isOn ? null : trx.fn.now() })
    if (!isOn) await staffSessions.endShared(trx)
    const action = isOn ? 'shared-password-on' : 'shared-password-off'
    await auditLog.record(trx, { actor, action, entity: 'staff', entityId: 'all' })
  })
}

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
