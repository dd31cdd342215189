import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Queue } from 'bullmq'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createLog } from '../../core/platform/log.ts'
import { openQueues, startQueueWorker } from '../../core/platform/queue.ts'
import { hasRedis } from '../../local/redis.ts'
import { startWatchdog } from '../../worker/watchdog.ts'
import { testEnv } from '../support/env.ts'
import { addOnceConnected, startOwnRedis } from '../support/redis.ts'
import { waitFor } from '../support/wait.ts'

const LOG = createLog('test', 'silent')
/** In milliseconds. */
const STUCK_TIMEOUT = 200

/** A queue with one worker, watched closely. */
async function watched({ patience = STUCK_TIMEOUT } = {}) {
  const redis = await startOwnRedis()
  const folder = await mkdtemp(join(tmpdir(), 'leadwell-health-'))
  const healthFile = join(folder, 'health')
  const env = testEnv({ REDIS_URL: redis.url })
  const queues = openQueues(env, LOG)
  let done = 0
  const worker = startQueueWorker(env, 'sync-crm', async () => void done++, LOG)
  await worker.waitUntilReady()
  let stuck = 0
  const watchdog = startWatchdog({
    workers: [worker],
    queues,
    log: LOG,
    onStuck: () => stuck++,
    healthFile,
    interval: 20,
    patience,
  })
  onTestFinished(async () => {
    watchdog.stop()
    await Promise.all([worker.close(), queues.close()])
    await redis.close()
    await rm(folder, { recursive: true })
  })
  const [queue] = queues.all.filter(({ name }) => name === 'sync-crm') as [Queue]
  const add = () => addOnceConnected(queues, [{ id: randomUUID(), name: 'sync-crm', attempts: 0 }])
  const health = () => readFile(healthFile, 'utf8').catch(() => '')
  /** Looks on for longer than the watchdog's patience, by the looks that it took. */
  const lookOn = async () => {
    const until = Date.now() + 2 * patience
    await waitFor('the watchdog to look on', async () => stuck > 0 || Date.parse(await health()) > until)
  }
  return { redis, queue, add, worker, done: () => done, isStuck: () => stuck > 0, times: () => stuck, health, lookOn }
}

describe.skipIf(!hasRedis())('the watchdog of a worker', () => {
  it('calls for a new start once the worker leaves jobs waiting, and is then silent', async () => {
    const { add, worker, isStuck, times, health } = await watched()
    await waitFor('the health file', health)
    // As one that never wakes.
    await worker.pause()
    await add()
    await waitFor('the call', isStuck)
    const last = await health()
    await waitFor('some more looks', () => new Promise((resolve) => setTimeout(() => resolve(true), 300)))
    expect(times()).toBe(1)
    expect(await health()).toBe(last)
  })

  it('leaves a worker alone that has nothing to do', async () => {
    const { lookOn, isStuck } = await watched()
    await lookOn()
    expect(isStuck()).toBe(false)
  })

  it('leaves a worker alone whose queue is paused', async () => {
    const { queue, add, lookOn, isStuck } = await watched()
    // Refused until the queue is connected.
    await waitFor('the queue to be paused', () =>
      queue.pause().then(
        () => true,
        () => false,
      ),
    )
    await add()
    await lookOn()
    expect(isStuck()).toBe(false)
  })

  it('leaves a worker alone while Redis is away, and sees it wake by itself', async () => {
    const { redis, add, done, lookOn, isStuck } = await watched({ patience: 600 })
    await redis.stop()
    await lookOn()
    expect(isStuck()).toBe(false)

    await redis.start()
    await add()
    await waitFor('the job to be done', () => done() > 0)
    expect(isStuck()).toBe(false)
  })
})
