import type { Job } from '../../core/deliveries/stores/attempts.ts'
import type { SentMessage } from '../../core/deliveries/stores/sent-messages.ts'
import type { SubjectRows } from '../../core/deliveries/stores/subjects.ts'
import type { WorkerEnv } from '../../core/env.ts'
import type { Lead } from '../../core/leads/contract/leads.ts'
import type { Db, Transaction } from '../../core/platform/db.ts'
import type { Logger } from '../../core/platform/log.ts'
import type { CrmSender } from '../senders/crm-sender.ts'
import type { Mailer } from '../senders/mailer.ts'

/** The services of all handlers. `stopping` aborts when the worker must stop. */
export type WorkerServices = {
  env: WorkerEnv
  db: Db
  log: Logger
  mailer: Mailer
  crm: CrmSender | null
  stopping: AbortSignal
}

/** The rows that jobs are about, as read when the attempt began. `none`: the handler knows the job by its id. */
type Rows = SubjectRows & { none: null }
/** A job with its row, and the number of its subject. */
export type TaskAbout<Of extends keyof Rows> = { of: Of; job: Job; id: number; row: Rows[Of] }
export type Task = { [Of in keyof Rows]: TaskAbout<Of> }[keyof Rows]

/**
 * The result of an attempt. `commit` runs in the transaction that records it, on the row of the lead as it is then. `sent` is
 * kept with the job, and must contain no secret.
 */
export type Outcome = {
  result: Record<string, unknown>
  sent?: SentMessage
  commit?: (trx: Transaction, lead: Lead) => Promise<void>
}

/**
 * Makes one attempt at each task, together where that is cheaper: tasks share their reads, and those of a CRM a call.
 * Returns one promise per task, in their order, so that no attempt waits for the end of another. May run more than once
 * for the same job.
 *
 * A promise rejects with DeliveryError when the receiver failed or refused, with NotNeeded when there is nothing to do,
 * and with HandedBack when the worker stops.
 */
export type Handler = (tasks: Task[], services: WorkerServices & { log: Logger }) => Promise<Outcome>[]
