import { createPostgresBackend, type Processor, Queue, UnrecoverableError, Worker } from 'bullmq'
import pg from 'pg'
import { z } from 'zod'
import { MINUTE, SECOND } from '../contract/time.ts'
import { JobName } from '../deliveries/contract/jobs.ts'
import { JOBS } from '../deliveries/jobs.ts'
import type { Env } from '../env.ts'
import type { Logger } from './log.ts'

/** The payload of a job: the id of its row, and nothing about a person. */
const Payload = z.object({ jobId: z.uuid() })

/** A row of `jobs` to execute. `attempts` counts the settled attempts. */
export type QueuedJob = { id: string; name: JobName; attempts: number }

export type Queues = {
  /**
   * Adds jobs for the workers.
   * @throws Error within seconds when the queue cannot be reached
   */
  add(jobs: QueuedJob[]): Promise<void>
  /** BullMQ's own objects, for the card of Health and the metrics. */
  all: Queue[]
  close(): Promise<void>
}

/** Executes the jobs of one queue. */
export type QueueWorker = Worker

/** The timeout of a query of a queue on PostgreSQL, in milliseconds. */
const QUERY_TIMEOUT = 15 * SECOND

type QueueSettings = Pick<Env, 'REDIS_URL' | 'DATABASE_URL'>

/**
 * The jobs table schedules retries of failed deliveries. These retries are for our own faults only (the database
 * unavailable while an outcome is recorded). The sweep adds longer-lasting ones again.
 */
const JOB_OPTIONS = {
  attempts: 8,
  backoff: { type: 'exponential', delay: SECOND, jitter: 0.5 },
  removeOnComplete: true,
  // The jobs table is the ledger. A job that the queue still remembers could not be added again.
  removeOnFail: true,
} as const

/**
 * Opens the sending end of every queue. Connects in the background, and never delays or fails the start.
 */
export function openQueues(settings: QueueSettings, log: Logger): Queues {
  const open = (name: JobName) => openQueue(settings, name, log)
  const queues = new Map(JobName.options.map((name) => [name, open(name)]))

  const addTo = async (name: JobName, jobs: QueuedJob[]) => {
    const queue = queues.get(name)
    if (!queue || jobs.length === 0) return
    try {
      await queue.addBulk(jobs.map(asBulkJob))
    } catch (error) {
      if (!settings.REDIS_URL && (await hasFailedToOpen(queue))) {
        queues.set(name, open(name))
        queue.close().catch(() => {})
      }
      throw error
    }
  }

  return {
    get all() {
      return [...queues.values()]
    },
    async add(jobs) {
      const ofKind = (name: JobName) => jobs.filter((job) => job.name === name)
      await Promise.all(JobName.options.map((name) => addTo(name, ofKind(name))))
    },
    async close() {
      await Promise.allSettled([...queues.values()].map((queue) => queue.close()))
    },
  }
}

function openQueue(settings: QueueSettings, name: JobName, log: Logger): Queue {
  const queue = settings.REDIS_URL
    ? new Queue(name, {
        connection: { url: settings.REDIS_URL, enableOfflineQueue: false, commandTimeout: SECOND, retryStrategy },
        skipWaitingForReady: true,
        skipVersionCheck: true,
      })
    : // The types of BullMQ keep queues on different backends apart; their use is the same.
      (new Queue(name, { connection: postgres(settings, 2) }, createPostgresBackend) as unknown as Queue)
  reportOutages(queue, `queue ${name}`, log)
  return queue
}

/**
 * Returns whether a queue failed to open. On PostgreSQL a queue whose first connection failed repeats that failure forever
 * (BullMQ 6.7) and must be replaced.
 */
function hasFailedToOpen(queue: Queue): Promise<boolean> {
  return queue.waitUntilReady().then(
    () => false,
    () => true,
  )
}

/**
 * Starts a worker of one queue, which calls `perform` with the id of a row of `jobs`, and again when it throws. Other
 * workers take over a killed worker's jobs within 15 s, and no number of kills makes a job fail.
 * @param options.lockDuration the lifetime of a job's lock, in milliseconds; workers renew it after half of that
 */
export function startQueueWorker(
  settings: QueueSettings,
  name: JobName,
  perform: (jobId: string) => Promise<void>,
  log: Logger,
  { lockDuration = 10 * SECOND } = {},
): Worker {
  const onceAtATime = joinRunning()
  const process: Processor = async (job) => {
    const payload = Payload.safeParse(job.data)
    if (!payload.success) throw new UnrecoverableError('The job carries no id of ours')
    const { jobId } = payload.data
    await onceAtATime(jobId, () => perform(jobId))
  }
  const options = {
    concurrency: JOBS[name].concurrency,
    lockDuration,
    stalledInterval: lockDuration / 2,
    maxStalledCount: 1_000_000,
  }
  const worker = settings.REDIS_URL
    ? new Worker(name, process, {
        ...options,
        connection: { url: settings.REDIS_URL, maxRetriesPerRequest: null, retryStrategy },
      })
    : (new Worker(
        name,
        process,
        { ...options, connection: postgres(settings, 4) },
        createPostgresBackend,
      ) as unknown as Worker)
  reportOutages(worker, `worker ${name}`, log)
  return worker
}

/**
 * Runs one attempt at a job at a time. A second call for the same job waits for the running attempt and shares its
 * result. A queue that was frozen for longer than a lock hands out jobs that this process still runs.
 */
function joinRunning() {
  const running = new Map<string, Promise<void>>()
  return (jobId: string, work: () => Promise<void>): Promise<void> => {
    const earlier = running.get(jobId)
    if (earlier) return earlier
    const begun = work().finally(() => running.delete(jobId))
    running.set(jobId, begun)
    return begun
  }
}

/**
 * Makes the BullMQ job of a row. The same row and attempt always get the same id, so a job that the queue still has is
 * not added twice.
 */
function asBulkJob({ id, name, attempts }: QueuedJob) {
  return { name, data: { jobId: id }, opts: { ...JOB_OPTIONS, jobId: `${id}-${attempts}` } }
}

/** Returns the delay of the next reconnect in milliseconds: short at first, two seconds at most. */
function retryStrategy(times: number): number {
  return Math.min(2 * SECOND, 100 * times)
}

/** Returns connection settings with timeouts, as in core/platform/db.ts, because a dead host sends no answer. */
function postgres({ DATABASE_URL }: QueueSettings, max: number) {
  const limits = { connectionTimeoutMillis: 10 * SECOND, query_timeout: QUERY_TIMEOUT, keepAlive: true }
  return { connectionString: DATABASE_URL, schema: 'bullmq', migrate: true, max, Client: LosableClient, ...limits }
}

/**
 * A connection that may be lost while nothing is asked of it. The pool listens for errors of idle connections only, and
 * BullMQ keeps one without a query in between while it opens: its error would end the process.
 */
class LosableClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config)
    // The next query on it fails, and the pool drops it.
    this.on('error', () => {})
  }
}

/** Logs the first error of an outage, and then at most one per minute: clients repeat them with every reconnect. */
function reportOutages(source: NodeJS.EventEmitter, what: string, log: Logger): void {
  let lastReport = 0
  source.on('error', (error: NodeJS.ErrnoException) => {
    if (Date.now() - lastReport < MINUTE) return
    lastReport = Date.now()
    log.warn({ what, reason: error.message || error.code }, 'queue unreachable')
  })
}
