import * as jobs from '../deliveries/stores/jobs.ts'
import { AppError } from '../errors.ts'
import type { Db } from '../platform/db.ts'
import type { RowWith } from '../tables/table.ts'
import type { Actor } from './actor.ts'
import type { SingleSignOnProblem } from './contract/single-sign-on.ts'
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
    const told = from.isNew && 'accountId' in owner ? owner : null
    // Before the session, whose foreign key locks the account too: two sign-ins would wait for each other.
    if (told) await accounts.lock(trx, [told.accountId])
    const replaced = from.oldToken ? await staffSessions.endByToken(trx, from.oldToken) : null
    const { id, token } = await staffSessions.open(trx, owner, from)
    const details = { ...(replaced !== null && { replaces: replaced }), ...(from.factor && { factor: from.factor }) }
    await auditLog.record(trx, { actor, action: 'sign-in', entity: 'session', entityId: id, details })
    if (told) await jobs.add(trx, `account:${told.accountId}`, [{ name: 'send-email', purpose: 'new_browser' }])
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
 * Finds the account of a person. The first sign-in finds it by the e-mail address, if the provider has verified that, and
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
      throw new AppError('conflict', 'First give a manager an account, and let them choose a password.')
    }
    await trx('network').update({ shared_password_off_at: isOn ? null : trx.fn.now() })
    if (!isOn) await staffSessions.endShared(trx)
    const action = isOn ? 'shared-password-on' : 'shared-password-off'
    await auditLog.record(trx, { actor, action, entity: 'staff', entityId: 'all' })
  })
}
