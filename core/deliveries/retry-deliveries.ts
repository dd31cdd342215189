import { setTimeout as sleep } from 'node:timers/promises'
import * as applications from '../applications/stores/applications.ts'
import { SECOND } from '../contract/time.ts'
import { AppError } from '../errors.ts'
import type { Outcome } from '../leads/rules/outcomes.ts'
import * as leads from '../leads/stores/leads.ts'
import type { Db, Transaction } from '../platform/db.ts'
import type { Actor } from '../staff/stores/audit-log.ts'
import * as auditLog from '../staff/stores/audit-log.ts'
import { AFTER_DELETION, type FailedJobsQuery } from './contract/jobs.ts'
import type { Subject } from './emails.ts'
import { JOBS, kindOf } from './jobs.ts'
import { applicationEmailsToResend, crmEventsToRetry, emailsToResend, type JobAgain } from './rules/deliveries.ts'
import * as changes from './stores/changes.ts'
import { listLatest, listUndelivered, outcomesOf, readAgain } from './stores/failed-jobs.ts'
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
    if (!found || found.job.name === 'bulk') throw gone()
    const { job, subject } = found
    // A notice of a deletion and a job about many rows have no other row to lock.
    const isAlone = !subject || AFTER_DELETION.includes(job.purpose)
    const row = isAlone ? (await jobs.lock(trx, id)) && {} : await subjects.lock(trx, subject)
    if (!row) throw gone()
    if (subject) refuseHeld(subject, row)
    const { newest, isNewer } = await readAgain(trx, id)
    if (newest.state === 'done') throw isDone()
    if (isNewer) throw isRetried()
    if (row.finished_at && job.name === 'sync-providers') {
      throw new AppError('conflict', 'This sync has ended. Start a new one.')
    }
    const added = subject ? (await jobs.addAgain(trx, subject, [newest])).added : await jobs.addAloneAgain(trx, id)
    if (added.length === 0) throw isRetried()
    const details = {
      job: id,
      ...((job.name === 'purge' && { purge: true }) || (job.name === 'send-alert' && { alert: true })),
      ...(subject?.startsWith('report:') && { report: job.purpose }),
    }
    const about = subject
      ? subjects.entityOf(subject, newest.payload)
      : { entity: 'job' as const, entityId: 'all' as const }
    await auditLog.record(trx, { actor, action: JOBS[job.name].retryAction, details, ...about })
    if (subject) await changes.announce(trx, subjects.changesOf(subject))
    return added
  })
}

/**
 * Retries the emails or CRM calls of a lead, or the emails of an application, at once, each as a new generation: those that
 * have not arrived, and always the important one. With `toClinic`, only those to one provider that have not arrived.
 * @returns the ids of the new jobs
 * @throws AppError `not_found`; `conflict` when the form is held, or nothing is left to retry
 */
export async function retryAll(
  db: Db,
  subject: Subject<'lead' | 'application'>,
  name: 'send-email' | 'sync-crm',
  { actor, toClinic }: Actor & { toClinic?: number },
): Promise<string[]> {
  const { kind, id } = kindOf(subject)
  return db.transaction(async (trx) => {
    const row = await subjects.lock(trx, subject)
    if (!row) throw kind === 'lead' ? leads.noSuchLead() : applications.notFound()
    refuseHeld(subject, row)
    const again = kind === 'lead' ? await chooseOfLead(trx, id, name, { ...row, toClinic }) : null
    const owed = again ?? applicationEmailsToResend(await listLatest(trx, subject))
    const { added } = await jobs.addAgain(trx, subject, owed)
    const action = JOBS[name].retryAction
    await auditLog.record(trx, { actor, action, ...subjects.entityOf(subject) })
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
    const missing = await listUndelivered(trx, `lead:${id}`, toClinic)
    if (missing.length === 0) throw isDone()
    return missing
  }
  const latest = await listLatest(trx, `lead:${id}`)
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

/** In milliseconds, between two questions while much changes. */
const MIN_INTERVAL = SECOND / 5

type Follow = {
  /** In milliseconds. */
  timeout: number
  stopping: AbortSignal
  /** Waits for the next change that any process announces. */
  nextChange: () => Promise<void>
}

/** Returns the outcome of jobs once their first attempts have ended: `waiting` after the timeout, or when it stops. */
export async function followOutcome(
  db: Db,
  jobIds: string[],
  { timeout, stopping, nextChange }: Follow,
): Promise<Outcome> {
  const end = performance.now() + timeout
  for (;;) {
    const isLast = stopping.aborted || performance.now() >= end
    // From before the question, so that no change falls between.
    const changed = nextChange()
    const [ended] = await outcomesOf(db, [['all', jobIds]], isLast)
    if (ended) return ended[1]
    await Promise.all([changed, sleep(MIN_INTERVAL)])
  }
}
