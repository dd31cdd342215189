import { AppError } from '../errors.ts'
import type { Db } from '../platform/db.ts'
import * as auditLog from '../stores/audit-log.ts'
import * as jobs from '../stores/jobs.ts'
import * as accounts from '../stores/staff-accounts.ts'
import * as staffSessions from '../stores/staff-sessions.ts'
import * as settings from '../stores/staff-settings.ts'
import type { Actor } from './staff-actions.ts'

/**
 * Switches the shared password on or off. Switched off, its sessions end.
 * @throws AppError `conflict` when no manager could sign in without it
 */
export async function setSharedPassword(db: Db, isOn: boolean, { actor }: Actor): Promise<void> {
  await db.transaction(async (trx) => {
    if (!isOn && !(await accounts.canSignIn(trx, 'manager'))) {
      throw new AppError('conflict', 'First give a manager an account, and let them choose a password.')
    }
    await settings.setSharedPassword(trx, isOn)
    if (!isOn) await staffSessions.endShared(trx)
    const action = isOn ? 'shared-password-on' : 'shared-password-off'
    await auditLog.record(trx, { actor, action, entity: 'staff', entityId: 'all' })
  })
}

/**
 * Opens a session once a sign-in is complete, in place of the one that the browser had.
 * @param from `oldToken` is the cookie that the browser has; `isNew` when it never signed in to this account before, of
 * which the owner is told; `factor` is what it took besides the password
 */
export async function signIn(
  db: Db,
  owner: staffSessions.SessionOwner,
  from: { device: staffSessions.Device; oldToken?: string; isNew: boolean; idle: number; factor?: string },
  { actor }: Actor,
): Promise<string> {
  return db.transaction(async (trx) => {
    const told = from.isNew && 'accountId' in owner ? owner : null
    // Before the session is there, whose foreign key locks the account, too: two at once would wait for each other.
    if (told) await accounts.lock(trx, [told.accountId])
    const replaced = from.oldToken ? await staffSessions.endByToken(trx, from.oldToken) : null
    const { id, token } = await staffSessions.open(trx, owner, from)
    const details = { ...(replaced !== null && { replaces: replaced }), ...(from.factor && { factor: from.factor }) }
    await auditLog.record(trx, { actor, action: 'sign-in', entity: 'session', entityId: id, details })
    if (told) await jobs.add(trx, told, [{ name: 'send-email', purpose: 'new_browser' }])
    return token
  })
}

/**
 * Ends a session: one's own, or anybody's for managers.
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

/** What sensitive calls answer when the last confirmation is too old. The dashboard asks, and calls again. */
export const confirmIdentity = () => new AppError('confirm_identity', 'Confirm that it is you, and try again.')
