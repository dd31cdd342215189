import { writeFile } from 'node:fs/promises'
import { SECOND } from '../core/contract/time.ts'
import { JOBS, type JobName } from '../core/deliveries/jobs.ts'
import type { Logger } from '../core/platform/log.ts'
import type { Queues, QueueWorker } from '../core/platform/queue.ts'

type Options = {
  workers: QueueWorker[]
  /** The queues over connections of their own, because those of a stuck worker may be stuck as well. */
  queues: Pick<Queues, 'all'>
  log: Logger
  /** Called once, when this process is stuck and must be restarted. */
  onStuck: () => void
  /** A file that is written at each check while the process is healthy, for its supervisor. */
  healthFile?: string
  /** Reports to the database that the process is healthy. Called at each check, one call at a time. Never throws. */
  beat?: () => Promise<void>
  /** Milliseconds between two checks. */
  interval?: number
  /** In milliseconds: a worker is stuck if it moves no job for so long while some wait. Default: its jobs' timeout. */
  patience?: number
}

/** An unreachable queue is no fault: workers resume when it is back. One that then leaves jobs waiting is stuck. */
export function startWatchdog(options: Options): { stop(): void } {
  const { workers, queues, log, onStuck, healthFile, beat, interval = 10 * SECOND } = options
  const watches = workers.map((worker) => watch(worker, queues))
  let isStopped = false
  let isBeating = false

  const reportHealthy = async () => {
    isBeating = true
    await beat?.()
    isBeating = false
  }

  const look = async () => {
    const idle = await Promise.all(watches.map((idleFor) => idleFor()))
    if (isStopped) return
    const patienceOf = ({ name }: QueueWorker) => options.patience ?? JOBS[name as JobName].timeout
    const stuck = workers.filter((worker, index) => Number(idle[index]) > patienceOf(worker))
    if (stuck.length > 0) {
      log.error({ queues: stuck.map(({ name }) => name) }, 'worker does not start jobs')
      return onStuck()
    }
    if (healthFile) {
      const now = new Date().toISOString()
      await writeFile(healthFile, now).catch((err) => log.warn({ err }, 'health file not written'))
    }
    // Not awaited: a database that is away says nothing about the workers.
    if (!isBeating) void reportHealthy()
    if (!isStopped) timer = setTimeout(look, interval)
  }
  let timer = setTimeout(look, 0)

  return {
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

/** Returns how long the worker has left jobs waiting, in milliseconds. */
function watch(worker: QueueWorker, queues: Pick<Queues, 'all'>): () => Promise<number> {
  let lastWell = performance.now()
  const well = () => {
    lastWell = performance.now()
  }
  for (const event of ['active', 'completed', 'failed'] as const) worker.on(event, well)

  return async () => {
    if (!(await hasWaiting(queues, worker.name))) well()
    return performance.now() - lastWell
  }
}

/** Returns whether jobs wait for a worker. Returns false when the queue does not answer. */
async function hasWaiting({ all }: Pick<Queues, 'all'>, name: string): Promise<boolean> {
  const queue = all.find((each) => each.name === name)
  try {
    if (!queue || (await queue.getWaitingCount()) === 0) return false
    return !(await queue.isPaused()) && (await queue.getRateLimitTtl()) <= 0
  } catch {
    return false
  }
}
