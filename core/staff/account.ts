import * as jobs from '../deliveries/stores/jobs.ts'
import { AppError, invalidField } from '../errors.ts'
import type { Db, Transaction } from '../platform/db.ts'
import { hashPassword, isOutdated, weaknessOf } from '../platform/passwords.ts'
import type { NewStaff, StaffAccount, StaffUpdate } from './contract/staff.ts'
import type { Actor } from './stores/audit-log.ts'
import * as auditLog from './stores/audit-log.ts'
import * as accounts from './stores/staff-accounts.ts'
import * as staffSessions from './stores/staff-sessions.ts'

const entity = 'staff'

/** Locks an account and checks that the actor may still change it. @throws AppError `forbidden` */
export async function lockFor(trx: Transaction, id: number, { actorId }: Actor): Promise<void> {
  await accounts.lock(trx, [id, ...(actorId ? [actorId] : [])])
  if (!actorId) return
  const self = await accounts.get(trx, actorId)
  if (self.role !== 'manager' || self.disabled_at) throw new AppError('forbidden', 'Only managers may do this.')
}

/** Mails the owner of an account a link to choose a password. */
async function mailLink(trx: Transaction, id: number, kind: accounts.LinkKind, actor: string): Promise<void> {
  await accounts.request(trx, id, kind, actor)
  await jobs.add(trx, `account:${id}`, [{ name: 'send-email', purpose: kind }])
}

/** Makes a link to choose a password that is not mailed. */
async function makeLink(
  trx: Transaction,
  id: number,
  kind: accounts.LinkKind,
  actor: string,
): Promise<accounts.MadeLink> {
  await accounts.request(trx, id, kind, actor)
  const made = await accounts.makeToken(trx, id, kind)
  if (!made) throw new Error('The link that was just asked for is gone.')
  return made
}

/** Makes an account, and mails its owner a link to choose a password. @throws AppError `conflict` */
export async function inviteStaff(db: Db, staff: NewStaff, { actor }: Actor): Promise<StaffAccount> {
  return db.transaction(async (trx) => {
    const id = await insert(trx, staff, actor)
    await mailLink(trx, id, 'invitation', actor)
    return accounts.get(trx, id)
  })
}

/** Makes an account and returns the link to choose a password, which is not mailed: for the first manager. @throws as above */
export async function inviteStaffByHand(db: Db, staff: NewStaff, { actor }: Actor): Promise<accounts.MadeLink> {
  return db.transaction(async (trx) => makeLink(trx, await insert(trx, staff, actor), 'invitation', actor))
}

async function insert(trx: Transaction, staff: NewStaff, actor: string): Promise<number> {
  const id = await accounts.add(trx, staff)
  const details = { email: staff.email, role: staff.role }
  await auditLog.record(trx, { actor, action: 'add', entity, entityId: id, details })
  return id
}

/**
 * Changes name or role, disables or enables. One manager always stays: managers cannot remove their own rights, and of two
 * who disable each other at the same time the second is refused.
 * @throws AppError `not_found`, `conflict` when it is one's own account, `forbidden` when the actor has lost the role
 */
export async function changeStaff(db: Db, id: number, update: StaffUpdate, by: Actor): Promise<StaffAccount> {
  const { actor, actorId } = by
  return db.transaction(async (trx) => {
    await lockFor(trx, id, by)
    if (actorId === id && (update.disabled || (update.role && update.role !== 'manager'))) {
      throw new AppError('conflict', 'You cannot remove your own rights. Ask another manager.')
    }

    const before = await accounts.get(trx, id)
    await accounts.change(trx, id, update)
    const after = await accounts.get(trx, id)
    if (after.disabled_at) {
      await staffSessions.endAll(trx, id)
      await accounts.end(trx, id)
    }
    for (const line of changes(before, after)) await auditLog.record(trx, { actor, entity, entityId: id, ...line })
    return accounts.get(trx, id)
  })
}

function changes(before: StaffAccount, after: StaffAccount) {
  const lines: Pick<auditLog.AuditEntry, 'action' | 'details'>[] = []
  if (before.name !== after.name || before.role !== after.role) {
    const role = before.role !== after.role && { from: before.role, to: after.role }
    lines.push({ action: 'change', details: { renamed: before.name !== after.name, ...role } })
  }
  if (!before.disabled_at && after.disabled_at) lines.push({ action: 'disable' })
  if (before.disabled_at && !after.disabled_at) lines.push({ action: 'enable' })
  return lines
}

