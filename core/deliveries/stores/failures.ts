import type { LeadFilter } from '../../leads/contract/leads.ts'
import type { Db } from '../../platform/db.ts'
import { TARGET } from './delivery-status.ts'

/**
 * Finds the newest deliveries of their kind that failed for good, or failed and are retried. The conditions on the state
 * and on newer generations are those of the indexes.
 */
const FAILED = `jobs.last_cause is not null and jobs.state in ('failed', 'waiting', 'enqueued')`
const FAILING = `${FAILED} and not exists (
  select from jobs newer where newer.lead_id = jobs.lead_id and newer.name = jobs.name
    and newer.purpose = jobs.purpose and newer.generation > jobs.generation and newer.generation > 1)`

const CLINIC_MAIL = `name = 'send-email' and purpose = 'provider'`

/** SQL that is true for a lead whose clinic did not get the e-mail about it, because that failed for good. */
export const IS_NOT_REACHED = `provider_id is not null and id in (
  select lead_id from jobs where ${FAILING} and state = 'failed' and ${CLINIC_MAIL})`

/** SQL that is true for a job that is the open e-mail about a lead to its clinic. */
export const IS_OPEN = `state in ('waiting', 'enqueued') and ${CLINIC_MAIL}`

/** Queries the ids of leads with a failing delivery, for this cause and to this target. */
export function failingLeads(db: Db, { cause, target }: Pick<LeadFilter, 'cause' | 'target'>) {
  const query = db('jobs').select('lead_id').whereRaw(FAILING)
  if (cause !== undefined) query.where('last_cause', cause)
  return target === undefined ? query.whereRaw(`${TARGET} is not null`) : query.whereRaw(`${TARGET} = ?`, [target])
}
