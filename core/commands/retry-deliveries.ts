import type { Changes } from '../contract/events.ts'
import { AFTER_DELETION, type FailedJobsQuery } from '../contract/jobs.ts'
import { AppError } from '../errors.ts'
import { JOBS } from '../jobs/jobs.ts'
import type { Db, Transaction } from '../platform/db.ts'
import {
  applicationEmailsToResend,
  crmEventsToRetry,
  emailAgain,
  emailsToResend,
  type NewAccountJob,
  type NewApplicationJob,
  type NewLeadJob,
  type NewProviderJob,
  type NewReportJob,
  type NewSyncJob,
} from '../rules/deliveries.ts'
import * as alerts from '../stores/alerts.ts'
import * as applications from '../stores/applications.ts'
import type { AuditEntry } from '../stores/audit-log.ts'
import * as auditLog from '../stores/audit-log.ts'
import * as changes from '../stores/changes.ts'
import { columnOf, JOB_OWNER_COLUMNS, type Owner, ownerOf, TO_EACH_CLINIC } from '../stores/job-owner.ts'
import * as jobs from '../stores/jobs.ts'
import * as leads from '../stores/leads.ts'
import * as providers from '../stores/providers.ts'
import * as purges from '../stores/purges.ts'
import * as reports from '../stores/reports.ts'
import * as staffAccounts from '../stores/staff-accounts.ts'
import * as syncRuns from '../stores/sync-runs.ts'
import type { Row } from '../stores/table.ts'
import type { Actor } from './actor.ts'

/**
 * Names the deliveries to retry: one of the ledger; a lead's e-mails or CRM calls, or an application's e-mails, of which
 * those are sent that have not arrived, and always the important one. With `toClinic`, only those to one clinic that have not
 * arrived.
 */
export type Deliveries =
  | { jobId: string }
  | { leadId: number; name: 'send-email' | 'sync-crm'; toClinic?: number }
  | { applicationId: number }

type NewJob = NewLeadJob | NewApplicationJob | NewAccountJob | NewProviderJob | NewReportJob | NewSyncJob
/** Deliveries to send again, chosen under the lock of their owner, with what the audit log says about them. */
type Chosen = { again: NewJob[] } & Pick<AuditEntry, 'action' | 'entity' | 'entityId' | 'details'>

/**
 * Retries deliveries of one owner, at once, each as a new generation. Every retry goes this way.
 * @returns the ids of the new jobs
 * @throws AppError `not_found`; `conflict` when the owner is held, or a job of the ledger is done or was retried already
 */
export async function retryDeliveries(db: Db, which: Deliveries, { actor }: Actor): Promise<string[]> {
  const job = 'jobId' in which ? await db('jobs').where({ id: which.jobId }).first() : undefined
  if (job?.name === 'send-alert' || job?.name === 'purge') return retryOwnerless(db, job, { actor })
  const owner = 'jobId' in which ? await ownerOfJob(db, which.jobId) : withoutName(which)

  return db.transaction(async (trx) => {
    const { isHeld, matched } = await lockOwner(trx, owner, which)
    if (isHeld) {
      const noun = 'leadId' in owner ? 'lead' : 'application'
      throw new AppError('conflict', `This ${noun} is held. Release it first.`)
    }
    const { again, ...act } = await choose(trx, owner, which, matched)
    if (again.some(({ name }) => name === 'sync-providers')) await refuseEnded(trx, owner)
    // Which jobs an owner can have is a constraint of the table.
    const { added } = await jobs.add(trx, owner as { leadId: number }, again as NewLeadJob[])
    await auditLog.record(trx, { actor, ...act })
    await changes.announce(trx, changesOf(owner))
    return added
  })
}

/** Sends an alert again, or begins another run of the purge. */
async function retryOwnerless(db: Db, job: Row<'jobs'>, { actor }: Actor): Promise<string[]> {
  if (job.state === 'done') throw isDone()
  return db.transaction(async (trx) => {
    const added = job.name === 'purge' ? await purges.add(trx) : await alerts.retry(trx, job)
    if (!added) throw new AppError('conflict', 'This was already retried by a newer run.')
    const details = { job: job.id, ...(job.name === 'purge' ? { purge: true } : { alert: true }) }
    await auditLog.record(trx, { actor, action: JOBS[job.name].retryAction, entity: 'job', entityId: 'all', details })
    return [added]
  })
}

/** Records in the audit log that all failed jobs of a query are retried. */
export async function recordRetryFailed(
  db: Db,
  { since, name, cause }: FailedJobsQuery,
  { actor, count }: Actor & { count: number },
): Promise<void> {
  const details = { since, count, ...(name && { name }), ...(cause && { cause }) }
  await auditLog.record(db, { actor, action: 'retry-failed', entity: 'job', entityId: 'all', details })
}

async function ownerOfJob(db: Db, id: string): Promise<Owner> {
  const found = await db('jobs')
    .where({ id })
    .first(...JOB_OWNER_COLUMNS)
  const owner = found && ownerOf(found)
  if (!owner) throw gone()
  return owner
}

const withoutName = (which: Exclude<Deliveries, { jobId: string }>): Owner =>
  'leadId' in which ? { leadId: which.leadId } : which

type Locked = { isHeld: boolean; matched: boolean }
const FREE: Locked = { isHeld: false, matched: false }

