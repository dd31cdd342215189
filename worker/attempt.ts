import { setTimeout as sleep } from 'node:timers/promises'
import { AFTER_DELETION } from '../core/contract/jobs.ts'
import type { Lead } from '../core/contract/leads.ts'
import type { Db, Transaction } from '../core/platform/db.ts'
import type { Logger } from '../core/platform/log.ts'
import { onBehalfOf } from '../core/platform/request-context.ts'
import * as applications from '../core/stores/applications.ts'
import {
  type AccountJob,
  type ApplicationJob,
  type Attempt,
  type LeadJob,
  type SyncJob,
  settle as settleAttempt,
} from '../core/stores/attempts.ts'
import * as deletedLeads from '../core/stores/deleted-leads.ts'
import * as leads from '../core/stores/leads.ts'
import * as staffAccounts from '../core/stores/staff-accounts.ts'
import * as syncRuns from '../core/stores/sync-runs.ts'
import { MINUTE, SECOND } from '../core/time.ts'
import type { WorkerServices } from './handlers/handler.ts'
import type { Ledger } from './ledger.ts'
import { measureAttempt } from './metrics.ts'
import type { Ending } from './outcome.ts'

/*
 * The life of an attempt, at one job or at many in one call: `begin`, the handler, then `ended` or `failed`
 * (outcome.ts) for each job, and `record`.
 */

/** In milliseconds: how long an outcome waits for an unavailable database before the job is handed back. */
const RECORD_TIMEOUT = MINUTE

/** The row that a job belongs to, and its name in the log. */
export type Owner<Row> = {
  store: {
    lock(trx: Transaction, id: number): Promise<Row | null>
    /** Locks a deleted row that can be restored. Returns false when there is none. */
    lockDeleted?(trx: Transaction, id: number): Promise<boolean>
  }
  id: number
  label: Record<string, number>
}

export function ownerOfLeadJob(job: LeadJob): Owner<Lead> {
  const { name, purpose, leadId } = job
  if (AFTER_DELETION.includes(purpose)) return ownerOfErasedLeadJob(job)
  // A sent e-mail cannot be taken back: its outcome counts, also while the lead is deleted. A match does not.
  const lockDeleted = name === 'match-lead' ? undefined : deletedLeads.lock
  return { store: { lock: leads.lock, lockDeleted }, id: leadId, label: { leadId } }
}

/** Returns the owner of a job that runs after its lead was deleted for good: no row is left to lock. */
export function ownerOfErasedLeadJob({ leadId }: LeadJob): Owner<never> {
  return { store: { lock: async () => null, lockDeleted: async () => true }, id: leadId, label: { leadId } }
}

export function ownerOfApplicationJob({ applicationId }: ApplicationJob) {
  return { store: applications, id: applicationId, label: { applicationId } }
}

export function ownerOfAccountJob({ accountId }: AccountJob) {
  return { store: { lock: staffAccounts.lockRow }, id: accountId, label: { accountId } }
}

export function ownerOfSyncJob({ syncId }: SyncJob) {
  return { store: syncRuns, id: syncId, label: { syncId } }
}

/**
 * Records an attempt's outcome in the ledger, the log and the metrics. Waits while the database is unavailable, because
 * a job that is handed back would run again and an e-mail cannot be taken back.
 * @throws Error without the database's own message when the database stays away
 */
export async function record<Row>(
  { db, ledger }: Pick<WorkerServices, 'db' | 'ledger'>,
  owner: Owner<Row>,
  attempt: Attempt,
  ending: Ending<Row>,
  log: Logger,
): Promise<void> {
  const isRecorded =
    (await recordWithOthers(ledger, attempt, ending)) || (await recordPatiently(db, owner, attempt, ending, log))
  report(owner, attempt, ending, isRecorded, log)
}

/** Records a plain outcome in a batch with others. Returns false when the outcome needs a transaction of its own. */
async function recordWithOthers<Row>(
  ledger: Ledger,
  { job, ...attempt }: Attempt,
  { settlement, commit, ms }: Ending<Row>,
): Promise<boolean> {
  if (!('leadId' in job) || commit) return false
  return ledger.settle({ attempt: { ...attempt, job }, settlement, ms }).catch(() => false)
}

function report<Row>(
  owner: Owner<Row>,
  { job }: Attempt,
  { settlement, ms, reason }: Ending<Row>,
  isRecorded: boolean,
  log: Logger,
): void {
  measureAttempt(job, { settlement, ms, isRecorded })
  log.info(
    {
      job: job.name,
      purpose: job.purpose,
      jobId: job.id,
      ...(job.requestId && { requestId: job.requestId }),
      ...owner.label,
      attempt: job.attempts + 1,
      state: isRecorded ? settlement.state : 'superseded',
      ms: Math.round(ms),
      ...('cause' in settlement && { cause: settlement.cause }),
      ...('result' in settlement && settlement.result?.status !== undefined && { status: settlement.result.status }),
      ...(reason && { reason }),
    },
    'job',
  )
}

async function recordPatiently<Row>(
  db: Db,
  owner: Owner<Row>,
  attempt: Attempt,
  ending: Ending<Row>,
  log: Logger,
): Promise<boolean> {
  for (const deadline = Date.now() + RECORD_TIMEOUT; ; await sleep(SECOND)) {
    try {
      return await settle(db, owner, attempt, ending)
    } catch (error) {
      const isLast = Date.now() >= deadline
      log.warn({ job: attempt.job.name, jobId: attempt.job.id, isLast, err: error }, 'outcome not recorded')
      // The queue stores this message, so it must not quote rows.
      if (isLast) throw new Error('The outcome could not be recorded.')
    }
  }
}

async function settle<Row>(
  db: Db,
  { store, id }: Owner<Row>,
  attempt: Attempt,
  { settlement, commit, ms }: Ending<Row>,
): Promise<boolean> {
  return db.transaction(async (trx) => {
    const row = await store.lock(trx, id)
    const isDeleted = !row && (await store.lockDeleted?.(trx, id))
    // Not found in either place: it may have been restored between the two reads.
    const current = row ?? (isDeleted ? null : await store.lock(trx, id))
    if (!current && !isDeleted) return false
    if (!(await settleAttempt(trx, attempt, settlement, ms))) return false
    if (current) await onBehalfOf(attempt.job.requestId, async () => commit?.(trx, current))
    return true
  })
}
