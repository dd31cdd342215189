import type { Changes } from '../contract/events.ts'
import { AFTER_DELETION, type FailedJobsQuery, type JobName, type JobState } from '../contract/jobs.ts'
import { AppError } from '../errors.ts'
import type { Db, Transaction } from '../platform/db.ts'
import type { NewAccountJob, NewApplicationJob, NewLeadJob, NewSyncJob } from '../rules/deliveries.ts'
import type { TriedJob } from '../rules/outcomes.ts'
import * as applications from '../stores/applications.ts'
import type { AuditEntry } from '../stores/audit-log.ts'
import * as auditLog from '../stores/audit-log.ts'
import * as changes from '../stores/changes.ts'
import { columnOf, NEWER_OF_SYNC, OWNER_COLUMNS, type Owner, type OwnerColumns, ownerOf } from '../stores/job-owner.ts'
import * as jobs from '../stores/jobs.ts'
import * as leads from '../stores/leads.ts'
import * as staffAccounts from '../stores/staff-accounts.ts'
import * as syncRuns from '../stores/sync-runs.ts'

/** A job that failed for good: whose it is, which one, and why, without what the other side said. */
export type FailedJob = OwnerColumns & {
  id: string
  name: JobName
  purpose: string
  attempts: number
  finished_at: string
  reason: string
}

/**
 * What is to be made again: jobs whose newest generation failed. Of a deleted lead these are only the jobs
 * that tell CRM and clinics of the deletion.
 */
const failed = (db: Db, { since, name, cause }: FailedJobsQuery) =>
  db('jobs')
    .where({ state: 'failed', ...(name && { name }), ...(cause && { last_cause: cause }) })
    .where('finished_at', '>=', since ?? '-infinity')
    .whereRaw('(lead_id is null or purpose = any(?) or exists (select from leads where leads.id = lead_id))', [
      AFTER_DELETION,
    ])
    .whereRaw(isNewest('lead_id'))
    .whereRaw(isNewest('application_id'))
    .whereRaw(isNewest('account_id'))
    .whereRaw(`not exists (${NEWER_OF_SYNC})`)

/** Each by itself: together they could use no index. */
const isNewest = (owner: keyof OwnerColumns) =>
  `not exists (select from jobs newer where newer.${owner} = jobs.${owner} and newer.name = jobs.name
     and newer.purpose = jobs.purpose and newer.told_provider_id is not distinct from jobs.told_provider_id
     and newer.generation > jobs.generation)`

export async function countFailed(db: Db, query: FailedJobsQuery): Promise<number> {
  const [{ total }] = await failed(db, query).select(db.raw('count(*)::integer as total'))
  return total
}

/** The latest failure last. */
export async function listFailed(db: Db, query: FailedJobsQuery, limit: number): Promise<FailedJob[]> {
  const rows = await failed(db, query)
    .select('id', ...OWNER_COLUMNS, 'name', 'purpose', 'attempts', 'finished_at', 'last_error as reason')
    .orderBy('finished_at')
    .limit(limit)
  return rows.map((row) => ({ ...row, finished_at: row.finished_at.toISOString() }))
}

/**
 * Makes one job again, now, if it has not been done: as a new generation, in one transaction with its line in the audit
 * log. Returns the ids of the new jobs. @throws AppError `not_found`; `conflict` when it is done, held, or was made again
 * already
 */
export async function retry(db: Db, id: string, { actor }: { actor: string }): Promise<string[]> {
  const found = await db('jobs')
    .where({ id })
    .first(...OWNER_COLUMNS, 'purpose')
  if (!found) throw gone()
  const owner = ownerOf(found)

  return db.transaction(async (trx) => {
    const locked = AFTER_DELETION.includes(found.purpose) ? await lockJob(trx, id) : await lockOwner(trx, owner)
    if (!locked) throw gone()
    const job = await trx('jobs')
      .where({ id })
      .first('name', 'purpose', 'generation', 'state', 'previous_provider_id', 'told_provider_id')
    if (!job) throw gone()
    const { previous_provider_id: previousProviderId, ...tried } = job
    await refuse(trx, owner, { ...tried, ...locked })

    const again = { name: job.name, purpose: job.purpose, ...(previousProviderId !== null && { previousProviderId }) }
    const { added } = await addAgain(trx, owner, again, job.told_provider_id)
    await auditLog.record(trx, {
      actor,
      action: ACTIONS[job.name as JobName],
      ...entityOf(owner, job.told_provider_id),
      details: { job: id },
    })
    await changes.announce(trx, changesOf(owner))
    return added
  })
}

