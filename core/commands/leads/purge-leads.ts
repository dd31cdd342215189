import { AFTER_DELETION } from '../../contract/jobs.ts'
import { AppError } from '../../errors.ts'
import { type Db, only, type Transaction } from '../../platform/db.ts'
import { jobsForPurgedLead } from '../../rules/deliveries.ts'
import * as answerClocks from '../../stores/answer-clocks.ts'
import * as auditLog from '../../stores/audit-log.ts'
import * as changes from '../../stores/changes.ts'
import { lock, parkJobs, setAside } from '../../stores/deleted-leads.ts'
import * as erasures from '../../stores/erasures.ts'
import * as exportFiles from '../../stores/export-files.ts'
import * as jobs from '../../stores/jobs.ts'
import * as leadEdits from '../../stores/lead-edits.ts'
import * as leadWork from '../../stores/lead-work.ts'
import * as outcomes from '../../stores/outcomes.ts'
import type { Actor } from '../actor.ts'

const MAX_PURGED_AT_ONCE = 100
const MAX_PARKED_AT_ONCE = 1000
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
    if (!(await purgeDeletedLead(trx, id, { reason: 'deleted', personKey }))) {
      throw new AppError('not_found', 'There is no such deleted lead. It may have been restored.')
    }
    await auditLog.record(trx, { actor, action: 'purge', entity: 'lead', entityId: id })
    await changes.announce(trx, { leads: [id] })
  })
}

/**
 * Deletes one deleted lead for good, with its jobs, before its time.
 * @returns false when there is none
 */
export async function purgeDeletedLead(trx: Transaction, id: number, erasing: erasures.Erasing): Promise<boolean> {
  if (!(await lock(trx, id))) return false
  await deleteForGood(trx, id, erasing)
  return true
}

/** Deletes one lead for good, without the time in which it could be restored. The caller holds its lock. */
export async function eraseLead(
  trx: Transaction,
  id: number,
  erasing: erasures.Erasing,
  noticeDelay = 0,
): Promise<void> {
  await setAside(trx, id)
  await deleteForGood(trx, id, erasing, noticeDelay)
}

/** Queries the leads that were deleted more than `days` ago. */
const overdue = (db: Db, days: number) =>
  db('deleted_leads').whereRaw(`deleted_at <= now() - ? * interval '24 hours'`, [days])

/**
 * Deletes for good the leads that were deleted more than `days` ago. Returns how many were deleted, up to 100 at once.
 * @param done how many the same purge has deleted before
 */
export async function purgeDeletedLeads(db: Db, days: number, personKey: Buffer, done = 0): Promise<number> {
  return db.transaction(async (trx) => {
    const ids: number[] = await overdue(trx, days).limit(MAX_PURGED_AT_ONCE).forUpdate().skipLocked().pluck('id')
    for (const [position, id] of ids.entries()) {
      await deleteForGood(trx, id, { reason: 'deleted', personKey }, (done + position) * NOTICE_INTERVAL)
      await auditLog.record(trx, { actor: 'system', action: 'purge', entity: 'lead', entityId: id })
    }
    return ids.length
  })
}

/** Parks due jobs of deleted leads. Returns how many jobs, up to 1000 at once. */
export async function parkDeletedLeads(db: Db): Promise<number> {
  return db.transaction(async (trx) => {
    const waiting: number[] = await trx('jobs')
      .join('deleted_leads', 'deleted_leads.id', 'lead_id')
      .where({ state: 'waiting' })
      .whereNotIn('purpose', AFTER_DELETION)
      .limit(MAX_PARKED_AT_ONCE)
      .pluck('lead_id')
    if (waiting.length > 0) await parkJobs(trx, waiting)
    return waiting.length
  })
}

/** Queries the leads that came in more than `days` ago and had no delivery since, the oldest first. */
const expired = (db: Db, days: number) =>
  db('leads')
    .whereRaw(
      `created_at <= now() - :days * interval '24 hours' and not exists (
         select from jobs where lead_id = leads.id
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

/** Adds the jobs that ask clinic and CRM to delete the lead as well, after a delay, and records its erasure. */
async function deleteForGood(trx: Transaction, id: number, erasing: erasures.Erasing, delay = 0): Promise<void> {
  const { lead, deleted_at } = only(await trx('deleted_leads').where({ id }).select('lead', 'deleted_at'))
  const owner = { leadId: id }
  const owed = jobsForPurgedLead(await jobs.listEmails(trx, owner, lead.matched_at), {
    clinic: lead.provider_id,
    isTest: lead.is_test === true,
    knownToCrm: await jobs.isKnownToCrm(trx, owner),
    reason: erasing.reason,
  })
  await jobs.remove(trx, owner)
  await outcomes.remove(trx, id)
  await leadWork.remove(trx, id)
  await leadEdits.remove(trx, id)
  await answerClocks.restart(trx, id, null)
  await jobs.add(trx, owner, owed, { delay })
  await erasures.record(trx, 'lead', lead, erasing)
  // A file may outlive the retention of its leads by a day: retention periods end all day, so no file would last otherwise.
  if (erasing.reason !== 'retention' && !lead.is_test) await exportFiles.eraseHolding(trx, deleted_at)
  await trx('deleted_leads').where({ id }).delete()
}
