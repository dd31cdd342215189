import { setTimeout as sleep } from 'node:timers/promises'
import type { Changes } from '../core/contract/events.ts'
import { MINUTE, SECOND } from '../core/contract/time.ts'
import { kindOf } from '../core/deliveries/jobs.ts'
import {
  type Attempt,
  begin,
  GIVEN_UP_AFTER,
  listSuspects,
  type Settlement,
  settle,
  withdraw,
} from '../core/deliveries/stores/attempts.ts'
import { aboutOf, SUBJECTS, type SubjectRows } from '../core/deliveries/stores/subjects.ts'
import type { Lead } from '../core/leads/contract/leads.ts'
import * as leadChanges from '../core/leads/stores/lead-changes.ts'
import * as leads from '../core/leads/stores/leads.ts'
import { createBatcher, type Db, isDataError, type Transaction } from '../core/platform/db.ts'
import type { Logger } from '../core/platform/log.ts'
import { onBehalfOf } from '../core/platform/log.ts'
import { DeliveryError, HandedBack, reasonOf, settlementOf } from './delivery-error.ts'
import type { Outcome, Task, WorkerServices } from './handlers/handler.ts'
import { HANDLERS } from './handlers/index.ts'
import { measureAttempt } from './metrics.ts'
import { createTurns } from './turns.ts'

/*
 * The life of an attempt: begin, run, settle. Jobs are attempted in batches, so that a backlog costs few round trips to
 * the database, and each attempt of a batch ends by itself.
 */

/** An attempt with its outcome, after `ms` milliseconds. `reason` is for the log, in our own words. */
type Ended = {
  attempt: Attempt
  task: Task
  settlement: Settlement
  ms: number
  commit?: Outcome['commit']
  sent?: Outcome['sent']
  reason?: string
}

/** Attempts that are settled in one transaction, at most. */
const MAX_SETTLED = 100
/** In milliseconds: how long an outcome waits for others, so that they share a transaction. */
const SETTLE_LINGER = 10
/** In milliseconds: how long an outcome waits for an unavailable database before the job is handed back. */
const SETTLE_TIMEOUT = MINUTE

/**
 * Returns the function that settles an attempt. It waits while the database is unavailable, because a job that is handed back
 * would run again and an email cannot be taken back. It returns false when the job was settled or cancelled meanwhile.
 * @throws Error without the database's own message when the database stays away
 */
function createSettle(db: Db, log: Logger): (ended: Ended) => Promise<boolean> {
  /** Settles attempts at leads' jobs. Returns false for those that need a transaction of their own. */
  const settleTogether = createBatcher<Ended, boolean>(
    (ended) =>
      db.transaction(async (trx) => {
        const free = new Set(await leads.lockFree(trx, [...new Set(ended.map(leadIdOf))]))
        const settled = await settle(
          trx,
          ended.filter((each) => free.has(leadIdOf(each))),
        )
        return ended.map(({ attempt }) => settled.has(attempt.job.id))
      }),
    { size: MAX_SETTLED, linger: SETTLE_LINGER, isAboutOne: isDataError },
  )

  /** Settles an attempt under the lock of its subject. Returns false when the job was settled or cancelled meanwhile. */
  const settleAlone = (ended: Ended): Promise<boolean> =>
    db.transaction(async (trx) => {
      const { attempt, task, commit } = ended
      const locked = await lockSubject(trx, task)
      if (!locked || (await settle(trx, [ended])).size === 0) return false
      const { lead } = locked
      if (commit && lead) await onBehalfOf(attempt.job.requestId, () => commit(trx, lead))
      return true
    })

  return async (ended) => {
    const isPlain = leadIdOf(ended) !== 0 && !ended.commit
    for (const deadline = Date.now() + SETTLE_TIMEOUT; ; await sleep(SECOND)) {
      try {
        return (isPlain && (await settleTogether(ended))) || (await settleAlone(ended))
      } catch (error) {
        const isLast = Date.now() >= deadline
        const { job } = ended.attempt
        log.warn({ job: job.name, jobId: job.id, isLast, err: error }, 'outcome not recorded')
        // The queue stores this message, so it must not quote rows.
        if (isLast) throw new Error('The outcome could not be recorded.')
      }
    }
  }
}

