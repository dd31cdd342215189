import type { Lead } from '../../contract/leads.ts'
import { AppError } from '../../errors.ts'
import type { Db, Transaction } from '../../platform/db.ts'
import * as answerClocks from '../../stores/answer-clocks.ts'
import * as jobs from '../../stores/jobs.ts'
import * as outcomes from '../../stores/outcomes.ts'
import { onLead } from './on-lead.ts'

/**
 * Records what became of a lead, and makes it the current outcome. All earlier ones are kept. An answer stops the clock of
 * the clinic, and the CRM is told of it unless it comes from there. `opened` replaces no answer. The same outcome as the
 * current one, from the same source, is recorded once: people tap twice. Only `stopContact…` records `opted_out`, which the
 * CRM learns from an event of its own.
 * @returns false when nothing was recorded
 * @throws AppError `not_found`, `conflict` for a held lead
 */
export async function recordOutcome(db: Db, leadId: number, outcome: outcomes.NewOutcome): Promise<boolean> {
  return onLead(db, leadId, (trx, lead) => recordOn(trx, lead, outcome))
}

/** Does the same in a transaction that holds the lock of the lead, and announces the change. */
export async function recordOn(trx: Transaction, lead: Lead, outcome: outcomes.NewOutcome): Promise<boolean> {
  if (lead.held_reason !== null) throw new AppError('conflict', 'This lead is held. Release it first.')
  const { kind, source } = outcome
  const isAnswer = kind !== 'opened'
  if (!isAnswer && lead.outcome !== null) return false
  if (await isRepeat(trx, lead, outcome)) return false
  if (!(await outcomes.add(trx, lead, outcome))) return false

  await trx('leads').where('id', lead.id).update({ outcome: kind, outcome_at: trx.fn.now() })
  if (!isAnswer) return true
  // A visitor who was not called yet still waits for the clinic.
  if (source !== 'visitor' || kind !== 'no_answer') await answerClocks.stop(trx, lead.id)
  if (source === 'crm' || kind === 'opted_out') return true
  const isKnown = await jobs.isOwedToCrm(trx, { leadId: lead.id })
  if (isKnown) await jobs.add(trx, { leadId: lead.id }, [{ name: 'sync-crm', purpose: 'outcome' }])
  return true
}

async function isRepeat(trx: Transaction, lead: Lead, { source, ...outcome }: outcomes.NewOutcome): Promise<boolean> {
  const all = await outcomes.list(trx, lead.id)
  const last = all.at(-1)
  return (
    last !== undefined &&
    last.kind === outcome.kind &&
    last.source === source &&
    last.reason === (outcome.reason ?? null) &&
    last.booked_for === (outcome.booked_for ?? null) &&
    last.value_cents === (outcome.value_cents ?? null) &&
    last.note === (outcome.note ?? null)
  )
}
