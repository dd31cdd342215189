import { spawnSync } from 'node:child_process'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND } from '../core/contract/time.ts'
import { lastLines } from './files.ts'
import { freePort } from './ports.ts'
import { endLeftover, lockFolder, notedPid, notePid, PlainError, type Service, startProgram } from './process.ts'

/** BullMQ needs 6.2 or newer. Source: BullMQ documentation, "Redis compatibility". */
const MIN_VERSION = [6, 2] as const
const START_TIMEOUT = 60 * SECOND

export interface RedisOptions {
  /** Folder of the append-only file; created when missing, and kept. */
  dataDir: string
  /** The port to listen on when it is free; any free one otherwise, and by default. */
  port?: number
  /** Only tests turn it off: nothing is written then. */
  persist?: boolean
}

export interface Redis extends Service {
  url: string
  port: number
}

/**
 * Starts a Redis on 127.0.0.1, with an append-only file and without eviction, so that no job is lost. Ends one that a
 * killed run left behind on the same data.
 * @returns null when there is no `redis-server`, 6.2 or newer, on the PATH.
 * @throws PlainError while another process uses the folder, or with the end of Redis' log when it does not start.
 */
export async function startRedis({ dataDir, port: wanted, persist = true }: RedisOptions): Promise<Redis | null> {
  if (!hasRedis()) return null
  const unlock = lockFolder(dataDir)
  try {
    await endLeftover('Redis', notedPid(pidFileOf(dataDir)))
    const port = await freePort(wanted)
    const server = await runServer(dataDir, port, persist)
    const stop = async () => {
      await server.stop()
      unlock()
    }
    return { ...server, stop, port, url: `redis://127.0.0.1:${port}` }
  } catch (error) {
    unlock()
    throw error
  }
}

/** Returns whether a usable `redis-server` is on the PATH. */
export function hasRedis(): boolean {
  const version = /v=(\d+)\.(\d+)/.exec(spawnSync('redis-server', ['--version'], { encoding: 'utf8' }).stdout ?? '')
  if (!version) return false
  const [major, minor] = [Number(version[1]), Number(version[2])]
  return major > MIN_VERSION[0] || (major === MIN_VERSION[0] && minor >= MIN_VERSION[1])
}

function pidFileOf(dataDir: string): string {
  return join(dataDir, 'redis.json')
}

async function runServer(dataDir: string, port: number, persist: boolean): Promise<Service> {
  const logFile = join(dataDir, 'redis.log')
  const settings = {
    bind: '127.0.0.1',
    port,
    dir: dataDir,
    appendonly: persist ? 'yes' : 'no',
    save: '',
    'maxmemory-policy': 'noeviction',
    // The command line stays as it is noted below.
    'set-proc-title': 'no',
  }
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
  const server = await startProgram('redis-server', args, { logFile })
  // At once: two servers on the same append-only file would ruin it, and this process may be killed at any time.
  notePid(pidFileOf(dataDir), server.pid)
  if (await answersPing(port, server.exited)) return server
  server.child.kill('SIGKILL')
  throw new PlainError(`Redis did not start. The end of its log:\n${lastLines(logFile)}`)
}

/** Returns whether Redis answers before it ends. While it loads its file, it answers with an error instead. */
async function answersPing(port: number, exited: Promise<string>): Promise<boolean> {
  let hasEnded = false
  exited.then(() => {
    hasEnded = true
  })
  for (const end = Date.now() + START_TIMEOUT; Date.now() < end && !hasEnded; await sleep(20)) {
    if (await ping(port)) return !hasEnded
  }
  return false
}

function ping(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, timeout: SECOND }, () => socket.write('PING\r\n'))
    const settle = (answered: boolean) => {
      socket.destroy()
      resolve(answered)
    }
    socket.on('data', (data) => settle(data.toString().startsWith('+PONG')))
    socket.on('timeout', () => settle(false))
    socket.on('error', () => settle(false))
  })
}
