import type { Lead } from '../../core/contract/leads.ts'
import type { Db, Transaction } from '../../core/db.ts'
import type { Env } from '../../core/env.ts'
import type { Job } from '../../core/stores/jobs.ts'
import type { CrmSender } from '../senders/crm-sender.ts'
import type { Mailer } from '../senders/mailer.ts'

/** What the handlers work with. */
export type WorkerServices = { env: Env; db: Db; mailer: Mailer; crm: CrmSender | null }

/** What a handler did. `commit` runs in the transaction that records it, on the lead as it is by then. */
export type Outcome = {
  result: Record<string, unknown>
  commit?: (trx: Transaction, lead: Lead) => Promise<void>
}

/**
 * Does one job for one lead. It may run more than once for the same job, and reads everything afresh.
 * @throws DeliveryError when the other side failed or refused, NotNeeded when there is nothing to do
 */
export type Handler = (job: Job, lead: Lead, services: WorkerServices) => Promise<Outcome>
