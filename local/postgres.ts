import { closeSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { SECOND } from '../core/time.ts'
import { lockFolder } from './folder-lock.ts'
import { lastLines, openLogFile } from './log-files.ts'
import { PlainError } from './plain-error.ts'
import { freePort } from './ports.ts'
import { APP_ROLE, clusterFolder, clusterPassword, createCluster, POSTGRES_ROLE } from './postgres-cluster.ts'
import { findPrograms, type PostgresPrograms } from './postgres-programs.ts'
import { commandLine, endProcess, exists, signalProcess } from './processes.ts'
import { readIfExists } from './read-file.ts'
import { type Service, settles, startProgram, stopProgram } from './service.ts'

export interface PostgresOptions {
  /** Folder of the cluster; created when missing, and kept. */
  dataDir: string
  /** The port to listen on when it is free; else, and by default, one that the system chooses. */
  port?: number
  /** The database of `url`; created when missing. */
  database?: string
  /** Only tests turn it off, for speed. Data that was never forced to the disk is not to be trusted: `stop` deletes it. */
  fsync?: boolean
  /** Its memory for pages of tables and indexes, as PostgreSQL writes sizes; by default PostgreSQL's own 128 MB. */
  sharedBuffers?: string
}

export interface Postgres extends Service {
  /** As the role that owns everything; `asApp` makes it the one of API and worker. */
  url: string
  port: number
  /** Where the data really is: not always the folder that was asked for, see `findPrograms`. */
  dataDir: string
}

/**
 * Starts a PostgreSQL of our own on 127.0.0.1: makes the cluster the first time, and ends a server that a killed run
 * left behind on the same data. Works for root and for everybody else.
 * @throws PlainError while another process uses the folder, or with PostgreSQL's own words when it does not start.
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { dataDir, database = 'leadwell', fsync = true, sharedBuffers } = options
  const programs = await findPrograms(dataDir)
  const unlock = await lockFolder(programs.home)
  try {
    const password = await clusterPassword(programs.home)
    await createCluster(programs, fsync)
    await endLeftover(clusterFolder(programs))

    const port = await freePort(options.port)
    const server = await runServer(programs, port, { fsync, sharedBuffers })
    const url = `postgres://${POSTGRES_ROLE}:${password}@127.0.0.1:${port}/${database}`
    await createMissingDatabase(url, database)
    await createAppRole(url, password)
    return {
      ...server,
      async stop() {
        await server.stop()
        await unlock()
        if (!fsync) await rm(programs.home, { recursive: true, force: true })
      },
      url,
      port,
      dataDir: programs.home,
    }
  } catch (error) {
    await unlock()
    throw error
  }
}

/**
 * Creates a database on the server of `url`, as a copy of `template` when given (nobody may be connected to that one).
 * @returns its address.
 */
export async function createDatabase(url: string, name: string, template?: string): Promise<string> {
  const client = new pg.Client({ connectionString: withDatabase(url, 'postgres') })
  await client.connect()
  try {
    const copy = template ? ` template ${client.escapeIdentifier(template)}` : ''
    await client.query(`create database ${client.escapeIdentifier(name)}${copy}`)
  } finally {
    await client.end()
  }
  return withDatabase(url, name)
}

/** Returns the address of the same database for the role of API and worker. */
export function asApp(url: string): string {
  const address = new URL(url)
  address.username = APP_ROLE
  return address.href
}

/** Drops a database, whoever is connected to it. One that does not exist is no error. */
export async function dropDatabase(url: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: withDatabase(url, 'postgres') })
  await client.connect()
  try {
    await client.query(`drop database if exists ${client.escapeIdentifier(name)} with (force)`)
  } finally {
    await client.end()
  }
}

async function createMissingDatabase(url: string, name: string): Promise<void> {
  await createDatabase(url, name).catch((error: pg.DatabaseError) => {
    const DUPLICATE_DATABASE = '42P04'
    if (error.code !== DUPLICATE_DATABASE) throw error
  })
}

/** Creates the role of API and worker; one that exists is kept, with the password of the cluster. */
async function createAppRole(url: string, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [APP_ROLE])
    if (rowCount === 0) await client.query(`create role ${APP_ROLE} login password ${client.escapeLiteral(password)}`)
  } finally {
    await client.end()
  }
}

function withDatabase(url: string, name: string): string {
  const address = new URL(url)
  address.pathname = `/${encodeURIComponent(name)}`
  return address.href
}

/**
 * A killed launcher leaves its PostgreSQL running; we hold the folder's lock, so nobody else needs it.
 * What is left of a killed PostgreSQL may be a pid file whose pid now belongs to another program, or to a process that
 * has ended but was never waited for (as in a container without an init): both would keep PostgreSQL from starting.
 */
async function endLeftover(cluster: string): Promise<void> {
  const file = join(cluster, 'postmaster.pid')
  const pid = Number((await readIfExists(file))?.split('\n')[0])
  if (!pid || !exists(pid)) return
  const command = commandLine(pid) ?? ''
  if (!command.includes('postgres') || !command.includes(cluster)) {
    // Its last children see within a moment that it is gone; they must not write beside a new server.
    await sleep(SECOND)
    return rm(file, { force: true })
  }
  if (!(await endProcess(pid, 'SIGINT', 'SIGQUIT'))) {
    throw new PlainError(`A PostgreSQL of an earlier run (process ${pid}) does not stop. End it, and start again.`)
  }
}

async function runServer(
  programs: PostgresPrograms,
  port: number,
  { fsync, sharedBuffers }: Pick<PostgresOptions, 'fsync' | 'sharedBuffers'>,
): Promise<Service> {
  const cluster = clusterFolder(programs)
  const logFile = join(programs.home, 'postgres.log')
  // A file, not a pipe: the server must be able to log when this process has been killed.
  const log = openLogFile(logFile)
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(sharedBuffers && { shared_buffers: sharedBuffers }),
    ...(!fsync && { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: 300 }),
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const { pid, exited } = await startProgram(join(programs.bin, 'postgres'), ['-D', cluster, ...args], {
    ...programs.user,
    cwd: programs.home,
    stdio: ['ignore', log, log],
  }).finally(() => closeSync(log))

  if (!(await becomesReady(cluster, pid, exited))) {
    signalProcess(pid, 'SIGQUIT')
    throw new PlainError(`PostgreSQL did not start. The end of its log:\n${lastLines(logFile)}`)
  }
  return {
    pid,
    exited,
    stop: () => stopProgram({ pid, exited }, ['SIGINT', 'SIGQUIT', 'SIGKILL'], 10 * SECOND),
  }
}

/** The eighth line of postmaster.pid says when the server is ready. Source: PostgreSQL, src/include/utils/pidfile.h. */
async function becomesReady(cluster: string, pid: number, exited: Promise<string>): Promise<boolean> {
  // Recovery after a crash may take its time.
  for (const end = Date.now() + 60 * SECOND; Date.now() < end; ) {
    const lines = ((await readIfExists(join(cluster, 'postmaster.pid'))) ?? '').split('\n')
    if (Number(lines[0]) === pid && lines[7]?.trim() === 'ready') return true
    if (await settles(exited, 20)) return false
  }
  return false
}
