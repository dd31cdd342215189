import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Logger } from '../../../core/platform/log.ts'
import { readQueueState, type Status, watchStatus } from '../../../core/platform/process.ts'
import { freePort } from '../../../local/ports.ts'
import { hasRedis } from '../../../local/redis.ts'
import { rawEnv } from '../../support/env.ts'
import { launchProcess } from '../../support/processes.ts'
import { startOwnRedis } from '../../support/redis.ts'
import { waitFor } from '../../support/wait.ts'

async function redisWith(...commands: [string, ...(string | number)[]][]) {
  const own = await startOwnRedis()
  const client = new Redis(own.url)
  for (const [command, ...args] of commands) await client.call(command, ...args)
  onTestFinished(async () => {
    client.disconnect()
    await own.close()
  })
  return { own, client }
}

/** A Redis Cluster of one node, until the test ends. Returns its address. */
async function startCluster(): Promise<string> {
  const port = await freePort()
  const busPort = await freePort()
  const options = [
    '--port',
    String(port),
    '--cluster-port',
    String(busPort),
    '--cluster-enabled',
    'yes',
    '--cluster-config-file',
    `nodes-${port}.conf`,
  ]
  const server = spawn('redis-server', [...options, '--save', '', '--dir', '/tmp', '--protected-mode', 'no'])
  onTestFinished(() => void server.kill('SIGKILL'))
  const url = `redis://127.0.0.1:${port}`
  await waitFor('the cluster to answer', async () => (await readQueueState({ REDIS_URL: url })).trouble !== 'away')
  return url
}

describe.skipIf(!hasRedis())('a Redis', () => {
  it('is well as a primary with room', async () => {
    const { own } = await redisWith()
    expect(await readQueueState({ REDIS_URL: own.url })).toEqual({ trouble: null })
  })

  it.each([
    ['replica', [['replicaof', '127.0.0.1', 1]], /read-only replica/],
    [
      'full',
      [
        ['set', 'x', 'y'.repeat(2_000_000)],
        ['config', 'set', 'maxmemory', 1_000_000],
      ],
      /is full/,
    ],
    ['refuses', [['config', 'set', 'min-replicas-to-write', 1]], /takes no writes/],
  ] as const)('is not well as a %s', async (trouble, commands, words) => {
    const { own } = await redisWith(...(commands as unknown as [string, ...string[]][]))
    expect(await readQueueState({ REDIS_URL: own.url })).toEqual({
      trouble,
      sentence: expect.stringMatching(words),
      reason: expect.stringMatching(/\w/),
    })
  })

  it('is not well while it is away or silent, and the reason says which', async () => {
    const { own } = await redisWith()
    own.freeze()
    expect(await readQueueState({ REDIS_URL: own.url })).toMatchObject({ trouble: 'away' })
    own.thaw()
    expect(await readQueueState({ REDIS_URL: 'redis://127.0.0.1:1' })).toMatchObject({
      trouble: 'away',
      reason: expect.stringContaining('ECONNREFUSED'),
    })
  })

  it('is refused at the start as a cluster, by API and worker, with a sentence', async () => {
    const REDIS_URL = await startCluster()
    expect(await readQueueState({ REDIS_URL })).toMatchObject({ trouble: 'cluster' })
    const processes = (['api', 'worker'] as const).map((main) => launchProcess(main, rawEnv({ REDIS_URL })))
    for (const started of processes) {
      expect(await started.ended).toEqual({ code: 78, signal: null })
      expect(started.output()).toMatch(/^REDIS_URL is a Redis Cluster, .*\n$/)
    }
  })
})

it('is said in the log at once, again and again, and once when it is over', async () => {
  const log = { error: vi.fn(), info: vi.fn() }
  const replica = { trouble: 'replica', sentence: 'Redis is a replica.', reason: 'role:slave' } as const
  let queue: Status['queue'] = replica
  const status = async (): Promise<Status> => ({ database: { trouble: null }, queue })
  const stop = watchStatus(status, log as unknown as Logger, { interval: 20, repeat: 100 })
  onTestFinished(stop)

  await vi.waitFor(() => expect(log.error.mock.calls.length).toBeGreaterThan(2))
  expect(log.error.mock.calls[0]).toEqual([
    { dependency: 'queue', trouble: 'replica', reason: 'role:slave' },
    'Redis is a replica.',
  ])
  queue = { trouble: null }
  await vi.waitFor(() => expect(log.info.mock.calls).toEqual([[{ dependency: 'queue' }, 'the queue works again']]))
  const { length } = log.error.mock.calls
  await sleep(200)
  expect(log.error.mock.calls).toHaveLength(length)
})
