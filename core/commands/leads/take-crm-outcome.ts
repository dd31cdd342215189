import type { CrmMessage } from '../../contract/outcomes.ts'
import { AppError } from '../../errors.ts'
import type { Db } from '../../platform/db.ts'
import { personHashes } from '../../rules/person-hash.ts'
import * as leads from '../../stores/leads.ts'
import * as suppressions from '../../stores/suppressions.ts'
import { type OptOutContext, stopContactOfLead } from '../opt-outs/stop-contact.ts'
import { recordOutcome } from './record-outcome.ts'

/**
 * Records an outcome that the CRM states. The same message again changes nothing. An opt-out stops contact, unless staff
 * have allowed contact again since it happened.
 * @param eventId the id of the message
 * @returns false when nothing was recorded
 * @throws AppError `not_found`, `gone` for a deleted lead, `conflict` for a held one
 */
export async function takeCrmOutcome(
  db: Db,
  { timestamp, data }: Pick<CrmMessage, 'timestamp' | 'data'>,
  eventId: string,
  context: OptOutContext,
): Promise<boolean> {
  const { at: happenedAt = timestamp, ...outcome } = data.outcome
  const id = await leads.findIdForCrm(db, data.lead)
  const lead = id === undefined ? null : await leads.find(db, id)
  if (!lead) {
    if (await leads.wasDeleted(db, data.lead)) throw new AppError('gone', 'This lead was deleted.')
    throw new AppError('not_found', 'There is no such lead.')
  }
  if (outcome.kind === 'opted_out') {
    if (await suppressions.wasLiftedSince(db, personHashes(context.key, lead), happenedAt)) return false
    await stopContactOfLead(db, lead.id, { actor: 'crm' }, context)
    return true
  }
  return recordOutcome(db, lead.id, { ...outcome, source: 'crm', actor: 'crm', eventId, happenedAt })
}
