import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { SECOND } from '../core/contract/time.ts'
import { lastLines, readIfExists } from './files.ts'
import { freePort } from './ports.ts'
import { findPrograms, type PostgresPrograms } from './postgres-programs.ts'
import {
  commandLine,
  endLeftover,
  lockFolder,
  PlainError,
  removeAtEnd,
  type Service,
  signalProcess,
  startProgram,
} from './process.ts'

/** The role that owns everything in this PostgreSQL. */
const OWNER_ROLE = 'leadwell'
/** The role of API and worker. */
export const APP_ROLE = 'leadwell_app'

/** Recovery after a crash may take a while. */
const START_TIMEOUT = 60 * SECOND
const DUPLICATE_DATABASE = '42P04'

export interface PostgresOptions {
  /** Folder of the cluster; created when missing, and kept. */
  dataDir: string
  /** The port to listen on when it is free; any free one otherwise, and by default. */
  port?: number
  /** The database of `url`; created when missing. */
  database?: string
  /** Only tests turn it off, for speed. Data that was never forced to the disk cannot be trusted, so `stop` deletes it. */
  fsync?: boolean
  /** Its memory for pages of tables and indexes, as PostgreSQL writes sizes; by default PostgreSQL's own 128 MB. */
  sharedBuffers?: string
}

export interface Postgres extends Service {
  /** As the role that owns everything; `asApp` makes it the one of API and worker. */
  url: string
  port: number
  /** The folder of the data, which may differ from the requested one, see `findPrograms`. */
  dataDir: string
}

/**
 * Starts a PostgreSQL on 127.0.0.1: makes the cluster the first time, and ends a server that a killed run left behind on
 * the same data. Works for root and for every other user.
 * @throws PlainError while another process uses the folder, or with PostgreSQL's own words when it does not start.
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { dataDir, database = 'leadwell', fsync = true } = options
  const programs = await findPrograms(dataDir)
  const { home } = programs
  const unlock = lockFolder(home)
  try {
    if (!fsync) removeAtEnd(home)
    const password = await clusterPassword(home)
    await createCluster(programs, password, fsync)
    await endLeftoverServer(clusterFolder(home))

    const port = await freePort(options.port)
    const server = await runServer(programs, port, options)
    const url = `postgres://${OWNER_ROLE}:${password}@127.0.0.1:${port}/${database}`
    await createDatabase(url, database).catch((error: pg.DatabaseError) => {
      if (error.code !== DUPLICATE_DATABASE) throw error
    })
    await createAppRole(url, password)
    const stop = async () => {
      await server.stop()
      unlock()
      if (!fsync) await rm(home, { recursive: true, force: true })
    }
    return { ...server, stop, url, port, dataDir: home }
  } catch (error) {
    unlock()
    throw error
  }
}

/**
 * Creates a database on the server of `url`, as a copy of `template` when given; the template must have no connections.
 * @returns its address.
 */
export async function createDatabase(url: string, name: string, template?: string): Promise<string> {
  await withClient(withDatabase(url, 'postgres'), (client) => {
    const copy = template ? ` template ${client.escapeIdentifier(template)}` : ''
    return client.query(`create database ${client.escapeIdentifier(name)}${copy}`)
  })
  return withDatabase(url, name)
}

/** Drops a database, with its connections. A database that does not exist is no error. */
export async function dropDatabase(url: string, name: string): Promise<void> {
  await withClient(withDatabase(url, 'postgres'), (client) =>
    client.query(`drop database if exists ${client.escapeIdentifier(name)} with (force)`),
  )
}

/** Returns the address of the same database for the role of API and worker. */
export function asApp(url: string): string {
  const address = new URL(url)
  address.username = APP_ROLE
  return address.href
}

/** Creates the role of API and worker; one that exists is kept, with the password of the cluster. */
async function createAppRole(url: string, password: string): Promise<void> {
  await withClient(url, async (client) => {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [APP_ROLE])
    if (rowCount === 0) await client.query(`create role ${APP_ROLE} login password ${client.escapeLiteral(password)}`)
  })
}

async function withClient(url: string, use: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await use(client)
  } finally {
    await client.end()
  }
}

function withDatabase(url: string, name: string): string {
  const address = new URL(url)
  address.pathname = `/${encodeURIComponent(name)}`
  return address.href
}

function clusterFolder(home: string): string {
  return join(home, 'cluster')
}

