import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { SECOND } from '../core/contract/time.ts'
import { PlainError } from './process.ts'
import { readMark } from './sources.mjs'

/** Half a second of compression instead of five; `npm run build` takes the time. */
const BROTLI_QUALITY = '5'
/** Built beside the output and then moved, so that a running site never serves half a build. */
const NEXT_WEB = 'dist/web-next'

/**
 * Builds the web app, the API, the worker and the commands into `dist`, each unless it was already built from the same sources.
 * @returns the seconds that it took, 0 if nothing was built.
 * @throws PlainError with the end of the build's output.
 */
export async function buildProduct(root: string): Promise<number> {
  const startedAt = Date.now()
  const built = await Promise.all([
    buildUnlessBuilt(root, 'programs', () => run(root, 'ops/bundle.ts', 'dist', '--local')),
    buildUnlessBuilt(root, 'web', async () => {
      await run(root, 'web/render/build.ts', NEXT_WEB, BROTLI_QUALITY)
      await rm(join(root, 'dist/web'), { recursive: true, force: true })
      await rename(join(root, NEXT_WEB), join(root, 'dist/web'))
    }),
  ])
  return built.includes(true) ? (Date.now() - startedAt) / SECOND : 0
}

/** Returns whether it was built. */
async function buildUnlessBuilt(root: string, part: 'web' | 'programs', build: () => Promise<void>): Promise<boolean> {
  const { file, mark, isBuilt } = readMark(root, part)
  if (isBuilt) return false
  await rm(file, { force: true })
  await build()
  await writeFile(file, mark)
  return true
}

async function run(root: string, script: string, folder: string, option: string): Promise<void> {
  const args = ['--import', 'tsx', script, join(root, folder), option]
  const { failed, all } = await execa(process.execPath, args, { cwd: root, stdin: 'ignore', all: true, reject: false })
  if (failed) throw new PlainError(`The product could not be built:\n${all.trim().split('\n').slice(-20).join('\n')}`)
}
