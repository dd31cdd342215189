import { AppError } from '../../errors.ts'
import type { Db } from '../../platform/db.ts'
import * as auditLog from '../../stores/audit-log.ts'
import * as changes from '../../stores/changes.ts'
import { DAY } from '../../time.ts'
import type { Actor } from '../actor.ts'
import { matchWaitingLeads } from '../sync/match-waiting-leads.ts'

/**
 * Activates a new provider of a sync, so that it gets leads and visitors see it. Waiting leads of the last `waitingDays` are
 * matched again.
 * @throws AppError `not_found`, `conflict` when it does not wait for an activation
 */
export async function activateProvider(
  db: Db,
  providerId: number,
  { waitingDays }: { waitingDays: number },
  { actor }: Actor,
): Promise<void> {
  await db.transaction(async (trx) => {
    const provider = await trx('providers').where('id', providerId).forUpdate().first('activation', 'email')
    if (!provider) throw new AppError('not_found', 'Provider not found')
    if (provider.activation !== 'waiting') {
      throw new AppError('conflict', 'This provider no longer waits for its activation. Check the provider again.')
    }
    await trx('providers').where('id', providerId).update({ activation: 'activated', status: 't', hidden: false })
    await auditLog.record(trx, {
      ...{ actor, action: 'activate', entity: 'provider', entityId: providerId },
      details: { email: provider.email },
    })
    const leads = await matchWaitingLeads(trx, null, new Date(Date.now() - waitingDays * DAY))
    await changes.announce(trx, { providers: [providerId], jobs: leads })
  })
}
