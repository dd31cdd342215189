import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis as RedisClient } from 'ioredis'
import type { QueuedJob, Queues } from '../../core/platform/queue.ts'
import { type Redis, startRedis } from '../../local/redis.ts'
import { waitFor } from './wait.ts'

/** A Redis that a test may ill-treat. */
export type OwnRedis = {
  url: string
  /** Ends it. Its data is lost unless it was started with `persist`. */
  stop(): Promise<void>
  /** Starts it again, on the same port. */
  start(): Promise<void>
  /** It keeps its connections and answers nothing (SIGSTOP). */
  freeze(): void
  thaw(): void
  /** Forgets everything (FLUSHALL). */
  empty(): Promise<void>
  size(): Promise<number>
  /** Every key and every value, as text. */
  dump(): Promise<string>
  /** Ends it; it is not started again. */
  close(): Promise<void>
}

/** Starts a Redis of the caller's own, on a free port. Guard the test with `hasRedis()`; call `close` at its end. */
export async function startOwnRedis({ persist = false } = {}): Promise<OwnRedis> {
  const dataDir = await mkdtemp(join(tmpdir(), 'leadwell-redis-'))
  let server = await start(dataDir, persist)
  const { port, url } = server
  let isUp = true
  const stop = async () => {
    if (!isUp) return
    isUp = false
    process.kill(server.pid, 'SIGCONT')
    await server.stop()
  }

  return {
    url,
    stop,
    async start() {
      server = await start(dataDir, persist, port)
      if (server.port !== port) throw new Error(`Another program took port ${port} while Redis was down.`)
      isUp = true
    },
    freeze: () => void process.kill(server.pid, 'SIGSTOP'),
    thaw: () => void process.kill(server.pid, 'SIGCONT'),
    empty: () => withClient(url, async (client) => void (await client.flushall())),
    size: () => withClient(url, (client) => client.dbsize()),
    dump: () => withClient(url, dump),
    async close() {
      await stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Adds jobs as soon as the queues are connected: they connect in the background, and refuse jobs until they are. */
export async function addOnceConnected(queues: Queues, jobs: QueuedJob[]): Promise<void> {
  const add = () =>
    queues.add(jobs).then(
      () => true,
      () => false,
    )
  await waitFor('the queue to take the job', add)
}

async function start(dataDir: string, persist: boolean, port?: number): Promise<Redis> {
  const redis = await startRedis({ dataDir, port, persist })
  if (!redis) throw new Error('This test needs redis-server; guard it with hasRedis().')
  return redis
}

async function withClient<Value>(url: string, use: (client: RedisClient) => Promise<Value>): Promise<Value> {
  const client = new RedisClient(url)
  client.on('error', () => {})
  try {
    return await use(client)
  } finally {
    client.disconnect()
  }
}

/** By the commands of each type: what DUMP returns is compressed. */
async function dump(client: RedisClient): Promise<string> {
  const read: Record<string, (key: string) => Promise<unknown>> = {
    string: (key) => client.get(key),
    hash: (key) => client.hgetall(key),
    list: (key) => client.lrange(key, 0, -1),
    set: (key) => client.smembers(key),
    zset: (key) => client.zrange(key, 0, '-1'),
    stream: (key) => client.xrange(key, '-', '+'),
  }
  const lines: string[] = []
  for (const key of await client.keys('*')) {
    const type = await client.type(key)
    // A key may have gone in the meantime.
    if (type === 'none') continue
    lines.push(`${key} ${JSON.stringify(await read[type]?.(key))}`)
  }
  return lines.join('\n')
}
