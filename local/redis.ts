import { spawnSync } from 'node:child_process'
import { closeSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND } from '../core/time.ts'
import { lockFolder } from './folder-lock.ts'
import { lastLines, openLogFile } from './log-files.ts'
import { PlainError } from './plain-error.ts'
import { freePort } from './ports.ts'
import { commandLine, endProcess, signalProcess } from './processes.ts'
import { readIfExists } from './read-file.ts'
import { type Service, startProgram, stopProgram } from './service.ts'

/** BullMQ wants 6.2 or newer. Source: BullMQ documentation, "Redis compatibility". */
const OLDEST = [6, 2] as const

export interface RedisOptions {
  /** Folder of the append-only file; created when missing, and kept. */
  dataDir: string
  /** The port to listen on when it is free; else, and by default, one that the system chooses. */
  port?: number
  /** Only tests turn it off: nothing is written then. */
  persist?: boolean
}

export interface Redis extends Service {
  url: string
  port: number
}

/**
 * Starts a Redis of our own on 127.0.0.1, with an append-only file and without eviction, so that it forgets no job.
 * Ends one that a killed run left behind on the same data.
 * @returns null when there is no `redis-server`, 6.2 or newer, on the PATH.
 * @throws PlainError while another process uses the folder, or with the end of Redis' log when it does not start.
 */
export async function startRedis({ dataDir, port: wanted, persist = true }: RedisOptions): Promise<Redis | null> {
  if (!hasRedis()) return null
  const unlock = await lockFolder(dataDir)
  try {
    await endLeftover(dataDir)
    const port = await freePort(wanted)
    const server = await runServer(dataDir, port, persist)
    const stop = async () => {
      await server.stop()
      await rm(pidFileOf(dataDir), { force: true })
      await unlock()
    }
    return { ...server, stop, port, url: `redis://127.0.0.1:${port}` }
  } catch (error) {
    await unlock()
    throw error
  }
}

/** Whether a usable `redis-server` is on the PATH. */
export function hasRedis(): boolean {
  const version = /v=(\d+)\.(\d+)/.exec(spawnSync('redis-server', ['--version'], { encoding: 'utf8' }).stdout ?? '')
  if (!version) return false
  const [major, minor] = [Number(version[1]), Number(version[2])]
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])
}

function pidFileOf(dataDir: string): string {
  return join(dataDir, 'redis.json')
}

async function endLeftover(dataDir: string): Promise<void> {
  const text = (await readIfExists(pidFileOf(dataDir))) ?? ''
  const [, pid, port] = /"pid":(\d+),"port":(\d+)/.exec(text) ?? []
  const command = pid ? commandLine(Number(pid)) : null
  if (!command?.includes('redis-server') || !command.includes(`:${port}`)) return
  if (!(await endProcess(Number(pid), 'SIGTERM', 'SIGKILL'))) {
    throw new PlainError(`A Redis of an earlier run (process ${pid}) does not stop. End it, and start again.`)
  }
}

async function runServer(dataDir: string, port: number, persist: boolean): Promise<Service> {
  const logFile = join(dataDir, 'redis.log')
  const log = openLogFile(logFile)
  const settings = {
    bind: '127.0.0.1',
    port,
    dir: dataDir,
    appendonly: persist ? 'yes' : 'no',
    save: '',
    'maxmemory-policy': 'noeviction',
  }
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
  const { pid, exited } = await startProgram('redis-server', args, { stdio: ['ignore', log, log] }).finally(() =>
    closeSync(log),
  )
  // At once: two servers on the same append-only file would ruin it, and this process may be killed at any time.
  await writeFile(pidFileOf(dataDir), JSON.stringify({ pid, port }))
  if (!(await answersPing(port, exited))) {
    signalProcess(pid, 'SIGKILL')
    throw new PlainError(`Redis did not start. The end of its log:\n${lastLines(logFile)}`)
  }
  return {
    pid,
    exited,
    stop: () => stopProgram({ pid, exited }, ['SIGTERM', 'SIGKILL'], 10 * SECOND),
  }
}

/** While it loads its file, Redis answers with an error instead. */
async function answersPing(port: number, exited: Promise<string>): Promise<boolean> {
  let ended = false
  exited.then(() => {
    ended = true
  })
  for (const end = Date.now() + 60 * SECOND; Date.now() < end && !ended; await sleep(20)) {
    if (await ping(port)) return !ended
  }
  return false
}

function ping(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, timeout: SECOND })
    const settle = (answered: boolean) => {
      socket.destroy()
      resolve(answered)
    }
    socket.on('connect', () => socket.write('PING\r\n'))
    socket.on('data', (data) => settle(data.toString().startsWith('+PONG')))
    socket.on('timeout', () => settle(false))
    socket.on('error', () => settle(false))
  })
}
