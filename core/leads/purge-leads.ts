import { jobsForPurgedLead } from '../deliveries/rules/deliveries.ts'
import * as changes from '../deliveries/stores/changes.ts'
import * as jobs from '../deliveries/stores/jobs.ts'
import { AppError } from '../errors.ts'
import { type Db, only, type Transaction } from '../platform/db.ts'
import * as erasures from '../privacy/stores/erasures.ts'
import type { Actor } from '../staff/stores/audit-log.ts'
import * as auditLog from '../staff/stores/audit-log.ts'
import { onLead } from './record-outcome.ts'
import * as answerClocks from './stores/answer-clocks.ts'
import * as leadChanges from './stores/lead-changes.ts'
import { lock } from './stores/lead-changes.ts'
import * as leadWork from './stores/lead-work.ts'
import * as leads from './stores/leads.ts'
import * as outcomes from './stores/outcomes.ts'

const MAX_PURGED_AT_ONCE = 100
/**
 * In milliseconds: the notices of many deletions to clinics and CRM become due one after the other, so that new leads do
 * not wait behind thousands of them.
 */
const NOTICE_INTERVAL = 20

/** Deletes a deleted lead for good, before its time. @throws AppError `not_found` */
export async function purgeLead(
  db: Db,
  id: number,
  { actor, personKey }: Actor & { personKey: Buffer },
): Promise<void> {
  await db.transaction(async (trx) => {
    if (!(await lock(trx, id))?.deleted_at) {
      throw new AppError('not_found', 'There is no such deleted lead. It may have been restored.')
    }
    await eraseLead(trx, id, { reason: 'deleted', personKey })
    await auditLog.record(trx, { actor, action: 'purge', entity: 'lead', entityId: id })
    await changes.announce(trx, { leads: [id] })
  })
}

/** Queries the leads that were deleted more than `days` ago. */
const overdue = (db: Db, days: number) =>
  db('all_leads').whereRaw(`deleted_at <= now() - ? * interval '24 hours'`, [days])

/**
 * Deletes for good the leads that were deleted more than `days` ago. Returns how many were deleted, up to 100 at once.
 * @param done how many the same purge has deleted before
 */
export async function purgeDeletedLeads(db: Db, days: number, personKey: Buffer, done = 0): Promise<number> {
  return db.transaction(async (trx) => {
    const ids: number[] = await overdue(trx, days).limit(MAX_PURGED_AT_ONCE).forUpdate().skipLocked().pluck('id')
    for (const [position, id] of ids.entries()) {
      await eraseLead(trx, id, { reason: 'deleted', personKey }, (done + position) * NOTICE_INTERVAL)
      await auditLog.record(trx, { actor: 'system', action: 'purge', entity: 'lead', entityId: id })
    }
    return ids.length
  })
}

/** Queries the leads that came in more than `days` ago and had no delivery since, the oldest first. */
const expired = (db: Db, days: number) =>
  db('leads')
    .whereRaw(
      `created_at <= now() - :days * interval '24 hours' and not exists (
         select from jobs where subject_kind = 'lead' and subject_id = leads.id
           and (state in ('waiting', 'enqueued') or finished_at > now() - :days * interval '24 hours'))`,
      { days },
    )
    .orderBy('created_at')

/**
 * Deletes for good the leads that came in more than `days` ago and had no delivery since. Returns how many were deleted, up
 * to 100 at once.
 * @param done how many the same purge has deleted before
 */
export async function purgeExpiredLeads(db: Db, days: number, personKey: Buffer, done = 0): Promise<number> {
  if (days === Infinity) return 0
  return db.transaction(async (trx) => {
    const ids: number[] = await expired(trx, days).limit(MAX_PURGED_AT_ONCE).forUpdate().skipLocked().pluck('id')
    for (const [position, id] of ids.entries()) {
      await eraseLead(trx, id, { reason: 'retention', personKey }, (done + position) * NOTICE_INTERVAL)
      const details = { reason: 'retention' }
      await auditLog.record(trx, { actor: 'system', action: 'purge', entity: 'lead', entityId: id, details })
    }
    return ids.length
  })
}

/**
 * Deletes one lead for good, whether it was deleted before or not, with its jobs, and records its erasure. Adds the jobs that
 * ask clinic and CRM to delete it as well, after a delay. The caller holds its lock.
 */
export async function eraseLead(trx: Transaction, id: number, erasing: erasures.Erasing, delay = 0): Promise<void> {
  const lead = only(await trx('all_leads').where({ id }).delete().returning('*'))
  const subject = `lead:${id}` as const
  const owed = jobsForPurgedLead(await jobs.listEmails(trx, subject, lead.matched_at?.toISOString() ?? null), {
    clinic: lead.provider_id,
    isTest: lead.is_test,
    knownToCrm: await jobs.isKnownToCrm(trx, subject),
    reason: erasing.reason,
  })
  await jobs.remove(trx, subject)
  await outcomes.remove(trx, id)
  await leadWork.remove(trx, id)
  await leadChanges.remove(trx, id)
  await answerClocks.restart(trx, id, null)
  await jobs.add(trx, subject, owed, { delay })
  await erasures.record(trx, 'lead', lead, erasing)
}

/**
 * Deletes the lead and cancels its open jobs. It can be restored until it is purged. The evidence of consent stays.
 * @throws AppError `not_found`
 */
export async function deleteLead(db: Db, id: number, { actor }: Actor): Promise<void> {
  await onLead(db, id, async (trx) => {
    await leadChanges.setAside(trx, id)
    await auditLog.record(trx, { actor, action: 'delete', entity: 'lead', entityId: id })
  })
}

/**
 * Restores a deleted lead and its open jobs.
 * @throws AppError `not_found` when it is deleted for good, `conflict` when the lead is not deleted
 */
export async function restoreLead(db: Db, id: number, { actor }: Actor): Promise<void> {
  await db.transaction(async (trx) => {
    if (!(await leadChanges.restore(trx, id))) {
      if (await leads.find(trx, id)) throw new AppError('conflict', 'This lead is not deleted. It is in the list.')
      throw new AppError('not_found', 'This lead was deleted for good and cannot be restored.')
    }
    await auditLog.record(trx, { actor, action: 'restore', entity: 'lead', entityId: id })
    await changes.announce(trx, { leads: [id] })
  })
}
