import { setTimeout as sleep } from 'node:timers/promises'
import { MINUTE, SECOND } from '../../core/contract/time.ts'
import { MAX_WAIT } from '../../core/deliveries/contract/jobs.ts'
import { retry, retryAll } from '../../core/deliveries/retry-deliveries.ts'
import type { Job } from '../../core/deliveries/stores/attempts.ts'
import { outcomesOf } from '../../core/deliveries/stores/failed-jobs.ts'
import { AppError } from '../../core/errors.ts'
import { assignProvider, releaseLead, undoMatch } from '../../core/leads/assign-provider.ts'
import { changeWork, deleteLead, restoreLead } from '../../core/leads/change-lead.ts'
import type { NewAnswer } from '../../core/leads/contract/outcomes.ts'
import { passOn } from '../../core/leads/pass-on.ts'
import { recordByStaff } from '../../core/leads/record-outcome.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import type { Transaction } from '../../core/platform/db.ts'
import { onBehalfOf } from '../../core/platform/log.ts'
import { BulkPurpose } from '../../core/staff/contract/bulk.ts'
import * as store from '../../core/staff/stores/bulk.ts'
import { HandedBack, NotNeeded } from '../delivery-error.ts'
import type { Handler, Outcome, WorkerServices } from './handler.ts'

/** The interval of progress, and what each delivery that is awaited adds to it, to spare the database. In milliseconds. */
const INTERVAL = SECOND / 5
const INTERVAL_PER_ROW = 0.05
/** The most consecutive faults of ours. After them the attempt ends, and the action goes on later. */
const MAX_FAULTS = 10
/** In milliseconds: the longest time without a new outcome, and the longest wait for outcomes in one attempt. */
const IDLE_TIMEOUT = MAX_WAIT * SECOND
const FOLLOW_TIMEOUT = 10 * MINUTE

const FAULT = 'Something went wrong on our side. Please try again.'

/** Acts on many rows, each in a transaction that also marks it. Whatever ends the attempt, the next one goes on there. */
export const bulk: Handler = (tasks, services) => tasks.map(({ job }) => run(job, services))

async function run(job: Job, services: WorkerServices): Promise<Outcome> {
  const { db } = services
  const row = await store.find(db, job.id)
  if (!row) throw new NotNeeded('The action is gone.')
  const { ip, sessionId } = row.input
  await onBehalfOf(job.requestId, () => actOnAll(job, row, services), { ip, sessionId })
  await followAll(job, services)
  return { result: await store.count(db, job.id) }
}

/**
 * Acts on every open row, one after the other. A row at which our side fails is tried again after the others, and is
 * reported if it fails again.
 * @throws HandedBack when the worker stops, and the fault when `MAX_FAULTS` rows fail one after the other
 */
async function actOnAll(job: Job, row: store.BulkRow, services: WorkerServices): Promise<void> {
  const { db, log, stopping } = services
  const act = actionOf(job, row, services)
  let reportAt = 0

  async function actOnRest(onFault: (position: number) => unknown, skipped: number[] = []): Promise<void> {
    for (let faults = 0; ; ) {
      if (stopping.aborted) throw stopped()
      if (performance.now() >= reportAt) reportAt = performance.now() + intervalFor(await report(job, services))
      let position: number | undefined
      try {
        const isOver = await db.transaction(async (trx) => {
          const item = await store.lockNext(trx, job.id, skipped)
          if (!item) return true
          position = item.position
          await store.recordAct(trx, job.id, position, await act(trx, item))
        })
        if (isOver) return
        faults = 0
      } catch (error) {
        log.error({ err: error, jobId: job.id, position }, 'bulk item failed')
        faults += 1
        if (position === undefined || faults >= MAX_FAULTS) throw error
        await onFault(position)
      }
    }
  }

  const faulted: number[] = []
  await actOnRest((position) => faulted.push(position), faulted)
  await actOnRest((position) => store.recordAct(db, job.id, position, { outcome: 'failed', error: FAULT }))
}

/** Waits for the first attempts of the deliveries that were retried. After a timeout the others count as waiting. */
async function followAll(job: Job, services: WorkerServices): Promise<void> {
  const end = performance.now() + FOLLOW_TIMEOUT
  let changedAt = performance.now()
  for (let left = await report(job, services); left > 0; ) {
    await sleep(intervalFor(left))
    // Whoever goes on waits for them again.
    if (services.stopping.aborted) throw stopped()
    const isLast = performance.now() >= Math.min(end, changedAt + IDLE_TIMEOUT)
    const still = await report(job, services, isLast)
    if (still < left) changedAt = performance.now()
    left = still
  }
}

/** Records the outcomes of deliveries so far, of all with `isLast`. Returns how many rows still wait for theirs. */
async function report({ id }: Job, { db }: WorkerServices, isLast = false): Promise<number> {
  const awaited = await store.listAwaited(db, id)
  const ended = await outcomesOf(db, awaited, isLast)
  await store.recordProgress(
    db,
    id,
    ended.map(([position, { state }]) => ({ position, outcome: OUTCOMES[state] })),
  )
  return awaited.length - ended.length
}

const OUTCOMES = { delivered: 'succeeded', refused: 'failed', waiting: 'waiting' } as const
const intervalFor = (awaited: number) => INTERVAL + INTERVAL_PER_ROW * awaited
const stopped = () => new HandedBack('The worker stops.')

/** Returns the act on one row. A retry returns the ids of the deliveries that it made. */
function actionOf(job: Job, { actor, input }: store.BulkRow, { env }: WorkerServices) {
  const { providerId = 0, outcome, work = {}, waitingAt, toClinic, delay, actorId } = input
  const staff = { actor, actorId }
  const radiusMiles = env.MATCH_RADIUS_MILES
  const personKey = deriveKey(env.DATA_KEY, 'person-hash')
  const actions: Record<BulkPurpose, (trx: Transaction, lead: number, delivery: string) => Promise<unknown>> = {
    'retry-sync': (trx, lead) => retryAll(trx, `lead:${lead}`, 'sync-crm', staff),
    'retry-email': (trx, lead) => retryAll(trx, `lead:${lead}`, 'send-email', { ...staff, toClinic }),
    'retry-failed': (trx, _, delivery) => retry(trx, delivery, staff),
    'assign-provider': (trx, lead) => assignProvider(trx, lead, providerId, { ...staff, delay }),
    'pass-on': (trx, lead) => passOn(trx, lead, { ...staff, delay, waitingAt, radiusMiles, personKey }),
    'undo-match': (trx, lead) => undoMatch(trx, lead, staff),
    'record-outcome': (trx, lead) => recordByStaff(trx, lead, outcome as NewAnswer, staff),
    'change-work': (trx, lead) => changeWork(trx, lead, work, staff),
    release: (trx, lead) => releaseLead(trx, lead, { ...staff, radiusMiles }),
    delete: (trx, lead) => deleteLead(trx, lead, staff),
    restore: (trx, lead) => restoreLead(trx, lead, staff),
  }
  const purpose = BulkPurpose.parse(job.purpose)
  return async (trx: Transaction, { lead_id, retried_job }: store.Item): Promise<store.Act> => {
    try {
      const done = await actions[purpose](trx, lead_id ?? 0, retried_job ?? '')
      const isRetry = purpose.startsWith('retry-') && Array.isArray(done)
      return isRetry ? { added: done } : { outcome: 'succeeded', error: null }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return { outcome: 'failed', error: error.message }
    }
  }
}
