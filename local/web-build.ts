import { createHash } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { glob } from 'tinyglobby'
import { SECOND } from '../core/contract/time.ts'
import { PlainError } from './process.ts'

/** Everything that the built web depends on. */
const SOURCES = [
  'web/**',
  'core/**/contract/**',
  'core/brand/**',
  'vite.config.ts',
  'tsconfig.json',
  'package-lock.json',
]
const BUILD = 'web/render/build.ts'
const OUTPUT = 'dist/web'
/** Half a second instead of five; `npm run build` takes the time. */
const BROTLI_QUALITY = '5'
/** Built beside the output and then moved, so that a running site never serves half a build. */
const NEXT = 'dist/web-next'
/** Inside the output, so that deleting or building it by other means removes the mark too. */
const MARK = '.sources'

/**
 * Builds the web into dist/web, unless it was already built from the same sources.
 * @returns the seconds that it took, 0 if it was built already.
 * @throws PlainError with the end of the build's output.
 */
export async function buildWeb(root: string): Promise<number> {
  const startedAt = Date.now()
  const hash = await hashSources(root)
  if ((await readFile(join(root, OUTPUT, MARK), 'utf8').catch(() => '')) === hash) return 0

  const args = ['--import', 'tsx', BUILD, join(root, NEXT), BROTLI_QUALITY]
  const { failed, all } = await execa(process.execPath, args, { cwd: root, stdin: 'ignore', all: true, reject: false })
  if (failed) throw new PlainError(`The web could not be built:\n${all.trim().split('\n').slice(-20).join('\n')}`)
  await writeFile(join(root, NEXT, MARK), hash)
  await rm(join(root, OUTPUT), { recursive: true, force: true })
  await rename(join(root, NEXT), join(root, OUTPUT))
  return (Date.now() - startedAt) / SECOND
}

/** Hashes names and contents; times would change with every checkout. */
async function hashSources(root: string): Promise<string> {
  const hash = createHash('sha256')
  for (const file of (await glob(SOURCES, { cwd: root, dot: true })).sort()) {
    hash.update(`${file}\0`).update(await readFile(join(root, file)))
  }
  return hash.digest('hex')
}