/**
 * Returns the function that makes one attempt at each of these jobs and records the outcomes in the ledger. It skips jobs
 * that are settled, cancelled or deleted.
 *
 * The function resolves once the attempts run, with one promise per job, in their order: of the changes that the attempt
 * made. A promise rejects when the job must be handed out again: its outcome could not be recorded, or the worker stops.
 * @throws Error when the attempts cannot begin
 */
export function createAttempts(services: WorkerServices, log: Logger) {
  const { db } = services
  const settlePatiently = createSettle(db, log)

  const finish = async (attempt: Attempt, task: Task, outcome: Promise<Outcome>): Promise<Changes> => {
    const ended = await outcome.then(
      ({ result, commit, sent }) => ({ settlement: { state: 'done', result } as const, commit, sent }),
      async (error: Error) => {
        if (error instanceof HandedBack) {
          if (DELIVERIES.includes(attempt.job.name)) await withdraw(db, attempt).catch(() => {})
          throw error
        }
        const sent = error instanceof DeliveryError ? error.sent : undefined
        return { settlement: settlementOf(attempt.job, error), sent, reason: reasonOf(error) }
      },
    )
    const all: Ended = { attempt, task, ms: performance.now() - attempt.begun, ...ended }
    report(all, await settlePatiently(all), log)
    return changesOf(task)
  }

  /** Begins attempts at these jobs. Returns the promise of each one's changes, by the id of the job. */
  const start = async (jobIds: string[], { alone = false, isGivenUp = false } = {}) => {
    const attempts = await begin(db, jobIds, { alone })
    const tasks = await readTasks(db, attempts)
    const ends = new Map<string, Promise<Changes>>()
    for (const [name, handle] of Object.entries(HANDLERS)) {
      const own = attempts.flatMap((attempt) => {
        const task = attempt.job.name === name && tasks.get(attempt.job.id)
        return task ? [{ attempt, task }] : []
      })
      if (own.length === 0) continue
      const outcomes = isGivenUp
        ? own.map(() => Promise.reject(givenUp()))
        : handle(
            own.map(({ task }) => task),
            { ...services, log },
          )
      own.forEach(({ attempt, task }, position) => {
        const outcome = outcomes[position] ?? Promise.reject(new Error('The attempt has no outcome.'))
        ends.set(attempt.job.id, finish(attempt, task, outcome))
      })
    }
    const deliveries = attempts.filter(({ job }) => DELIVERIES.includes(job.name))
    return { value: ends, ends: deliveries.map(({ job }) => ends.get(job.id) ?? Promise.resolve({})) }
  }

  const turns = createTurns()
  /**
   * Attempts a job whose workers have ended in the middle of it. It runs alone, so that nothing else is sent twice if this
   * worker ends as well. After `GIVEN_UP_AFTER` such attempts it fails.
   */
  const attemptAlone = (id: string): Promise<Changes> =>
    turns.alone(async () => {
      if (services.stopping.aborted) throw new HandedBack('The worker stops.')
      const interrupted = (await listSuspects(db, [id])).get(id) ?? 0
      log.warn({ jobId: id, interrupted }, 'a worker has ended during each attempt at this job, so it runs alone')
      const { value } = await start([id], { alone: true, isGivenUp: interrupted >= GIVEN_UP_AFTER })
      return value.get(id) ?? {}
    })

  return async (jobIds: string[]): Promise<Promise<Changes>[]> => {
    const ends = await turns.together(() => start(jobIds))
    const skipped = jobIds.filter((id) => !ends.has(id))
    const suspects = skipped.length > 0 ? await listSuspects(db, skipped) : new Map()
    return jobIds.map((id) => ends.get(id) ?? (suspects.has(id) ? attemptAlone(id) : Promise.resolve({})))
  }
}

