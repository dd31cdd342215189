import { randomUUID } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createLog } from '../../core/platform/log.ts'
import { openQueues } from '../../core/platform/queue.ts'
import { SECOND } from '../../core/time.ts'
import { createTestDatabase } from '../support/database.ts'
import { testEnv } from '../support/env.ts'
import { startPostgresGateway } from '../support/postgres-gateway.ts'
import { waitFor } from '../support/wait.ts'

describe('a queue on a PostgreSQL that goes silent', () => {
  it('says so, instead of waiting for TCP, and takes jobs again on a new connection', async () => {
    const database = await createTestDatabase()
    const gateway = await startPostgresGateway(database.url)
    const queues = openQueues(testEnv({ DATABASE_URL: gateway.url }), createLog('test', 'silent'), {
      // Longer than opening the queue takes on a busy machine.
      queryTimeout: 3 * SECOND,
    })
    onTestFinished(async () => {
      await queues.close()
      gateway.close()
      await database.drop()
    })
    const newJob = () => ({ id: randomUUID(), name: 'send-email', attempts: 0 }) as const
    await queues.add([newJob()])

    gateway.silence()
    await expect(queues.add([newJob()])).rejects.toThrow()
    // The pool may have more than one connection that is silent now.
    await waitFor('a new connection', () =>
      queues.add([newJob()]).then(
        () => true,
        () => false,
      ),
    )
  })
})
