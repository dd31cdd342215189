import type { Certification } from '../../contract/application-details.ts'
import { AppError } from '../../errors.ts'
import { type Db, only } from '../../platform/db.ts'
import * as details from '../../stores/application-details.ts'
import * as applications from '../../stores/applications.ts'
import * as auditLog from '../../stores/audit-log.ts'
import * as changes from '../../stores/changes.ts'
import { DAY } from '../../time.ts'
import type { Actor } from '../actor.ts'
import { matchWaitingLeads } from '../sync/match-waiting-leads.ts'
import { entity, onApplication } from './on-application.ts'

type Made = Pick<Certification, 'active' | 'match_waiting'> & { waitingDays: number }

/**
 * Certifies an application and makes its provider here, without a post in WordPress: a sync leaves such providers alone.
 * Waiting leads of the last `waitingDays` are matched again by the usual rules where that is asked for.
 * @returns the id of the provider
 * @throws AppError `not_found`, `conflict` when it is held or has a provider already
 */
export async function certifyApplication(
  db: Db,
  id: number,
  { active, match_waiting, waitingDays }: Made,
  { actor }: Actor,
): Promise<number> {
  return onApplication(db, id, async (trx, application) => {
    if (application.held_reason !== null) {
      throw new AppError('conflict', 'This application is held. Release it first.')
    }
    if (await details.findProvider(trx, id)) throw new AppError('conflict', 'This application has a clinic already.')

    const { name, practice_name, zip_code, email, phone, website, status } = application
    const made = only(
      await trx('providers')
        .insert({ name, practice_name, zip_code, email, phone, website, status: active ? 't' : 'f', hidden: !active })
        .returning('id'),
    )
    await trx('provider_applications').where({ id }).update({ provider_id: made.id })
    if (status !== 'certified') {
      await applications.setStatus(trx, id, 'certified')
      const step = { from: status, to: 'certified' }
      await auditLog.record(trx, { actor, action: 'set-status', entity, entityId: id, details: step })
    }
    await auditLog.record(trx, {
      actor,
      action: 'certify',
      entity,
      entityId: id,
      details: { provider: made.id, active },
    })
    const leads =
      active && match_waiting ? await matchWaitingLeads(trx, null, new Date(Date.now() - waitingDays * DAY)) : []
    await changes.announce(trx, { providers: [made.id], jobs: leads })
    return made.id
  })
}
