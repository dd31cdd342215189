import { createHash } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { glob } from 'tinyglobby'
import { SECOND } from '../core/contract/time.ts'
import { PlainError } from './process.ts'

const ALWAYS = ['tsconfig.json', 'package-lock.json']
const WEB = {
  /** Everything that it is built from. */
  sources: ['web/**', 'core/**/contract/**', 'core/brand/**', 'vite.config.ts', ...ALWAYS],
  /** A sign of what the output was built from. Inside the output, so that it goes with it. */
  mark: 'dist/web/.sources',
  script: 'web/render/build.ts',
  /** Built beside the output and then moved, so that a running site never serves half a build. */
  folder: 'dist/web-next',
  /** Half a second of compression instead of five; `npm run build` takes the time. */
  option: '5',
}
const PROGRAMS = {
  sources: ['core/**', 'api/**', 'worker/**', 'migrations/**', 'ops/bundle.ts', 'NOTICE', ...ALWAYS],
  mark: 'dist/api/.sources',
  script: 'ops/bundle.ts',
  folder: 'dist',
  option: '',
}

/**
 * Builds the web app, the API, the worker and the commands into `dist`, each unless it was already built from the same sources.
 * @returns the seconds that it took, 0 if nothing was built.
 * @throws PlainError with the end of the build's output.
 */
export async function buildProduct(root: string): Promise<number> {
  const startedAt = Date.now()
  const programs = buildUnlessBuilt(root, PROGRAMS, async () => {})
  const web = buildUnlessBuilt(root, WEB, async () => {
    await rm(join(root, 'dist/web'), { recursive: true, force: true })
    await rename(join(root, WEB.folder), join(root, 'dist/web'))
  })
  const built = await Promise.all([programs, web])
  return built.includes(true) ? (Date.now() - startedAt) / SECOND : 0
}

/** Returns whether it was built. */
async function buildUnlessBuilt(root: string, part: typeof WEB, finish: () => Promise<void>): Promise<boolean> {
  const { sources, mark, script, folder, option } = part
  const hash = await hashSources(root, sources)
  if ((await readFile(join(root, mark), 'utf8').catch(() => '')) === hash) return false

  await rm(join(root, mark), { force: true })
  const args = ['--import', 'tsx', script, join(root, folder), option]
  const { failed, all } = await execa(process.execPath, args, { cwd: root, stdin: 'ignore', all: true, reject: false })
  if (failed) throw new PlainError(`The product could not be built:\n${all.trim().split('\n').slice(-20).join('\n')}`)
  await finish()
  await writeFile(join(root, mark), hash)
  return true
}

/** Hashes names and contents; times would change with every checkout. */
async function hashSources(root: string, sources: string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const file of (await glob(sources, { cwd: root, dot: true })).sort()) {
    hash.update(`${file}\0`).update(await readFile(join(root, file)))
  }
  return hash.digest('hex')
}
