import type { NetworkPause, NewNetworkPause } from '../contract/network-pauses.ts'
import { AppError } from '../errors.ts'
import type { Db } from '../platform/db.ts'
import * as answerClocks from '../stores/answer-clocks.ts'
import * as auditLog from '../stores/audit-log.ts'
import * as networkPauses from '../stores/network-pauses.ts'
import type { Actor } from './actor.ts'

/** Stops the clocks of all clinics from one time to another. Open clocks are worked out again. */
export async function pauseNetwork(db: Db, pause: NewNetworkPause, { actor }: Actor): Promise<NetworkPause> {
  return db.transaction(async (trx) => {
    await networkPauses.lock(trx)
    const added = await networkPauses.add(trx, pause, actor)
    await answerClocks.markStale(trx)
    const { id, ...details } = added
    await auditLog.record(trx, { actor, action: 'pause-network', entity: 'network', entityId: id, details })
    return added
  })
}

/** Ends a pause now, or cancels one that has not begun. @throws AppError `not_found` when it has ended */
export async function endPause(db: Db, id: number, { actor }: Actor): Promise<void> {
  await db.transaction(async (trx) => {
    await networkPauses.lock(trx)
    const ended = await networkPauses.end(trx, id)
    if (!ended) throw new AppError('not_found', 'This pause has ended.')
    await answerClocks.markStale(trx)
    const { reason } = ended
    await auditLog.record(trx, { actor, action: 'end-pause', entity: 'network', entityId: id, details: { reason } })
  })
}
