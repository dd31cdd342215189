import type { StaffAccount } from '../../contract/staff.ts'
import { AppError } from '../../errors.ts'
import type { Db, Transaction } from '../../platform/db.ts'
import * as auditLog from '../../stores/audit-log.ts'
import * as accounts from '../../stores/staff-accounts.ts'
import type * as links from '../../stores/staff-links.ts'
import * as staffSessions from '../../stores/staff-sessions.ts'
import type { Actor } from '../actor.ts'
import { entity, lockFor, mailLink, makeLink } from './account.ts'

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
export async function resetPasswordByHand(db: Db, id: number, by: Actor): Promise<links.MadeLink> {
  return db.transaction(async (trx) => makeLink(trx, id, await beginReset(trx, id, by), by.actor))
}

async function beginReset(trx: Transaction, id: number, by: Actor): Promise<links.LinkKind> {
  await lockFor(trx, id, by)
  if (by.actorId === id) {
    throw new AppError('conflict', 'You cannot reset your own password. Use “Change password”, or ask another manager.')
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