/**
 * Ends the password and all sessions of an account, and mails its owner a new link: an invitation if there never was a
 * password, else a reset. Refuses one's own account, because a stolen session must not become a stolen account.
 * @throws AppError `not_found`, `conflict`, `forbidden`
 */
export async function resetPassword(db: Db, id: number, by: Actor): Promise<StaffAccount> {
  return db.transaction(async (trx) => {
    await mailLink(trx, id, await beginReset(trx, id, by), by.actor)
    return accounts.get(trx, id)
  })
}

/** Ends the password and all sessions of an account, and returns a new link, which is not mailed. @throws as above */
export async function resetPasswordByHand(db: Db, id: number, by: Actor): Promise<accounts.MadeLink> {
  return db.transaction(async (trx) => makeLink(trx, id, await beginReset(trx, id, by), by.actor))
}

async function beginReset(trx: Transaction, id: number, by: Actor): Promise<accounts.LinkKind> {
  await lockFor(trx, id, by)
  if (by.actorId === id) {
    throw new AppError('conflict', 'You cannot reset your own password. Use “Change password”.')
  }
  const { disabled_at, has_password, link } = await accounts.get(trx, id)
  if (disabled_at) throw new AppError('conflict', 'This account is disabled. Enable it first.')

  const kind = !has_password && link?.kind !== 'reset' ? 'invitation' : 'reset'
  await accounts.setPassword(trx, id, null)
  await staffSessions.endAll(trx, id)
  const action = kind === 'reset' ? 'reset-password' : 'invite-again'
  await auditLog.record(trx, { actor: by.actor, action, entity, entityId: id })
  return kind
}

/**
 * Mails a link to choose a new password to an owner who asks for one. The old password and the sessions end when it is used.
 * Does nothing without such an account, or when it is disabled or never had a password.
 */
export async function requestReset(db: Db, email: string): Promise<void> {
  await db.transaction(async (trx) => {
    const account = await accounts.lockForReset(trx, email)
    if (!account) return
    await mailLink(trx, account.id, 'reset', account.email)
    await auditLog.record(trx, { actor: 'unknown', action: 'request-reset', entity, entityId: account.id })
  })
}

/** Ends all sessions of an account. @throws AppError `not_found`, `forbidden` */
export async function endSessionsOf(db: Db, id: number, by: Actor): Promise<void> {
  await db.transaction(async (trx) => {
    await lockFor(trx, id, by)
    await staffSessions.endAll(trx, id)
    await auditLog.record(trx, { actor: by.actor, action: 'end-session', entity, entityId: id })
  })
}

/**
 * Sets the password that the owner of a link has chosen. The link and all sessions end.
 * @throws AppError `not_found` when the link is unknown, used or too old, `invalid` when the password is easy to guess
 */
export async function setPasswordByLink(db: Db, token: string, password: string): Promise<number> {
  const link = await findLink(db, token)
  const weakness = await weaknessOf(password, [link.name, link.email])
  if (weakness) throw invalidField('new_password', weakness)
  const passwordHash = await hashPassword(password)
  return db.transaction(async (trx) => {
    await accounts.lock(trx, [link.accountId])
    // Read again under the lock: a link works once.
    const { accountId, kind, email } = await findLink(trx, token)
    await accounts.setPassword(trx, accountId, passwordHash)
    await accounts.end(trx, accountId)
    await staffSessions.endAll(trx, accountId)
    const details = { link: kind }
    await auditLog.record(trx, { actor: email, action: 'set-password', entity, entityId: accountId, details })
    if (kind === 'reset')
      await jobs.add(trx, `account:${accountId}`, [{ name: 'send-email', purpose: 'password_changed' }])
    return accountId
  })
}

/** Finds the account of a link. @throws AppError `not_found` */
export async function findLink(db: Db, token: string) {
  const link = await accounts.find(db, token)
  if (!link) {
    throw new AppError('not_found', 'This link no longer works. Ask for a new one at the sign-in, or ask a manager.')
  }
  return link
}

/** Replaces the hash of an account whose password was just verified, if scrypt made it. Returns the hash that is stored now. */
export async function renewHash(db: Db, id: number, stored: string | null, password: string): Promise<string | null> {
  if (stored === null || !isOutdated(stored)) return stored
  const passwordHash = await hashPassword(password)
  return (await accounts.renewHash(db, id, stored, passwordHash)) ? passwordHash : stored
}
