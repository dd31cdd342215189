import type { JobName, JobState, LeadJob } from '../contract/jobs.ts'
import type { Db, Transaction } from '../db.ts'
import type { LatestJob, NewJob } from '../rules/deliveries.ts'

/** A job as its handler gets it. */
export type Job = Pick<LeadJob, 'id' | 'name' | 'purpose' | 'generation' | 'attempts'> & { leadId: number }

/** How an attempt ended. `delay` is in milliseconds. */
export type Settlement =
  | { state: 'done'; result: Record<string, unknown> }
  | { state: 'failed' | 'cancelled'; error: string; result?: Record<string, unknown> }
  | { state: 'waiting'; error: string; delay: number; result?: Record<string, unknown> }

const OPEN: JobState[] = ['waiting', 'enqueued']
/** The relay of every API process listens on this channel. */
export const JOBS_CHANNEL = 'jobs'

/**
 * Adds a new generation of each job; what is still open of an older generation is cancelled, so that a retry always
 * does something and never does it twice. The caller holds the lead's lock (`leads.lock`), and the relay is woken when
 * the transaction commits.
 */
export async function add(trx: Transaction, leadId: number, jobs: NewJob[]): Promise<void> {
  for (const { name, purpose } of jobs) {
    await trx('jobs')
      .where({ lead_id: leadId, name, purpose })
      .whereIn('state', OPEN)
      .update({ state: 'cancelled', finished_at: trx.fn.now(), last_error: 'Replaced by a newer attempt.' })
    await trx('jobs').insert({
      lead_id: leadId,
      name,
      purpose,
      generation: trx.raw(
        '1 + coalesce((select max(generation) from jobs where lead_id = ? and name = ? and purpose = ?), 0)',
        [leadId, name, purpose],
      ),
    })
    if (name === 'sync-crm') await refreshCrmStatus(trx, leadId)
  }
  await trx.raw('select pg_notify(?, ?)', [JOBS_CHANNEL, ''])
}

/** Adds each job unless the lead has, or had, one for the same purpose. The caller holds the lead's lock. */
export async function addOnce(trx: Transaction, leadId: number, jobs: NewJob[]): Promise<void> {
  const known = await listLatest(trx, leadId)
  const missing = jobs.filter((job) => !known.some(({ name, purpose }) => name === job.name && purpose === job.purpose))
  if (missing.length > 0) await add(trx, leadId, missing)
}

/**
 * Locks up to `limit` jobs that are due, oldest first, passing over those that another relay holds, until the
 * transaction ends.
 */
export async function lockDue(trx: Transaction, limit: number): Promise<Pick<Job, 'id' | 'name' | 'attempts'>[]> {
  return trx('jobs')
    .select('id', 'name', 'attempts')
    .where('state', 'waiting')
    .where('next_attempt_at', '<=', trx.fn.now())
    .orderBy('next_attempt_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
}

/** Records that the queue has these jobs. */
export async function markEnqueued(trx: Transaction, ids: string[]): Promise<void> {
  await trx('jobs').whereIn('id', ids).update({ state: 'enqueued', enqueued_at: trx.fn.now() })
}

/**
 * Hands back to the relay what was enqueued more than `olderThan` milliseconds ago and is still not settled: the queue
 * may have lost it. What the queue still has is not run twice, because the relay adds it under the same id.
 * @returns how many were handed back
 */
export async function sweep(db: Db, olderThan: number): Promise<number> {
  return db('jobs')
    .where('state', 'enqueued')
    .whereRaw(`enqueued_at < now() - ? * interval '1 millisecond'`, [olderThan])
    .update({ state: 'waiting' })
}

/** The job, while it is still to be done; null when it was settled, cancelled or deleted with its lead. */
export async function findOpen(db: Db, id: string): Promise<Job | null> {
  const row = await db('jobs')
    .select('id', 'name', 'purpose', 'generation', 'attempts', { leadId: 'lead_id' })
    .where({ id })
    .whereIn('state', OPEN)
    .first()
  return row ?? null
}

/**
 * Records how an attempt ended, and with it the lead's CRM status. The caller holds the lead's lock.
 * @returns false when the job was settled or cancelled in the meantime; then nothing is recorded
 */
export async function settle(trx: Transaction, job: Job, settlement: Settlement): Promise<boolean> {
  const { state, result } = settlement
  const settled = await trx('jobs')
    .where({ id: job.id })
    .whereIn('state', OPEN)
    .update({
      state,
      attempts: trx.raw('attempts + 1'),
      last_error: state === 'done' ? null : settlement.error,
      result: result ? JSON.stringify(result) : null,
      ...(state === 'waiting'
        ? { next_attempt_at: trx.raw(`now() + ? * interval '1 millisecond'`, [settlement.delay]) }
        : { finished_at: trx.fn.now() }),
    })
  if (settled === 0) return false

  if (job.name === 'sync-crm') await refreshCrmStatus(trx, job.leadId)
  return true
}

/** The whole ledger of a lead, oldest first. */
export async function listForLead(db: Db, leadId: number): Promise<LeadJob[]> {
  const rows = await db('jobs')
    .select('id', 'name', 'purpose', 'generation', 'state', 'attempts', 'next_attempt_at', 'last_error', 'result')
    .select('created_at', 'enqueued_at', 'finished_at')
    .where('lead_id', leadId)
    .orderBy(['created_at', 'name', 'purpose', 'generation'])
  return rows.map((row) => ({
    ...row,
    next_attempt_at: row.next_attempt_at.toISOString(),
    created_at: row.created_at.toISOString(),
    enqueued_at: row.enqueued_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
  }))
}

/** The newest generation of each of a lead's jobs. */
export async function listLatest(db: Db, leadId: number): Promise<LatestJob[]> {
  return db('jobs')
    .distinctOn('name', 'purpose')
    .select('name', 'purpose')
    .select(db.raw(`case when state in ('waiting', 'enqueued') then 'open' else state end as state`))
    .where('lead_id', leadId)
    .orderBy(['name', 'purpose', { column: 'generation', order: 'desc' }])
}

/**
 * SQL for the state of all deliveries of one kind of `leads.id`: `failed` if the newest generation of any failed,
 * `pending` while any is open or none was made, else `success`.
 */
export function deliveryStatusSql(name: JobName): string {
  return `(
    select case
      when bool_or(state = 'failed') then 'failed'
      when bool_or(state in ('waiting', 'enqueued')) then 'pending'
      when bool_or(state = 'done') then 'success'
      else 'pending'
    end
    from (
      select distinct on (purpose) state from jobs
      where lead_id = leads.id and name = '${name}'
      order by purpose, generation desc
    ) latest
  )`
}

async function refreshCrmStatus(trx: Transaction, leadId: number): Promise<void> {
  await trx('leads')
    .where('id', leadId)
    .update({ crm_sync_status: trx.raw(deliveryStatusSql('sync-crm')) })
}
