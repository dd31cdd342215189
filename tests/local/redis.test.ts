import { join } from 'node:path'
import { Redis } from 'ioredis'
import { beforeAll, describe, expect, test } from 'vitest'
import { commandLine, isGone } from '../../local/process.ts'
import { hasRedis, startRedis } from '../../local/redis.ts'
import { runUntilLine } from './run-and-kill.ts'
import { temporaryFolder } from './temporary-folder.ts'

if (!hasRedis()) console.warn('No redis-server 6.2 or newer on the PATH: only its absence is tested.')

describe.runIf(hasRedis())('our own Redis', () => {
  let dataDir: string
  beforeAll(async () => {
    dataDir = join(await temporaryFolder(), 'redis')
  })

  test('keeps its data over a stop and a start, and never evicts', async () => {
    const first = await start(dataDir)
    await ask(first.url, (redis) => redis.set('lead', 'kept'))
    await first.stop()
    expect(commandLine(first.pid)).toBeNull()

    const second = await start(dataDir)
    expect(await ask(second.url, (redis) => redis.get('lead'))).toBe('kept')
    expect(await ask(second.url, (redis) => redis.config('GET', 'maxmemory-policy'))).toContain('noeviction')
    await second.stop()
  })

  test('ends when its starter is killed, and keeps its data', async () => {
    const killed = await runUntilLine(`
      const { startRedis } = await import(local + 'redis.ts')
      const { url, pid } = await startRedis({ dataDir: ${JSON.stringify(dataDir)} })
      console.log(JSON.stringify({ url, pid }))
      setInterval(() => {}, 1000)`)
    const { url, pid } = JSON.parse(killed.line)
    await ask(url, (redis) => redis.set('job', 'kept too'))
    await killed.kill()
    expect(await isGone(pid, 10_000)).toBe(true)

    const server = await start(dataDir)
    expect(await ask(server.url, (redis) => redis.get('job'))).toBe('kept too')
    await server.stop()
  })
})

test('without redis-server on the PATH there is none', async () => {
  const path = process.env.PATH
  process.env.PATH = '/nowhere'
  try {
    expect(await startRedis({ dataDir: '/nowhere' })).toBeNull()
  } finally {
    process.env.PATH = path
  }
})

async function start(dataDir: string) {
  const redis = await startRedis({ dataDir })
  if (!redis) throw new Error('Redis was there a moment ago')
  return redis
}

async function ask<T>(url: string, question: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url)
  try {
    return await question(redis)
  } finally {
    redis.disconnect()
  }
}
