import type { Lead } from '../../contract/leads.ts'
import type { NewAnswer } from '../../contract/outcomes.ts'
import { AppError } from '../../errors.ts'
import type { Db, Transaction } from '../../platform/db.ts'
import { isOfMatch, type RequestLink } from '../../rules/request-links.ts'
import * as leads from '../../stores/leads.ts'
import * as suppressions from '../../stores/suppressions.ts'
import { type OptOutContext, stopContactByClinic } from '../opt-outs/stop-contact.ts'
import { onLead } from './on-lead.ts'
import { recordOn } from './record-outcome.ts'

/*
 * What a clinic does by its link to a request, or on its own pages. Each use case checks under the lock of the lead that the clinic still has it,
 * and otherwise throws AppError `not_found` or `conflict`.
 */

const BY_CLINIC = { source: 'clinic', actor: 'clinic' } as const

/** Records that the clinic has opened its page. */
export async function openRequest(db: Db, link: RequestLink): Promise<void> {
  await onMatch(db, link, (trx, lead) => recordOn(trx, lead, { kind: 'opened', ...BY_CLINIC }))
}

/** Records the answer of the clinic. Returns false when it is the current one already. */
export async function answerRequest(db: Db, link: RequestLink, answer: NewAnswer): Promise<boolean> {
  return onMatch(db, link, (trx, lead) => recordOn(trx, lead, { ...answer, ...BY_CLINIC }))
}

/**
 * Records the answer of a signed-in clinic to one of its requests. STOP stops contact.
 * @throws AppError `not_found` when it does not have the request now, `conflict` when the person asked for no contact
 */
export async function answerAsClinic(
  db: Db,
  leadId: number,
  providerId: number,
  { kind, reason, note, ...answer }: NewAnswer,
  context: OptOutContext,
): Promise<void> {
  await onLead(db, leadId, async (trx, lead) => {
    if (lead.provider_id !== providerId || lead.held_reason !== null) throw leads.noSuchLead()
    if (await suppressions.isSuppressed(trx, context.key, lead)) {
      throw new AppError('conflict', 'This person has asked not to be contacted. Please do not call.')
    }
    if (kind !== 'opted_out') await recordOn(trx, lead, { kind, reason, note, ...answer, ...BY_CLINIC })
  })
  if (kind !== 'opted_out') return
  const why = reason === 'wrong_person' ? reason : 'asked_to_stop'
  await stopContactByClinic(db, leadId, { providerId, reason: why, note }, context)
}

function onMatch<Result>(
  db: Db,
  link: RequestLink,
  act: (trx: Transaction, lead: Lead) => Promise<Result>,
): Promise<Result> {
  return onLead(db, link.leadId, (trx, lead) => {
    if (!isOfMatch(link, lead)) throw new AppError('conflict', 'The clinic does not have this request any more.')
    return act(trx, lead)
  })
}
