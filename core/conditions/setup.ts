import * as changes from '../deliveries/stores/changes.ts'
import { AppError } from '../errors.ts'
import { eraseLead } from '../leads/purge-leads.ts'
import * as leads from '../leads/stores/leads.ts'
import type { Db } from '../platform/db.ts'
import { limitTests } from '../staff/limit-tests.ts'
import type { Actor } from '../staff/stores/audit-log.ts'
import * as auditLog from '../staff/stores/audit-log.ts'
import * as setup from './stores/setup.ts'

/** Tests the mail server with an e-mail `to` an address, or the CRM (null). @throws AppError `rate_limited` */
export async function sendCheck(db: Db, to: string | null, { actor }: Actor): Promise<void> {
  const kind = to === null ? 'crm' : 'mail'
  await db.transaction(async (trx) => {
    await limitTests(trx, `check-${kind}`)
    await setup.addCheck(trx, { kind, to })
    await auditLog.record(trx, { actor, action: `check-${kind}`, entity: 'network', entityId: 'all' })
  })
}

/**
 * Deletes all test leads for good. The CRM is asked to delete them as well, and no clinic is, because none knows of them.
 * @throws AppError `not_found`
 */
export async function deleteTestLeads(db: Db, { actor, personKey }: Actor & { personKey: Buffer }): Promise<void> {
  await db.transaction(async (trx) => {
    const ids = (await setup.listTestLeads(trx)).toSorted((a, b) => a - b)
    if (ids.length === 0) throw new AppError('not_found', 'There is no test lead. It may have been deleted.')
    const deliveries = (await setup.readTestLead(trx))?.deliveries ?? []
    const arrived = deliveries.some(({ purpose, state }) => purpose === 'provider' && state === 'done')
    for (const id of ids) {
      if (!(await leads.lock(trx, id))) continue
      await eraseLead(trx, id, { reason: 'deleted', personKey })
      await auditLog.record(trx, {
        ...{ actor, action: 'delete-test-lead', entity: 'lead', entityId: id },
        details: { arrived },
      })
    }
    await changes.announce(trx, { leads: ids })
  })
}
