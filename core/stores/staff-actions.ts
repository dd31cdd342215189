import type { Invitation, NewStaff, StaffAccount, StaffUpdate } from '../contract/staff.ts'
import type { Db } from '../db.ts'
import { AppError } from '../errors.ts'
import { hashPassword, makePassword } from '../passwords.ts'
import * as auditLog from './audit-log.ts'
import * as accounts from './staff-accounts.ts'
import { INVITATION_LIFETIME } from './staff-accounts.ts'
import * as staffSessions from './staff-sessions.ts'

/**
 * What is done to the accounts of staff. Each is one transaction: the act, the end of sessions, and its line in the audit
 * log. `actorId` is absent where nobody with an account acts: with the shared password, or from the command line.
 */
export type Actor = { actor: string; actorId?: number | null }

const entity = 'staff'

/** Makes an account with a password that its owner has chosen. @throws AppError `conflict` when the e-mail has one */
export async function add(db: Db, staff: NewStaff, password: string, { actor }: Actor): Promise<StaffAccount> {
  return insert(db, staff, { passwordHash: await hashPassword(password), isInvitation: false }, actor)
}

/** Makes an account with a password that lets its owner choose another. @throws AppError `conflict` as above */
export async function invite(db: Db, staff: NewStaff, { actor }: Actor): Promise<Invitation> {
  const password = makePassword()
  return invitation(
    password,
    await insert(db, staff, { passwordHash: await hashPassword(password), isInvitation: true }, actor),
  )
}

/**
 * Changes name or role, disables or enables. Nobody takes their own rights away, so a manager is always left: two who
 * disable each other at the same time take turns, and the second has no rights any more.
 * @throws AppError `not_found`, `conflict` when it is one's own account, `forbidden` when the actor has lost the role
 */
export async function change(
  db: Db,
  id: number,
  update: StaffUpdate,
  { actor, actorId }: Actor,
): Promise<StaffAccount> {
  return db.transaction(async (trx) => {
    await accounts.lock(trx, [id, ...(actorId ? [actorId] : [])])
    if (actorId) {
      const self = await accounts.get(trx, actorId)
      if (self.role !== 'manager' || self.disabled_at) throw new AppError('forbidden', 'Only managers may do this.')
    }
    if (actorId === id && (update.disabled || update.role === 'viewer')) {
      throw new AppError('conflict', 'You cannot remove your own rights. Ask another manager.')
    }

    const before = await accounts.get(trx, id)
    await accounts.change(trx, id, update)
    const after = await accounts.get(trx, id)
    if (after.disabled_at) await staffSessions.endAll(trx, id)
    for (const line of changes(before, after)) await auditLog.record(trx, { actor, entity, entityId: id, ...line })
    return accounts.get(trx, id)
  })
}

/** Sets a password that its owner has chosen. Their sessions end, but for the one in which they chose it. */
export async function setPassword(
  db: Db,
  id: number,
  password: string,
  { actor, keepSession }: Actor & { keepSession?: number | null },
): Promise<void> {
  const passwordHash = await hashPassword(password)
  await db.transaction(async (trx) => {
    await accounts.lock(trx, [id])
    await accounts.setPassword(trx, id, { passwordHash, isInvitation: false })
    await staffSessions.endAll(trx, id, { but: keepSession })
    await auditLog.record(trx, { actor, action: 'set-password', entity, entityId: id })
  })
}

/** Sets a password that lets its owner choose another. Their sessions end. @throws AppError `not_found` */
export async function resetPassword(db: Db, id: number, { actor }: Actor): Promise<Invitation> {
  const password = makePassword()
  const passwordHash = await hashPassword(password)
  return db.transaction(async (trx) => {
    await accounts.lock(trx, [id])
    await accounts.setPassword(trx, id, { passwordHash, isInvitation: true })
    await staffSessions.endAll(trx, id)
    await auditLog.record(trx, { actor, action: 'reset-password', entity, entityId: id })
    return invitation(password, await accounts.get(trx, id))
  })
}

/**
 * Ends a session: one's own, or anybody's for managers.
 * @throws AppError `not_found`, `forbidden`
 */
export async function endSession(db: Db, id: number, who: Actor & { role: string }): Promise<void> {
  await db.transaction(async (trx) => {
    const ended = await staffSessions.end(trx, id)
    if (!ended) throw new AppError('not_found', 'This session has already ended.')
    const isOwn = ended.accountId === (who.actorId ?? null)
    if (!isOwn && who.role !== 'manager')
      throw new AppError('forbidden', 'Only managers may end the sessions of others.')
    const details = { account: ended.accountId ?? 'shared' }
    await auditLog.record(trx, { actor: who.actor, action: 'end-session', entity: 'session', entityId: id, details })
  })
}

async function insert(db: Db, staff: NewStaff, password: accounts.NewPassword, actor: string): Promise<StaffAccount> {
  return db.transaction(async (trx) => {
    const id = await accounts.add(trx, staff, password)
    const details = { email: staff.email, role: staff.role }
    await auditLog.record(trx, { actor, action: 'add', entity, entityId: id, details })
    return accounts.get(trx, id)
  })
}

function invitation(password: string, account: StaffAccount): Invitation {
  return { account, password, password_expires_at: new Date(Date.now() + INVITATION_LIFETIME).toISOString() }
}

/** The lines of the audit log for what has changed: none if nothing has. */
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
