import * as applications from '../applications/stores/applications.ts'
import * as alerts from '../conditions/stores/alerts.ts'
import { AppError } from '../errors.ts'
import * as leads from '../leads/stores/leads.ts'
import type { Db, Transaction } from '../platform/db.ts'
import * as erasures from '../privacy/stores/erasures.ts'
import type { Actor } from '../staff/stores/audit-log.ts'
import * as auditLog from '../staff/stores/audit-log.ts'
import { AFTER_DELETION, type FailedJobsQuery, type LedgerJob } from './contract/jobs.ts'
import type { Subject } from './emails.ts'
import { JOBS } from './jobs.ts'
import { applicationEmailsToResend, crmEventsToRetry, emailsToResend, type JobAgain } from './rules/deliveries.ts'
import * as changes from './stores/changes.ts'
import { kindOf } from './stores/job-owner.ts'
import * as jobs from './stores/jobs.ts'
import * as subjects from './stores/subjects.ts'

/**
 * Retries a job of the ledger, at once, as a new generation.
 * @returns the id of the new job
 * @throws AppError `not_found`; `conflict` when its subject is held, or it is done or was retried already
 */
export async function retry(db: Db, id: string, { actor }: Actor): Promise<string[]> {
  return db.transaction(async (trx) => {
    const found = await jobs.find(trx, id)
    if (!found) throw gone()
    const { job, subject } = found
    const details = {
      job: id,
      ...((job.name === 'purge' && { purge: true }) || (job.name === 'send-alert' && { alert: true })),
      ...(subject?.startsWith('report:') && { report: job.purpose }),
    }
    const act = { actor, action: JOBS[job.name].retryAction, details }
    if (!subject) {
      const added = await retryOwnerless(trx, job)
      await auditLog.record(trx, { ...act, entity: 'job', entityId: 'all' })
      return [added]
    }
    // Of a deleted lead only the notice itself is left to lock.
    const isNotice = AFTER_DELETION.includes(job.purpose) && (await jobs.lock(trx, id))
    const row = isNotice ? {} : await subjects.lock(trx, subject)
    if (!row) throw gone()
    refuseHeld(subject, row)
    const { newest, isNewer } = await jobs.readAgain(trx, subject, id)
    if (newest.state === 'done') throw isDone()
    if (isNewer) throw isRetried()
    if (row.finished_at && job.name === 'sync-providers') {
      throw new AppError('conflict', 'This sync has ended. Start a new one.')
    }
    const { added } = await jobs.addAgain(trx, subject, [newest])
    const { kind, id: number } = kindOf(subject)
    const entityId = kind === 'sync' ? (newest.payload?.providerId ?? 'all') : kind === 'report' ? 'all' : number
    await auditLog.record(trx, { ...act, entity: subjects.entityOf(subject), entityId })
    await changes.announce(trx, subjects.changesOf(subject))
    return added
  })
}

/** Sends an alert again, or begins another run of the purge. */
async function retryOwnerless(trx: Transaction, job: LedgerJob): Promise<string> {
  if (job.name !== 'purge' && job.name !== 'send-alert') throw gone()
  if (job.state === 'done') throw isDone()
  const added = job.name === 'purge' ? await erasures.add(trx) : await alerts.retry(trx, job)
  if (!added) throw isRetried()
  return added
}

/**
 * Retries the e-mails or CRM calls of a lead, or the e-mails of an application, at once, each as a new generation: those that
 * have not arrived, and always the important one. With `toClinic`, only those to one clinic that have not arrived.
 * @returns the ids of the new jobs
 * @throws AppError `not_found`; `conflict` when the form is held, or nothing is left to retry
 */
export async function retryAll(
  db: Db,
  subject: Subject<'lead' | 'application'>,
  name: 'send-email' | 'sync-crm',
  { actor, toClinic }: Actor & { toClinic?: number },
): Promise<string[]> {
  const { kind, id: entityId } = kindOf(subject)
  return db.transaction(async (trx) => {
    const row = await subjects.lock(trx, subject)
    if (!row) throw kind === 'lead' ? leads.noSuchLead() : applications.notFound()
    refuseHeld(subject, row)
    const again = kind === 'lead' ? await chooseOfLead(trx, entityId, name, { ...row, toClinic }) : null
    const owed = again ?? applicationEmailsToResend(await jobs.listLatest(trx, subject))
    const { added } = await jobs.addAgain(trx, subject, owed)
    const action = JOBS[name].retryAction
    await auditLog.record(trx, { actor, action, entity: subjects.entityOf(subject), entityId })
    await changes.announce(trx, subjects.changesOf(subject))
    return added
  })
}

async function chooseOfLead(
  trx: Transaction,
  id: number,
  name: 'send-email' | 'sync-crm',
  { provider_id, toClinic }: { provider_id?: number | null; toClinic: number | undefined },
): Promise<JobAgain[]> {
  if (toClinic !== undefined) {
    const missing = await jobs.listUndelivered(trx, `lead:${id}`, toClinic)
    if (missing.length === 0) throw isDone()
    return missing
  }
  const latest = await jobs.listLatest(trx, `lead:${id}`)
  return name === 'sync-crm' ? crmEventsToRetry(latest) : emailsToResend(latest, { matched: provider_id != null })
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

function refuseHeld(subject: Subject, { held_reason = null }: { held_reason?: string | null }): void {
  if (held_reason === null) return
  throw new AppError('conflict', `This ${kindOf(subject).kind} is held. Release it first.`)
}

const isDone = () => new AppError('conflict', 'This is done. There is nothing to retry.')
const isRetried = () => new AppError('conflict', 'This was already retried by a newer run.')
const gone = () => new AppError('not_found', 'There is no such job. It may have been deleted.')
