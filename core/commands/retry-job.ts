import type { Changes } from '../contract/events.ts'
import { AFTER_DELETION, type FailedJobsQuery, type JobName, type JobState } from '../contract/jobs.ts'
import { AppError } from '../errors.ts'
import type { Db, Transaction } from '../platform/db.ts'
import type { NewAccountJob, NewApplicationJob, NewLeadJob, NewSyncJob } from '../rules/deliveries.ts'
import * as applications from '../stores/applications.ts'
import type { AuditEntry } from '../stores/audit-log.ts'
import * as auditLog from '../stores/audit-log.ts'
import * as changes from '../stores/changes.ts'
import { columnOf, OWNER_COLUMNS, type Owner, ownerOf } from '../stores/job-owner.ts'
import * as jobs from '../stores/jobs.ts'
import * as leads from '../stores/leads.ts'
import * as staffAccounts from '../stores/staff-accounts.ts'
import * as syncRuns from '../stores/sync-runs.ts'

/**
 * Retries a job that is not done, at once, as a new generation.
 * @returns the ids of the new jobs
 * @throws AppError `not_found`; `conflict` when it is done, held, or was retried already
 */
export async function retryJob(db: Db, id: string, { actor }: { actor: string }): Promise<string[]> {
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

/** Records in the audit log that all failed jobs of a query are retried. */
export async function recordRetryFailed(
  db: Db,
  { since, name, cause }: FailedJobsQuery,
  { actor, count }: { actor: string; count: number },
): Promise<void> {
  const details = { since, count, ...(name && { name }), ...(cause && { cause }) }
  await auditLog.record(db, { actor, action: 'retry-failed', entity: 'job', entityId: 'all', details })
}

/** Locks the owner of a job, and tells whether it is held. Returns null when the owner is deleted. */
async function lockOwner(trx: Transaction, owner: Owner): Promise<{ isHeld: boolean } | null> {
  if ('accountId' in owner) return (await staffAccounts.lockRow(trx, owner.accountId)) && { isHeld: false }
  if ('syncId' in owner) return (await syncRuns.lock(trx, owner.syncId)) && { isHeld: false }
  const row =
    'leadId' in owner ? await leads.lock(trx, owner.leadId) : await applications.lock(trx, owner.applicationId)
  return row && { isHeld: row.held_reason !== null }
}

/** Locks the job itself: the owner of a notice of deletion is gone. */
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
