import * as jobs from '../deliveries/stores/jobs.ts'
import { AppError, invalidField } from '../errors.ts'
import type { Db, Transaction } from '../platform/db.ts'
import type { RowWith } from '../tables/table.ts'
import { lockFor } from './account.ts'
import type { SingleSignOnProblem } from './contract/session.ts'
import type { Actor } from './stores/audit-log.ts'
import * as auditLog from './stores/audit-log.ts'
import type { Credentials } from './stores/staff-accounts.ts'
import * as accounts from './stores/staff-accounts.ts'
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

/** Ends one of the actor's own sessions. @throws AppError `not_found` */
export async function endSession(db: Db, id: number, { actor, actorId = null }: Actor): Promise<void> {
  await db.transaction(async (trx) => {
    if (!(await staffSessions.end(trx, id, actorId))) {
      throw new AppError('not_found', 'This session has already ended.')
    }
    await auditLog.record(trx, { actor, action: 'end-session', entity: 'session', entityId: id })
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

/** The owner of an account, in one of the account's sessions. */
export type Self = { accountId: number; email: string; sessionId: number | null }

/**
 * Turns an authenticator app on, in place of an earlier one. Returns new recovery codes.
 * @throws AppError `invalid` when the code is wrong
 */
export async function confirmTotp(
  db: Db,
  key: Buffer,
  self: Self,
  proof: { secret: string; code: string },
): Promise<string[]> {
  return changeFactor(db, self, 'totp', async (trx) => {
    if (!(await accounts.setTotp(trx, key, self.accountId, proof))) throw wrongCode()
    return accounts.renewRecoveryCodes(trx, key, self.accountId)
  })
}

export const wrongCode = () => invalidField('code', 'This code is wrong, or was used before. Wait for the next one.')

/** Makes new recovery codes, which end the earlier ones. @throws AppError `conflict` without a second factor */
export async function renewRecoveryCodes(db: Db, key: Buffer, self: Self): Promise<string[]> {
  return changeFactor(db, self, 'recovery_codes', async (trx) => {
    if (!(await accounts.hasFactor(trx, self.accountId))) throw noFactor('First set up an authenticator app.')
    return accounts.renewRecoveryCodes(trx, key, self.accountId)
  })
}

/** Turns the authenticator app off. @throws AppError `conflict` when it must stay, or is off */
export async function removeTotp(db: Db, self: Self, isRequired: boolean): Promise<void> {
  if (isRequired) {
    throw new AppError('conflict', 'Your account must have two-step sign-in. You can set the app up on another phone.')
  }
  await changeFactor(db, self, 'removed', async (trx) => {
    if (!(await accounts.removeFactors(trx, self.accountId))) throw noFactor()
  })
}

/** Makes and records a change of an account's second factor, mails its owner, and ends the other sessions, which a thief may have. */
async function changeFactor<Result>(
  db: Db,
  { accountId, email: actor, sessionId }: Self,
  what: 'totp' | 'recovery_codes' | 'removed',
  change: (trx: Transaction) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (trx) => {
    await accounts.lock(trx, [accountId])
    const result = await change(trx)
    await staffSessions.endAll(trx, accountId, { but: sessionId })
    const isRemoved = what === 'removed'
    const details = { kind: isRemoved ? 'totp' : what }
    const action = isRemoved ? 'remove-factor' : 'add-factor'
    await auditLog.record(trx, { actor, action, entity: 'staff', entityId: accountId, details })
    await jobs.add(trx, `account:${accountId}`, [
      { name: 'send-email', purpose: isRemoved ? 'factor_removed' : 'new_factor' },
    ])
    return result
  })
}

const noFactor = (sentence = 'This account has no two-step sign-in.') => new AppError('conflict', sentence)

/**
 * Removes the second factor of an account, and ends its sessions. Refuses one's own account, because a stolen session must
 * not remove it.
 * @throws AppError `not_found`, `conflict`, `forbidden`
 */
export async function resetFactors(db: Db, id: number, by: Actor): Promise<void> {
  await db.transaction(async (trx) => {
    await lockFor(trx, id, by)
    if (by.actorId === id) throw new AppError('conflict', 'You cannot reset your own two-step sign-in.')
    if (!(await accounts.removeFactors(trx, id))) throw noFactor()
    await staffSessions.endAll(trx, id)
    await auditLog.record(trx, { actor: by.actor, action: 'reset-factors', entity: 'staff', entityId: id })
    await jobs.add(trx, `account:${id}`, [{ name: 'send-email', purpose: 'factor_removed' }])
  })
}