/** Returns the password, which is made once and kept next to the cluster, where only this user may read it. */
async function clusterPassword(home: string): Promise<string> {
  const file = join(home, 'password')
  const known = readIfExists(file)
  if (known) return known
  const password = randomBytes(24).toString('base64url')
  await writeFile(file, password, { mode: 0o600 })
  return password
}

/**
 * Makes the cluster when there is none, under another name until it is complete, so that a crash leaves no half of one.
 * @throws PlainError with PostgreSQL's own words, or when the cluster is of another version.
 */
async function createCluster({ bin, home, user }: PostgresPrograms, password: string, fsync: boolean): Promise<void> {
  const cluster = clusterFolder(home)
  const version = readIfExists(join(cluster, 'PG_VERSION'))
  if (version) return checkVersion(bin, version.trim(), home)

  const half = join(home, 'cluster.half')
  const passwordFile = join(home, 'password.initdb')
  await rm(half, { recursive: true, force: true })
  await mkdir(half, { mode: 0o700 })
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (user) for (const path of [half, passwordFile]) await chown(path, user.uid, user.gid)

  // PostgreSQL's own locale needs none of the system's, so that text sorts the same on every machine.
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
  const login = [`--username=${OWNER_ROLE}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256']
  const args = [`--pgdata=${half}`, ...login, ...locale, ...(fsync ? [] : ['--no-sync'])]
  const made = spawnSync(join(bin, 'initdb'), args, { ...user, cwd: home, encoding: 'utf8' })
  await rm(passwordFile, { force: true })
  if (made.status !== 0) {
    throw new PlainError(`PostgreSQL could not make its data in ${home}: ${made.error?.message ?? made.stderr.trim()}`)
  }
  await rename(half, cluster)
}

function checkVersion(bin: string, version: string, home: string): void {
  const program = spawnSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8' }).stdout.trim()
  if (program.includes(` ${version}.`) || program.endsWith(` ${version}`)) return
  throw new PlainError(
    `The data in ${home} is from PostgreSQL ${version}, and this is ${program}. Move the folder away to start with an empty database.`,
  )
}

/**
 * Ends the server that a killed run has left on the cluster. A killed server may leave a pid file whose pid now belongs
 * to another program, or to a process that was never waited for (as in a container without an init); both would keep
 * PostgreSQL from starting, so the file is removed. Requires the folder's lock.
 */
async function endLeftoverServer(cluster: string): Promise<void> {
  const file = join(cluster, 'postmaster.pid')
  const pid = Number(readIfExists(file)?.split('\n')[0])
  if (!pid || !signalProcess(pid, 0)) return
  const command = commandLine(pid) ?? ''
  if (command.includes('postgres') && command.includes(cluster)) {
    return endLeftover('PostgreSQL', pid, ['SIGINT', 'SIGQUIT'])
  }
  // Its last children notice within a moment that it is gone; they must not write together with a new server.
  await sleep(SECOND)
  await rm(file, { force: true })
}

async function runServer(
  { bin, home, user }: PostgresPrograms,
  port: number,
  { fsync = true, sharedBuffers }: PostgresOptions,
): Promise<Service> {
  const cluster = clusterFolder(home)
  const logFile = join(home, 'postgres.log')
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
  const server = await startProgram(join(bin, 'postgres'), ['-D', cluster, ...args], {
    ...user,
    cwd: home,
    logFile,
    // "Fast shutdown": ends the sessions and writes everything to the disk.
    killSignal: 'SIGINT',
  })

  if (await becomesReady(cluster, server)) return server
  signalProcess(server.pid, 'SIGQUIT')
  throw new PlainError(`PostgreSQL did not start. The end of its log:\n${lastLines(logFile)}`)
}

/** The eighth line of postmaster.pid says when the server is ready. Source: PostgreSQL, src/include/utils/pidfile.h. */
async function becomesReady(cluster: string, { pid, exited }: Service): Promise<boolean> {
  const hasEnded = exited.then(() => true)
  for (const end = Date.now() + START_TIMEOUT; Date.now() < end; ) {
    const lines = (readIfExists(join(cluster, 'postmaster.pid')) ?? '').split('\n')
    if (Number(lines[0]) === pid && lines[7]?.trim() === 'ready') return true
    if (await Promise.race([hasEnded, sleep(20, false)])) return false
  }
  return false
}
