import { AppError } from '../../errors.ts'
import type { Db } from '../../platform/db.ts'
import * as auditLog from '../../stores/audit-log.ts'
import * as staffSessions from '../../stores/staff-sessions.ts'
import type { Actor } from '../actor.ts'

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
