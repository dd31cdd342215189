import { setTimeout as sleep } from 'node:timers/promises'
import { JOBS } from '../core/jobs/index.ts'
import type { Logger } from '../core/log.ts'
import { retryDelay } from '../core/rules/retry.ts'
import * as jobs from '../core/stores/jobs.ts'
import * as leads from '../core/stores/leads.ts'
import { MINUTE, SECOND } from '../core/time.ts'
import { DeliveryError, NotNeeded } from './delivery-error.ts'
import type { Handler, Outcome, WorkerServices } from './handlers/handler.ts'
import { handlers } from './handlers/index.ts'
import { printable } from './printable.ts'

/** How long, in milliseconds, an outcome is held for a database that is away before the job is handed back. */
const PATIENCE = MINUTE

/**
 * Makes one attempt at a job and records how it ended, in the ledger and nowhere else. Does nothing for a job that is
 * settled, cancelled or gone. Throws only when the outcome cannot be recorded; then the queue calls again.
 */
export async function perform(jobId: string, services: WorkerServices, log: Logger): Promise<void> {
  const { db } = services
  const job = await jobs.findOpen(db, jobId)
  const lead = job && (await leads.find(db, job.leadId))
  if (!job || !lead) return

  const started = performance.now()
  const handler: Handler = handlers[job.name]
  const attempt = await handler(job, lead, services).then(
    (outcome): Attempt => ({ settlement: { state: 'done', result: outcome.result }, commit: outcome.commit }),
    (error: Error): Attempt => ({ settlement: settlementOf(job, error), reason: reasonOf(error) }),
  )
  const recorded = await recordPatiently(services, job, attempt, log)

  const { state } = attempt.settlement
  log.info(
    {
      job: job.name,
      purpose: job.purpose,
      jobId,
      leadId: job.leadId,
      attempt: job.attempts + 1,
      state: recorded ? state : 'superseded',
      ms: Math.round(performance.now() - started),
      ...(attempt.reason && { reason: attempt.reason }),
    },
    'job',
  )
}

type Attempt = {
  settlement: jobs.Settlement
  commit?: Outcome['commit']
  /** Why it failed, for the log: in our words, because the other side's may name the visitor. */
  reason?: string
}

/**
 * Records how an attempt ended, and waits for a database that is away: a job that was handed back would be done again,
 * and there is no way to take back an e-mail.
 * @throws Error without the database's words when it stays away
 */
async function recordPatiently(
  services: WorkerServices,
  job: jobs.Job,
  attempt: Attempt,
  log: Logger,
): Promise<boolean> {
  for (const deadline = Date.now() + PATIENCE; ; await sleep(SECOND)) {
    try {
      return await record(services, job, attempt)
    } catch (error) {
      const isLast = Date.now() >= deadline
      log.warn({ job: job.name, jobId: job.id, isLast, err: error }, 'outcome not recorded')
      // The queue keeps the message of what we throw.
      if (isLast) throw new Error('The outcome could not be recorded.')
    }
  }
}

async function record({ db }: WorkerServices, job: jobs.Job, { settlement, commit }: Attempt): Promise<boolean> {
  return db.transaction(async (trx) => {
    const lead = await leads.lock(trx, job.leadId)
    if (!lead || !(await jobs.settle(trx, job, settlement))) return false
    await commit?.(trx, lead)
    return true
  })
}

/** What a failed attempt means: never again, not needed, or again after a while until the attempts are used up. */
function settlementOf(job: jobs.Job, error: Error): jobs.Settlement {
  if (error instanceof NotNeeded) return { state: 'cancelled', error: error.message }

  const known = error instanceof DeliveryError ? error : undefined
  const result = known?.status === undefined ? undefined : { status: known.status }
  const message = known?.message ?? printable(`Something went wrong on our side: ${error.message}`)
  if (known?.retry === 'never') return { state: 'failed', error: message, result }

  const delay = retryDelay(JOBS[job.name].retry, job.attempts + 1, { askedFor: known?.askedFor })
  if (delay === null) return { state: 'failed', error: `${message} We have stopped trying.`, result }
  return { state: 'waiting', error: message, delay, result }
}

function reasonOf(error: Error): string {
  return error instanceof DeliveryError ? error.summary : error.message
}
