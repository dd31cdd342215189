import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createLog } from '../../../core/platform/log.ts'
import { openQueues, startQueueWorker } from '../../../core/platform/queue.ts'
import { hasRedis } from '../../../local/redis.ts'
import { useDatabase } from '../../support/database.ts'
import { testEnv } from '../../support/env.ts'
import { startPostgresGateway } from '../../support/postgres-gateway.ts'
import { addOnceConnected, startOwnRedis } from '../../support/redis.ts'
import { waitFor } from '../../support/wait.ts'

/** In milliseconds; ten seconds outside of tests. */
const LOCK = 600
const LOG = createLog('test', 'silent')

describe.skipIf(!hasRedis())('a worker of the queue', () => {
  it('makes one attempt, not two, at a job whose lock Redis has lost while it was frozen', async () => {
    const redis = await startOwnRedis()
    const env = testEnv({ REDIS_URL: redis.url })
    const queues = openQueues(env, LOG)
    let begun = 0
    let finish = () => {}
    const finished = new Promise<void>((resolve) => {
      finish = resolve
    })
    const perform = () => {
      begun += 1
      return finished
    }
    const worker = startQueueWorker(env, 'send-email', perform, LOG, { lockDuration: LOCK })
    let takenUp = 0
    let completed = 0
    worker.on('active', () => takenUp++)
    worker.on('completed', () => completed++)
    onTestFinished(async () => {
      finish()
      await Promise.all([worker.close(), queues.close()])
      await redis.close()
    })
    await worker.waitUntilReady()
    const job = { id: randomUUID(), name: 'send-email', attempts: 0 } as const
    await addOnceConnected(queues, [job])
    await waitFor('the attempt to begin', () => begun === 1)

    redis.freeze()
    await sleep(1.2 * LOCK)
    redis.thaw()
    await waitFor('the queue to hand out the job again', () => takenUp === 2)
    expect(begun).toBe(1)

    finish()
    await waitFor('the job to be done', () => completed === 1)
    expect(begun).toBe(1)
    await queues.add([{ ...job, attempts: 1 }])
    await waitFor('a later attempt to begin', () => begun === 2)
  })
})

describe('a queue on PostgreSQL', () => {
  const database = useDatabase()

  // An error of a connection that nobody listens for ends the process, here the run of these tests.
  it('outlives the loss of its connections at every moment while it opens', async () => {
    const gateway = await startPostgresGateway(database.url)
    onTestFinished(() => gateway.close())
    for (let ms = 5; ms < 150; ms += 5) {
      const queues = openQueues(testEnv({ DATABASE_URL: gateway.url }), LOG)
      const opened = queues.all.map((queue) => queue.waitUntilReady().catch(() => {}))
      await sleep(ms)
      gateway.block()
      await Promise.all(opened)
      gateway.unblock()
      await queues.close()
    }
  })
})
