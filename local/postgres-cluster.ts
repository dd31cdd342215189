import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PlainError } from './plain-error.ts'
import type { PostgresPrograms } from './postgres-programs.ts'
import { readIfExists } from './read-file.ts'

/** The role that owns everything in our PostgreSQL. */
export const POSTGRES_ROLE = 'leadwell'
/** The role of API and worker. */
export const APP_ROLE = 'leadwell_app'

/** Where the cluster of a home is. */
export function clusterFolder({ home }: PostgresPrograms): string {
  return join(home, 'cluster')
}

/** The password is made once and kept beside the cluster, where only this user may read it. */
export async function clusterPassword(home: string): Promise<string> {
  const file = join(home, 'password')
  const known = await readIfExists(file)
  if (known) return known
  const password = randomBytes(24).toString('base64url')
  await writeFile(file, password, { mode: 0o600 })
  return password
}

/**
 * Makes the cluster when there is none, under another name until it is whole, so that a crash leaves no half of one.
 * @throws PlainError with PostgreSQL's own words, or when the cluster is of another version.
 */
export async function createCluster(programs: PostgresPrograms, fsync: boolean): Promise<void> {
  const { bin, home, user } = programs
  const cluster = clusterFolder(programs)
  const version = await readIfExists(join(cluster, 'PG_VERSION'))
  if (version) return checkVersion(bin, version.trim(), home)

  const half = join(home, 'cluster.half')
  const passwordFile = join(home, 'password.initdb')
  await rm(half, { recursive: true, force: true })
  await mkdir(half, { mode: 0o700 })
  await writeFile(passwordFile, await clusterPassword(home), { mode: 0o600 })
  if (user) for (const path of [half, passwordFile]) await chown(path, user.uid, user.gid)

  // PostgreSQL's own locale needs none of the system's, so that text sorts the same on every machine.
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
  const login = [`--username=${POSTGRES_ROLE}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256']
  const made = spawnSync(
    join(bin, 'initdb'),
    [`--pgdata=${half}`, ...login, ...locale, ...(fsync ? [] : ['--no-sync'])],
    { ...user, cwd: home, encoding: 'utf8' },
  )
  await rm(passwordFile, { force: true })
  if (made.status !== 0) {
    throw new PlainError(`PostgreSQL could not make its data in ${home}: ${made.error?.message ?? made.stderr.trim()}`)
  }
  await rename(half, cluster)
}

function checkVersion(bin: string, version: string, home: string): void {
  const program = spawnSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8' }).stdout
  if (program.includes(` ${version}.`) || program.trimEnd().endsWith(` ${version}`)) return
  throw new PlainError(
    `The data in ${home} is from PostgreSQL ${version}, and this is ${program.trim()}. Move the folder away to start anew.`,
  )
}
