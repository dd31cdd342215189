import type { Application } from '../../core/contract/applications.ts'
import type { Lead } from '../../core/contract/leads.ts'
import type { SyncRunDetails } from '../../core/contract/sync.ts'
import type { WorkerEnv } from '../../core/env.ts'
import type { Db, Transaction } from '../../core/platform/db.ts'
import type { AccountJob, ApplicationJob, LeadJob, SyncJob } from '../../core/stores/attempts.ts'
import type { Recipient } from '../../core/stores/staff-accounts.ts'
import type { Ledger } from '../ledger.ts'
import type { CrmSender } from '../senders/crm-sender.ts'
import type { Mailer } from '../senders/mailer.ts'

/** The services of all handlers. */
export type WorkerServices = { env: WorkerEnv; db: Db; ledger: Ledger; mailer: Mailer; crm: CrmSender | null }

/** A job for a lead, in a batch. The lead is null only where the job is about its deletion. */
export type LeadTask = { job: LeadJob; lead: Lead | null }

/** The result of a handler. `commit` runs in the transaction that records it, on the owner's row as it is then. */
export type Outcome<Row> = {
  result: Record<string, unknown>
  commit?: (trx: Transaction, row: Row) => Promise<void>
}

/**
 * Runs one job for its owner's row: a lead, an application, an account or a sync run. May run more than once for the
 * same job, and reads everything again each time.
 * @throws DeliveryError when the other side failed or refused, NotNeeded when there is nothing to do
 */
export type Handler<Job, Row> = (job: Job, row: Row, services: WorkerServices) => Promise<Outcome<Row>>
export type LeadHandler = Handler<LeadJob, Lead>
export type ApplicationHandler = Handler<ApplicationJob, Application>
export type AccountHandler = Handler<AccountJob, Recipient>
export type SyncHandler = Handler<SyncJob, SyncRunDetails>