function addAgain(
  trx: Transaction,
  owner: Owner,
  job: { name: string; purpose: string },
  toldProviderId: number | null,
) {
  const told = toldProviderId !== null && { toldProviderId }
  if ('leadId' in owner) return jobs.add(trx, owner, [{ ...job, ...told } as NewLeadJob])
  if ('applicationId' in owner) return jobs.add(trx, owner, [job as NewApplicationJob])
  if ('accountId' in owner) return jobs.add(trx, owner, [job as NewAccountJob])
  return jobs.add(trx, owner, [{ ...(job as NewSyncJob), toldProviderId }])
}

function changesOf(owner: Owner): Changes {
  if ('leadId' in owner) return { leads: [owner.leadId] }
  if ('applicationId' in owner) return { applications: [owner.applicationId] }
  return 'syncId' in owner ? { syncs: [owner.syncId] } : {}
}

/** How the jobs of these ids stand, by id. Jobs that are gone are left out. */
export async function listTried(db: Db, ids: string[]): Promise<Map<string, TriedJob>> {
  if (ids.length === 0) return new Map()
  const rows = await db('jobs')
    .select('id', 'state', { error: 'last_error', detail: 'last_detail' }, 'next_attempt_at')
    .select(db.raw('next_attempt_at <= now() as "isDue"'))
    .whereRaw('id = any(?::uuid[])', [ids])
  return new Map(
    rows.map(({ id, next_attempt_at, ...row }) => [id, { ...row, nextAttemptAt: next_attempt_at.toISOString() }]),
  )
}

/** Notes in the audit log that all that failed since a moment is made again. */
export async function noteRetryFailed(
  db: Db,
  { since, name, cause }: FailedJobsQuery,
  { actor, count }: { actor: string; count: number },
): Promise<void> {
  const details = { since, count, ...(name && { name }), ...(cause && { cause }) }
  await auditLog.record(db, { actor, action: 'retry-failed', entity: 'job', entityId: 'all', details })
}

/** Tells whether the owner is held. Null when there is none any more. */
async function lockOwner(trx: Transaction, owner: Owner): Promise<{ isHeld: boolean } | null> {
  if ('accountId' in owner) return (await staffAccounts.lockRow(trx, owner.accountId)) && { isHeld: false }
  if ('syncId' in owner) return (await syncRuns.lock(trx, owner.syncId)) && { isHeld: false }
  const row =
    'leadId' in owner ? await leads.lock(trx, owner.leadId) : await applications.lock(trx, owner.applicationId)
  return row && { isHeld: row.held_reason !== null }
}

/** Locks the job itself: one that tells of a deletion has no owner left. */
async function lockJob(trx: Transaction, id: string): Promise<{ isHeld: boolean } | null> {
  return (await trx('jobs').where({ id }).forUpdate().first('id')) ? { isHeld: false } : null
}

const ACTIONS = {
  'match-lead': 'retry-match',
  'send-email': 'retry-email',
  'sync-crm': 'retry-sync',
} as const satisfies Record<JobName, AuditEntry['action']>

type Refusable = {
  name: JobName
  purpose: string
  told_provider_id: number | null
  generation: number
  state: JobState
  isHeld: boolean
}

async function refuse(
  trx: Transaction,
  owner: Owner,
  { isHeld, state, generation, ...same }: Refusable,
): Promise<void> {
  const noun = 'leadId' in owner ? 'lead' : 'application'
  if (isHeld) throw new AppError('conflict', `This ${noun} is held. Release it first.`)
  if (state === 'done') throw new AppError('conflict', 'This is done. There is nothing to retry.')
  if (await trx('jobs').where(columnOf(owner)).where(same).where('generation', '>', generation).first('id')) {
    throw new AppError('conflict', 'This was already retried by a newer run.')
  }
}

const gone = () => new AppError('not_found', 'There is no such job. It may have been deleted.')

function entityOf(owner: Owner, toldProviderId: number | null): Pick<AuditEntry, 'entity' | 'entityId'> {
  if ('leadId' in owner) return { entity: 'lead', entityId: owner.leadId }
  if ('applicationId' in owner) return { entity: 'application', entityId: owner.applicationId }
  if ('accountId' in owner) return { entity: 'staff', entityId: owner.accountId }
  return { entity: 'provider', entityId: toldProviderId ?? 'all' }
}