/** Reads what jobs are about, the rows of a kind together. Returns a task for each job whose row is there, by the job's id. */
async function readTasks(db: Db, attempts: Attempt[]): Promise<Map<string, Task>> {
  const jobs = attempts.map(({ job }) => ({ job, ...(job.subject ? aboutOf(job.subject, job.purpose) : NONE) }))
  const rowsOf = async (kind: keyof SubjectRows): Promise<[string, Map<number, Task['row']>]> => {
    const ids = jobs.flatMap(({ of, id }) => (of === kind ? id : []))
    return [kind, ids.length === 0 ? new Map() : await SUBJECTS[kind].findMany(db, ids)]
  }
  const rows = new Map(await Promise.all((Object.keys(SUBJECTS) as (keyof SubjectRows)[]).map(rowsOf)))
  return new Map(
    jobs.flatMap(({ job, of, id }): [string, Task][] => {
      const row = of === 'none' ? null : rows.get(of)?.get(id)
      return row === undefined ? [] : [[job.id, { of, job, id, row } as Task]]
    }),
  )
}

const NONE = { of: 'none', id: 0 } as const

/**
 * Locks the row that a job is about, as it is now. Returns null when it is gone. Returns no lead for other subjects, and for a
 * lead that is deleted.
 */
async function lockSubject(trx: Transaction, { of, job, id }: Task): Promise<{ lead: Lead | null } | null> {
  if (of === 'none') return { lead: null }
  if (of !== 'lead') return (await SUBJECTS[of].lock(trx, id)) ? { lead: null } : null
  const lead = await leads.lock(trx, id)
  if (lead || !(await leadChanges.lock(trx, id))) return lead && { lead }
  // It may have been restored between the two reads.
  const restored = await leads.find(trx, id)
  // A sent email cannot be taken back: its outcome counts, also while the lead is deleted. A match does not.
  return restored || job.name !== 'match-lead' ? { lead: restored } : null
}

/** Returns what an attempt at a task has changed, for open dashboards. */
function changesOf({ of, job, id }: Task): Changes {
  if (of === 'none') return {}
  const { changes, attempted = changes } = SUBJECTS[of]
  const { providerId } = job.payload
  return {
    ...(attempted && { [attempted]: [id] }),
    ...(job.name === 'match-lead' && { leads: [id] }),
    ...(of === 'sync' && providerId !== undefined && { providers: [providerId] }),
  }
}

/** The kinds of jobs that reach the outside. None may run while a job runs that may end the worker. */
const DELIVERIES: string[] = ['send-email', 'sync-crm', 'send-alert', 'match-lead']

const givenUp = () =>
  new DeliveryError('Every worker that tried this has ended in the middle of it.', {
    cause: 'our_side',
    retry: 'never',
  })

const leadIdOf = ({ task: { of, id } }: Ended) => (of === 'lead' || of === 'erased lead' ? id : 0)

function report({ attempt: { job }, task, settlement, ms, reason }: Ended, isRecorded: boolean, log: Logger): void {
  measureAttempt(job, { settlement, ms, isRecorded })
  log.info(
    {
      job: job.name,
      purpose: job.purpose,
      jobId: job.id,
      ...(job.requestId && { requestId: job.requestId }),
      ...(job.subject && { [`${kindOf(job.subject).kind}Id`]: task.id }),
      attempt: job.attempts + 1,
      state: isRecorded ? settlement.state : 'superseded',
      ms: Math.round(ms),
      ...('cause' in settlement && { cause: settlement.cause }),
      ...('result' in settlement && settlement.result?.status !== undefined && { status: settlement.result.status }),
      ...('result' in settlement && settlement.result?.deleted !== undefined && { deleted: settlement.result.deleted }),
      ...(reason && { reason }),
    },
    'job',
  )
}
