import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Redis, startRedis } from '../../local/redis.ts'

/** A Redis of this test's own, which it may stop, freeze or empty. Ends with the test. */
export async function startOwnRedis(options: { port?: number; dataDir?: string } = {}): Promise<Redis> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'leadwell-redis-')))
  const redis = await startRedis({ dataDir, port: options.port, persist: false })
  if (!redis) throw new Error('This test needs redis-server; guard it with hasRedis().')
  onTestFinished(async () => {
    process.kill(redis.pid, 0) && process.kill(redis.pid, 'SIGCONT')
    await redis.stop()
    if (!options.dataDir) await rm(dataDir, { recursive: true, force: true })
  })
  return redis
}
