import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PlainError } from './plain-error.ts'

/** Everything that the built web depends on. */
const SOURCES = ['web', 'core/contract', 'core/brand', 'vite.config.ts', 'tsconfig.json', 'package-lock.json']
const BUILD = 'web/render/build.ts'
const OUTPUT = 'dist/web'
/** Built beside and then moved into place: a site that is running never serves half a build. */
const NEXT = 'dist/web-next'
/** In the output, so that whoever builds or cleans it otherwise takes the mark away. */
const MARK = '.sources'

/**
 * Builds the web into dist/web, unless what is there was built from these very sources.
 * @returns whether it had to build.
 * @throws PlainError with the end of the build's output.
 */
export async function buildWeb(root: string): Promise<boolean> {
  const hash = await hashOf(root)
  if ((await readFile(join(root, OUTPUT, MARK), 'utf8').catch(() => '')) === hash) return false

  const build = spawn(process.execPath, ['--import', 'tsx', BUILD, join(root, NEXT)], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [build.stdout, build.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const code = await new Promise<number | null>((resolve) => build.on('close', resolve))
  if (code !== 0) {
    throw new PlainError(`The web could not be built:\n${output.trim().split('\n').slice(-20).join('\n')}`)
  }
  await writeFile(join(root, NEXT, MARK), hash)
  await rm(join(root, OUTPUT), { recursive: true, force: true })
  await rename(join(root, NEXT), join(root, OUTPUT))
  return true
}

/** Of names and contents; times would change with every checkout. */
async function hashOf(root: string): Promise<string> {
  const hash = createHash('sha256')
  for (const source of SOURCES) {
    for (const file of await filesIn(root, source)) hash.update(`${file}\0`).update(await readFile(join(root, file)))
  }
  return hash.digest('hex')
}

async function filesIn(root: string, path: string): Promise<string[]> {
  const entries = await readdir(join(root, path), { withFileTypes: true, recursive: true }).catch((error) => {
    if (error.code === 'ENOTDIR') return null
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (!entries) return [path]
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .sort()
}
