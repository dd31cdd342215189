import { AppError } from '../../errors.ts'
import type { Db, Transaction } from '../../platform/db.ts'
import * as auditLog from '../../stores/audit-log.ts'
import * as jobs from '../../stores/jobs.ts'
import * as accounts from '../../stores/staff-accounts.ts'
import * as links from '../../stores/staff-links.ts'
import * as staffSessions from '../../stores/staff-sessions.ts'
import type { Actor } from '../actor.ts'
import { entity, hashChosen } from './account.ts'

/**
 * Sets a password that the account's owner has chosen, and tells the owner by e-mail. Ends all sessions but `keepSession`,
 * which gets another token.
 * @returns that token
 * @throws AppError `invalid` when it is easy to guess
 */
export async function setPassword(
  db: Db,
  id: number,
  password: string,
  { actor, keepSession }: Actor & { keepSession?: number | null },
): Promise<{ token: string | null }> {
  const passwordHash = await hashChosen(password, await accounts.get(db, id))
  return db.transaction(async (trx) => {
    await accounts.lock(trx, [id])
    await replacePassword(trx, id, passwordHash, { actor, keepSession })
    await jobs.add(trx, { accountId: id }, [{ name: 'send-email', purpose: 'password_changed' }])
    if (!keepSession) return { token: null }
    await staffSessions.confirm(trx, keepSession)
    return { token: await staffSessions.renew(trx, keepSession) }
  })
}

/**
 * Sets the password that the owner of a link has chosen. The link and all sessions end.
 * @throws AppError `not_found` when the link is unknown, used or too old, `invalid` when the password is easy to guess
 */
export async function setPasswordByLink(db: Db, token: string, password: string): Promise<number> {
  const link = await findLink(db, token)
  const passwordHash = await hashChosen(password, link)
  return db.transaction(async (trx) => {
    await accounts.lock(trx, [link.accountId])
    // Read again under the lock: a link works once.
    const { accountId, kind, email } = await findLink(trx, token)
    await replacePassword(trx, accountId, passwordHash, { actor: email, details: { link: kind } })
    if (kind === 'reset') await jobs.add(trx, { accountId }, [{ name: 'send-email', purpose: 'password_changed' }])
    return accountId
  })
}

/** Finds the account of a link. @throws AppError `not_found` */
export async function findLink(db: Db, token: string) {
  const link = await links.find(db, token)
  if (!link) {
    throw new AppError('not_found', 'This link does not work any more. Ask a manager to send you a new one.')
  }
  return link
}

async function replacePassword(
  trx: Transaction,
  id: number,
  passwordHash: string,
  { actor, keepSession, details }: Actor & { keepSession?: number | null; details?: Record<string, unknown> },
): Promise<void> {
  await accounts.setPassword(trx, id, passwordHash)
  await links.end(trx, id)
  await staffSessions.endAll(trx, id, { but: keepSession })
  await auditLog.record(trx, { actor, action: 'set-password', entity, entityId: id, details })
}
