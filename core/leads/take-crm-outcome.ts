import { AppError } from '../errors.ts'
import type { Db } from '../platform/db.ts'
import { personHashes } from '../privacy/rules/opt-outs.ts'
import { type OptOutContext, stopContactOfLead } from '../privacy/stop-contact.ts'
import * as suppressions from '../privacy/stores/suppressions.ts'
import type { AnswerKind, CrmMessage } from './contract/outcomes.ts'
import { recordOutcome } from './record-outcome.ts'
import * as leads from './stores/leads.ts'
import * as outcomes from './stores/outcomes.ts'

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
    const why = outcome.reason === 'wrong_person' ? outcome.reason : 'asked_to_stop'
    await stopContactOfLead(db, lead.id, { actor: 'crm', why }, context)
    return true
  }
  return recordOutcome(db, lead.id, { ...outcome, source: 'crm', actor: 'crm', eventId, happenedAt })
}

/**
 * A change that was read from a CRM: what it says of the lead that has one of these ids there, and when it happened
 * (ISO 8601). `eventId` is the same each time the change is read.
 */
export type CrmChange = {
  eventId: string
  crmIds: string[]
  kind: Exclude<AnswerKind, 'opted_out'>
  happenedAt: string
}

/**
 * Records changes that were read from a CRM, the oldest first and each in a transaction of its own. A CRM that keeps persons
 * means the newest lead that had come by then. Skips changes that are recorded, and those of no lead, or of one that is held
 * or deleted by now. Returns how many are new.
 */
export async function takeCrmChanges(db: Db, changes: CrmChange[], context: OptOutContext): Promise<number> {
  const recorded = await outcomes.findEvents(
    db,
    changes.map(({ eventId }) => eventId),
  )
  const fresh = changes.filter(({ eventId }) => !recorded.has(eventId))
  const known = await leads.listOfCrm(
    db,
    fresh.flatMap(({ crmIds }) => crmIds),
  )
  let count = 0
  for (const { eventId, crmIds, kind, happenedAt } of fresh.toSorted(byTime)) {
    const lead = known.find(({ crmId, createdAt }) => crmIds.includes(crmId) && createdAt <= new Date(happenedAt))
    if (!lead) continue
    // The CRM's stage names no reason.
    const outcome = kind === 'declined' ? ({ kind, reason: 'other' } as const) : { kind }
    const message = { timestamp: happenedAt, data: { lead: { id: lead.id }, outcome } }
    try {
      if (await takeCrmOutcome(db, message, eventId, context)) count += 1
    } catch (error) {
      if (!(error instanceof AppError) || !PASSED_OVER.has(error.code)) throw error
    }
  }
  return count
}

const byTime = (a: CrmChange, b: CrmChange) => Date.parse(a.happenedAt) - Date.parse(b.happenedAt)

/** What a CRM that posts its messages is told with 404, 409 and 410. */
const PASSED_OVER = new Set<AppError['code']>(['not_found', 'conflict', 'gone'])
