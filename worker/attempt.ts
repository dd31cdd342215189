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
 * The parts of which an attempt is made, at one job or at many in one call: `begin`, then what is to be done, then
 * `ended` or `failed` (outcome.ts) for each job, and `record`.
 */

/** How long, in milliseconds, an outcome is held for a database that is away before the job is handed back. */
const RECORD_TIMEOUT = MINUTE

/** What a job is done for: where its row is, and what the log calls it. */
export type Owner<Row> = {
  store: {
    lock(trx: Transaction, id: number): Promise<Row | null>
    /** Locks a row that was deleted and may come back. False when there is none. */
    lockDeleted?(trx: Transaction, id: number): Promise<boolean>
  }
  id: number
  label: Record<string, number>
}

export function ownerOfLeadJob(job: LeadJob): Owner<Lead> {
  const { name, purpose, leadId } = job
  if (AFTER_DELETION.includes(purpose)) return ownerOfErasedLeadJob(job)
  // An e-mail that is out cannot be taken back: its outcome counts, also while the lead is deleted. A match does not.
  const lockDeleted = name === 'match-lead' ? undefined : deletedLeads.lock
  return { store: { lock: leads.lock, lockDeleted }, id: leadId, label: { leadId } }
}

/** Of a job that is done after its lead was deleted for good: there is nothing left to lock. */
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
 * Records how an attempt ended, in the ledger, the log and the measurements. Waits for a database that is away: a job
 * that was handed back would be done again, and there is no way to take back an e-mail.
 * @throws Error without the database's words when it stays away
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

/** True when it is done. What brings more than an outcome has a transaction of its own. */
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
      // The queue keeps the message of what we throw.
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
    // Neither here nor there: it may have been brought back between the two looks.
    const current = row ?? (isDeleted ? null : await store.lock(trx, id))
    if (!current && !isDeleted) return false
    if (!(await settleAttempt(trx, attempt, settlement, ms))) return false
    if (current) await onBehalfOf(attempt.job.requestId, async () => commit?.(trx, current))
    return true
  })
}