/** Locks the owner. @throws AppError `not_found` when it is deleted */
async function lockOwner(trx: Transaction, owner: Owner, which: Deliveries): Promise<Locked> {
  if ('jobId' in which && (await lockNotice(trx, which.jobId))) return FREE
  const locked = await lockRow(trx, owner)
  if (locked) return locked
  if ('jobId' in which) throw gone()
  throw 'leadId' in which ? leads.noSuchLead() : applications.notFound()
}

async function lockRow(trx: Transaction, owner: Owner): Promise<Locked | null> {
  if ('accountId' in owner) return (await staffAccounts.lockRow(trx, owner.accountId)) && FREE
  if ('syncId' in owner) return (await syncRuns.lock(trx, owner.syncId)) && FREE
  if ('providerId' in owner) return (await providers.lock(trx, owner.providerId)) ? FREE : null
  if ('reportId' in owner) return (await reports.lock(trx, owner.reportId)) ? FREE : null
  if ('applicationId' in owner) {
    const row = await applications.lock(trx, owner.applicationId)
    return row && { ...FREE, isHeld: row.held_reason !== null }
  }
  const lead = await leads.lock(trx, owner.leadId)
  return lead && { isHeld: lead.held_reason !== null, matched: lead.provider_id !== null }
}

/** Locks the job itself if it is a notice of a deletion, whose owner is gone. Returns whether it is. */
async function lockNotice(trx: Transaction, id: string): Promise<boolean> {
  const notice = await trx('jobs').where({ id }).whereIn('purpose', AFTER_DELETION).forUpdate().first('id')
  return notice !== undefined
}

async function choose(trx: Transaction, owner: Owner, which: Deliveries, matched: boolean): Promise<Chosen> {
  if ('jobId' in which) return chooseJob(trx, owner, which.jobId)
  if ('leadId' in which && which.toClinic !== undefined) return chooseToClinic(trx, which.leadId, which.toClinic)
  const latest = await jobs.listLatest(trx, owner)
  if ('applicationId' in which) {
    const entityId = which.applicationId
    return { again: applicationEmailsToResend(latest), action: 'retry-email', entity: 'application', entityId }
  }
  const lead = { entity: 'lead', entityId: which.leadId } as const
  if (which.name === 'sync-crm') return { again: crmEventsToRetry(latest), action: 'retry-sync', ...lead }
  return { again: emailsToResend(latest, { matched }), action: 'retry-email', ...lead }
}

/** Chooses the e-mails of a lead to one clinic. @throws AppError `conflict` when all have arrived */
async function chooseToClinic(trx: Transaction, leadId: number, clinic: number): Promise<Chosen> {
  const again = await jobs.listUndelivered(trx, { leadId }, clinic)
  if (again.length === 0) throw isDone()
  return { again: again.map(emailAgain), action: 'retry-email', entity: 'lead', entityId: leadId }
}

/** Chooses one job of the ledger. @throws AppError `not_found`, or `conflict` when there is nothing to retry */
async function chooseJob(trx: Transaction, owner: Owner, id: string): Promise<Chosen> {
  const job = await trx('jobs')
    .where({ id })
    .first('name', 'purpose', 'generation', 'state', 'previous_provider_id', 'told_provider_id')
  if (!job) throw gone()
  const { name, purpose, previous_provider_id: previousProviderId, told_provider_id: toldProviderId } = job
  if (job.state === 'done') throw isDone()
  const newer = await trx('jobs')
    .where({ ...columnOf(owner), name, purpose, told_provider_id: toldProviderId })
    .where(TO_EACH_CLINIC.includes(purpose) ? { previous_provider_id: previousProviderId } : {})
    .where('generation', '>', job.generation)
    .first('id')
  if (newer) throw new AppError('conflict', 'This was already retried by a newer run.')

  const again = {
    ...{ name, purpose },
    ...(previousProviderId !== null && { previousProviderId }),
    ...((toldProviderId !== null || 'syncId' in owner) && { toldProviderId }),
  } as NewJob
  const action = JOBS[name].retryAction
  const details = { job: id, ...('reportId' in owner && { report: purpose }) }
  return { again: [again], action, ...entityOf(owner, toldProviderId), details }
}

/** Refuses to run an ended sync again. */
async function refuseEnded(trx: Transaction, owner: Owner): Promise<void> {
  const run = 'syncId' in owner ? await syncRuns.get(trx, owner.syncId) : null
  if (run?.finished_at) throw new AppError('conflict', 'This sync has ended. Start a new one.')
}

const isDone = () => new AppError('conflict', 'This is done. There is nothing to retry.')
const gone = () => new AppError('not_found', 'There is no such job. It may have been deleted.')

function entityOf(owner: Owner, toldProviderId: number | null): Pick<AuditEntry, 'entity' | 'entityId'> {
  if ('leadId' in owner) return { entity: 'lead', entityId: owner.leadId }
  if ('applicationId' in owner) return { entity: 'application', entityId: owner.applicationId }
  if ('accountId' in owner) return { entity: 'staff', entityId: owner.accountId }
  if ('reportId' in owner) return { entity: 'network', entityId: 'all' }
  return { entity: 'provider', entityId: toldProviderId ?? 'all' }
}

function changesOf(owner: Owner): Changes {
  if ('leadId' in owner) return { leads: [owner.leadId] }
  if ('applicationId' in owner) return { applications: [owner.applicationId] }
  if ('providerId' in owner) return { providers: [owner.providerId] }
  return 'syncId' in owner ? { syncs: [owner.syncId] } : {}
}
