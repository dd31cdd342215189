import { setTimeout as sleep } from 'node:timers/promises'
import pLimit from 'p-limit'
import { MAX_WAIT } from '../../core/deliveries/contract/jobs.ts'
import { followOutcomes, retry, retryAll } from '../../core/deliveries/retry-deliveries.ts'
import type { Job } from '../../core/deliveries/stores/attempts.ts'
import * as changes from '../../core/deliveries/stores/changes.ts'
import { AppError } from '../../core/errors.ts'
import { assignProvider, releaseLead, undoMatch } from '../../core/leads/assign-provider.ts'
import { deleteLead, restoreLead } from '../../core/leads/change-lead.ts'
import type { NewAnswer } from '../../core/leads/contract/outcomes.ts'
import { passOn } from '../../core/leads/pass-on.ts'
import { recordByStaff } from '../../core/leads/record-outcome.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import type { Transaction } from '../../core/platform/db.ts'
import { onBehalfOf } from '../../core/platform/log.ts'
import { BulkPurpose } from '../../core/staff/contract/bulk.ts'
import * as store from '../../core/staff/stores/bulk.ts'
import { MINUTE, SECOND } from '../../core/time.ts'
import { HandedBack, NotNeeded } from '../delivery-error.ts'
import type { Handler, Outcome, WorkerServices } from './handler.ts'

/** The most rows that this process changes at the same time. Deliveries share the pool of connections. */
const turn = pLimit(2)
/** The rows of one action that are changed at the same time, at most. */
const LANES = 2
/** The interval of progress, in milliseconds. */
const PROGRESS_INTERVAL = SECOND / 5
/** In milliseconds: how long an action waits for rows that another worker holds before it looks again. */
const HELD_INTERVAL = SECOND / 5
/** The most consecutive faults of ours. After them the attempt ends, and the action goes on later. */
const MAX_FAULTS = 10
/** In milliseconds: the longest time without a new outcome, and the longest wait for outcomes in one attempt. */
const IDLE_TIMEOUT = MAX_WAIT * SECOND
const FOLLOW_TIMEOUT = 10 * MINUTE

const FAULT = 'Something went wrong on our side. Please try again.'

/** Acts on many rows, each in a transaction that also marks it. Whatever ends the attempt, the next one goes on there. */
export const bulk: Handler = (tasks, services) => tasks.map(({ job }) => run(job, services))

type BulkTask = { job: Job; row: store.BulkRow }

async function run(job: Job, services: WorkerServices): Promise<Outcome> {
  const { db, stopping } = services
  const { id, purpose } = job
  const row = await store.find(db, id)
  if (!row) throw new NotNeeded('The action is gone.')
  const task = { job, row }
  const progress = await startProgress(id, services)
  const awaited = await store.listAwaited(db, id)
  let isActing = true
  const broken = new AbortController()

  const acting = actOnAll(task, services, { awaited, progress })
    .catch((error) => {
      broken.abort()
      throw error
    })
    .finally(() => {
      isActing = false
    })
  const following =
    isRetry(purpose) &&
    followOutcomes(db, {
      tried: awaited,
      isFilling: () => isActing,
      idleTimeout: IDLE_TIMEOUT,
      stopping: AbortSignal.any([stopping, broken.signal, AbortSignal.timeout(FOLLOW_TIMEOUT)]),
      async onEnded(ended) {
        // Whoever goes on waits for them again.
        if (stopping.aborted || broken.signal.aborted) throw stopped()
        const outcomes = ended.map(([position, { state }]) => ({ position, outcome: OUTCOMES[state] }))
        await store.recordOutcomes(db, id, outcomes)
        for (const { outcome } of outcomes) progress.add(outcome)
      },
    })
  const [acted, followed] = await Promise.allSettled([acting, following])
  if (acted.status === 'rejected') throw acted.reason
  if (followed.status === 'rejected') throw followed.reason
  return { result: await progress.end() }
}

/** Tells whether a row is done only after the first attempts of its deliveries. */
const isRetry = (purpose: string) => purpose.startsWith('retry-')

const stopped = () => new HandedBack('The worker stops.')

const OUTCOMES = { delivered: 'succeeded', refused: 'failed', waiting: 'waiting' } as const

type Acting = { awaited: Map<number, string[]>; progress: Awaited<ReturnType<typeof startProgress>> }

/**
 * Acts on every open row, a few at the same time. A row at which our side fails is tried again after the others, and is
 * reported if it fails again.
 * @throws HandedBack when the worker stops, and the fault when `MAX_FAULTS` rows fail one after the other
 */
