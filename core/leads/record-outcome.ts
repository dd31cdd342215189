import { DAY } from '../contract/time.ts'
import { columnsOf } from '../deliveries/jobs.ts'
import * as changes from '../deliveries/stores/changes.ts'
import * as jobs from '../deliveries/stores/jobs.ts'
import { AppError } from '../errors.ts'
import type { Db, Transaction } from '../platform/db.ts'
import type { Actor } from '../staff/stores/audit-log.ts'
import * as auditLog from '../staff/stores/audit-log.ts'
import type { Lead } from './contract/leads.ts'
import type { LeadOutcome, NewAnswer } from './contract/outcomes.ts'
import * as answerClocks from './stores/answer-clocks.ts'
import * as leads from './stores/leads.ts'
import * as outcomes from './stores/outcomes.ts'

/** Refuses to deliver a lead of a person that asked for no contact. */
export const askedToStop = () =>
  new AppError('conflict', 'This person asked not to be contacted. Open the lead and release it there.')

/** Runs a use case on one lead: in a transaction that holds the lead's lock, and announces the change. @throws AppError `not_found` */
export async function onLead<Result>(
  db: Db,
  id: number,
  act: (trx: Transaction, lead: Lead) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (trx) => {
    const lead = await leads.lock(trx, id)
    if (!lead) throw leads.noSuchLead()
    const result = await act(trx, lead)
    await changes.announce(trx, { leads: [id] })
    return result
  })
}

/**
 * Records an outcome of a lead, and makes it the current outcome. All earlier ones are kept. An answer stops the clock of
 * the clinic, and the CRM learns of it unless it comes from there. A day of an appointment has the clinic asked afterwards
 * whether the person came. `opened` replaces no answer. The same outcome as the
 * current one, from the same source, is recorded once: people tap twice. Only `stopContact…` records `opted_out`, which the
 * CRM learns from an event of its own. `wrong_number` asks the visitor for the right one.
 * @returns false when nothing was recorded
 * @throws AppError `not_found`, `conflict` for a held lead
 */
export async function recordOutcome(db: Db, leadId: number, outcome: outcomes.NewOutcome): Promise<boolean> {
  return onLead(db, leadId, (trx, lead) => recordOn(trx, lead, outcome))
}

/** Records an answer that staff state, and their act in the audit log. Returns and throws as `recordOutcome` does. */
export async function recordByStaff(db: Db, leadId: number, answer: NewAnswer, { actor }: Actor): Promise<boolean> {
  return onLead(db, leadId, async (trx, lead) => {
    const isNew = await recordOn(trx, lead, { ...answer, source: 'staff', actor })
    // Not the note, which may name a person.
    const details = { kind: answer.kind, ...(answer.reason && { reason: answer.reason }) }
    if (isNew)
      await auditLog.record(trx, { actor, action: 'record-outcome', entity: 'lead', entityId: leadId, details })
    return isNew
  })
}

/**
 * Records an outcome in a transaction that holds the lock of the lead, and announces the change. An outcome that happened
 * before the current answer, or before the clinic got the lead, becomes history only.
 */
export async function recordOn(trx: Transaction, lead: Lead, outcome: outcomes.NewOutcome): Promise<boolean> {
  if (lead.held_reason !== null) throw new AppError('conflict', 'This lead is held. Release it first.')
  const { kind, source } = outcome
  const isAnswer = kind !== 'opened'
  if (!isAnswer && lead.outcome !== null) return false
  const happenedAt = outcome.happenedAt && notLater(outcome.happenedAt)
  if (happenedAt && isOutdated(lead, happenedAt)) {
    const isOfClinic = lead.matched_at === null || happenedAt >= lead.matched_at
    return outcomes.add(trx, { ...lead, provider_id: isOfClinic ? lead.provider_id : null }, { ...outcome, happenedAt })
  }
  const current = (await outcomes.findCurrent(trx, [lead.id])).get(lead.id)
  if (current && isRepeat(current, outcome)) return false
  if (!(await outcomes.add(trx, lead, { ...outcome, happenedAt }))) return false

  await trx('leads')
    .where('id', lead.id)
    .update({ outcome: kind, outcome_at: happenedAt ?? trx.fn.now() })
  if (!isAnswer) return true
  // A visitor who was not called yet still waits for the clinic.
  if (source !== 'visitor' || kind !== 'no_answer') await answerClocks.stop(trx, lead.id, happenedAt)
  if (kind === 'opted_out') await answerClocks.write(trx, lead.id, { ask_visitor_at: null })
  const day = kind === 'booked' && outcome.booked_for
  // Asked once for each day: someone else may state the same booking later.
  if (!day || current?.kind !== kind || current.booked_for !== day) {
    await answerClocks.write(trx, lead.id, { ask_visit_at: day ? new Date(Date.parse(day) + DAY) : null })
  }
  if (kind === 'wrong_number' && source !== 'visitor') await askForNumber(trx, lead)
  // The event `opted_out` tells the CRM of a stop.
  if (source === 'crm' || kind === 'opted_out') return true
  const isKnown = await jobs.isOwedToCrm(trx, `lead:${lead.id}`)
  if (isKnown) await jobs.add(trx, `lead:${lead.id}`, [{ name: 'sync-crm', purpose: 'outcome' }])
  return true
}

/** Asks the visitor for the right phone number, once for each number that a clinic had. */
async function askForNumber(trx: Transaction, { id, provider_id }: Lead): Promise<void> {
  if (provider_id === null) return
  const asked = trx('jobs')
    .where({ ...columnsOf(`lead:${id}`), name: 'send-email', purpose: 'wrong_number' })
    .whereNot('state', 'cancelled')
    .whereRaw(
      `created_at >= (select matched_at from leads where id = subject_id) and created_at > coalesce((
         select max(at) from lead_edits where lead_id = subject_id and field = 'phone'), '-infinity')`,
    )
  if (await asked.first('id')) return
  await jobs.add(trx, `lead:${id}`, [{ name: 'send-email', purpose: 'wrong_number' }])
}

/** Returns a stated time in UTC (ISO 8601), or the present if it lies ahead: no later outcome could replace it. */
function notLater(time: string): string {
  return new Date(Math.min(Date.parse(time), Date.now())).toISOString()
}

function isOutdated({ outcome, outcome_at, matched_at }: Lead, happenedAt: string): boolean {
  const isAnswered = outcome !== null && outcome !== 'opened'
  return happenedAt < ((isAnswered ? outcome_at : matched_at) ?? '')
}

function isRepeat(current: LeadOutcome, { source, ...outcome }: outcomes.NewOutcome): boolean {
  return (
    current.kind === outcome.kind &&
    current.source === source &&
    current.reason === (outcome.reason ?? null) &&
    current.booked_for === (outcome.booked_for ?? null) &&
    current.value_cents === (outcome.value_cents ?? null) &&
    current.note === (outcome.note ?? null)
  )
}