async function actOnAll({ job, row }: BulkTask, services: WorkerServices, { awaited, progress }: Acting) {
  const { db, log, stopping } = services
  const act = actionOf({ job, row }, services)
  const origin = { ip: row.input.ip, sessionId: row.input.sessionId }
  const faulted = new Set<number>()
  /** Rows of this round: those that were begun, and those that are put off to the next one. */
  let begun = new Set<number>()
  let later: number[] = []
  let faults = 0
  let isBroken = false

  /** Acts on the next row. Returns false when there is none. */
  async function actOnNext(): Promise<boolean> {
    let position: number | undefined
    try {
      const acted = await db.transaction(async (trx) => {
        const item = await store.lockNext(trx, job.id, later)
        if (!item) return 'none'
        // Another lane has failed at it at this moment.
        if (begun.has(item.position)) return 'again'
        position = item.position
        begun.add(position)
        const done = await attemptItem(trx, item)
        await store.recordAct(trx, job.id, done)
        return done
      })
      if (acted === 'none') return false
      if (acted === 'again') return true
      if ('added' in acted) awaited.set(acted.position, acted.added)
      else progress.add(acted.outcome)
      faults = 0
    } catch (error) {
      faults += 1
      log.error({ err: error, jobId: job.id, position }, 'bulk item failed')
      if (position === undefined || faults >= MAX_FAULTS) throw error
      await putOff(position)
    }
    return true
  }

  async function attemptItem(trx: Transaction, item: store.Item): Promise<store.Act> {
    const { position } = item
    try {
      const added = await act(trx, item)
      if (isRetry(job.purpose) && Array.isArray(added)) return { position, added }
      return { position, outcome: 'succeeded', error: null }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return { position, outcome: 'failed', error: error.message }
    }
  }

  async function putOff(position: number): Promise<void> {
    if (faulted.has(position)) {
      await store.recordAct(db, job.id, { position, outcome: 'failed', error: FAULT })
      progress.add('failed')
      return
    }
    faulted.add(position)
    later.push(position)
  }

  async function lane(): Promise<void> {
    const goesOn = () => !stopping.aborted && !isBroken
    try {
      while (goesOn() && (await turn(() => onBehalfOf(job.requestId, actOnNext, origin))));
    } catch (error) {
      isBroken = true
      throw error
    }
  }

  do {
    begun = new Set()
    later = []
    await Promise.all(Array.from({ length: LANES }, lane))
    if (stopping.aborted) throw stopped()
    if (later.length === 0 && (await store.hasOpen(db, job.id))) await sleep(HELD_INTERVAL)
  } while (later.length > 0 || (await store.hasOpen(db, job.id)))
  // The action is not done before the rows that another worker acted on meanwhile.
  for (const [position, deliveries] of await store.listAwaited(db, job.id)) awaited.set(position, deliveries)
}

/** Returns the act on one row. It returns the ids of the deliveries that it made, if the action is a retry. */
function actionOf({ job, row }: BulkTask, { env }: WorkerServices) {
  const { providerId = 0, outcome, waitingAt, toClinic, delay, actorId } = row.input
  const staff = { actor: row.actor, actorId }
  const personKey = deriveKey(env.DATA_KEY, 'person-hash')
  const actions: Record<BulkPurpose, (trx: Transaction, item: { lead: number; job: string }) => Promise<unknown>> = {
    'retry-sync': (trx, { lead }) => retryAll(trx, `lead:${lead}`, 'sync-crm', staff),
    'retry-email': (trx, { lead }) => retryAll(trx, `lead:${lead}`, 'send-email', { ...staff, toClinic }),
    'retry-failed': (trx, { job: jobId }) => retry(trx, jobId, staff),
    'assign-provider': (trx, { lead }) => assignProvider(trx, lead, providerId, { ...staff, delay }),
    'pass-on': (trx, { lead }) =>
      passOn(trx, lead, { ...staff, delay, waitingAt, radiusMiles: env.MATCH_RADIUS_MILES, personKey }),
    'undo-match': (trx, { lead }) => undoMatch(trx, lead, staff),
    'record-outcome': (trx, { lead }) => recordByStaff(trx, lead, outcome as NewAnswer, staff),
    release: (trx, { lead }) => releaseLead(trx, lead, { ...staff, radiusMiles: env.MATCH_RADIUS_MILES }),
    delete: (trx, { lead }) => deleteLead(trx, lead, staff),
    restore: (trx, { lead }) => restoreLead(trx, lead, staff),
  }
  const act = actions[BulkPurpose.parse(job.purpose)]
  return (trx: Transaction, { lead_id, retried_job }: store.Item) =>
    act(trx, { lead: lead_id ?? 0, job: retried_job ?? '' })
}

/** Counts the rows that are done, and tells dashboards about it at most once in an interval. */
async function startProgress(id: string, { db, log }: WorkerServices) {
  const counts = await store.count(db, id)
  let notifiedAt = 0
  let writing: Promise<void> | undefined

  const write = async ({ succeeded, failed, waiting } = counts) => {
    await store.writeProgress(db, id, { done: succeeded + failed + waiting, failed })
    await changes.announce(db, { bulk: [id] })
  }
  const notify = () => {
    if (writing || performance.now() - notifiedAt < PROGRESS_INTERVAL) return
    notifiedAt = performance.now()
    writing = write()
      .catch((error: Error) => log.debug({ jobId: id, reason: error.message }, 'progress not written'))
      .finally(() => {
        writing = undefined
      })
  }
  notify()

  return {
    add(outcome: store.ItemOutcome['outcome']) {
      counts[outcome] += 1
      notify()
    },
    /** Writes the final counts. */
    async end() {
      await writing
      const final = await store.count(db, id)
      await write(final)
      return final
    },
  }
}
