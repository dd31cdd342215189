import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isMain } from '../core/cli/command-line.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PATHS = '.ci/nightly-paths'
/** How old a commit may be that `--changed` counts: a working day, and CI's own time. */
const CHANGED_SINCE = '12 hours ago'

/** The commands of each part. */
const PARTS: Record<string, string[]> = {
  journeys: ['npm', 'test', '--', '--project', 'journeys'],
  kills: ['npm', 'test', '--', '--project', 'kills'],
  starts: ['npm', 'test', '--', '--project', 'starts'],
  inbox: ['npm', 'test', '--', '--project', 'inbox'],
  brand: ['npm', 'run', 'brand', '--', 'check'],
  wordpress: ['npm', 'run', 'test:wordpress'],
  bench: ['npm', 'run', 'bench:smoke'],
  compose: ['npm', 'run', 'test:compose'],
}

/**
 * Runs `npm run test:nightly`: what is slow and rarely breaks. `--changed` runs the parts whose paths (`.ci/nightly-paths`) were
 * changed lately; `--list` names the parts and runs nothing.
 * @returns the exit code: 1 if a part failed
 */
function main(args: string[]): number {
  const chosen = Object.keys(PARTS).filter((part) => !args.includes('--changed') || isTouched(part))
  if (args.includes('--list')) {
    console.log(chosen.join('\n'))
    return 0
  }
  const failed = chosen.filter((part) => {
    console.log(`\nnightly: ${part}`)
    const [program = '', ...rest] = PARTS[part] as string[]
    return spawnSync(program, rest, { cwd: ROOT, stdio: 'inherit' }).status !== 0
  })
  console.log(failed.length > 0 ? `\nnightly: ${failed.join(', ')} failed` : `\nnightly: ${chosen.length} parts passed`)
  return failed.length > 0 ? 1 : 0
}

function isTouched(part: string): boolean {
  const changed = git('log', `--since=${CHANGED_SINCE}`, '--name-only', '--format=').concat(
    git('diff', '--name-only', 'HEAD'),
  )
  const paths = pathsOf(part)
  return changed.some((file) => paths.some((path) => (path.endsWith('/') ? file.startsWith(path) : file === path)))
}

/** @throws Error for a part without a line */
function pathsOf(part: string): string[] {
  const lines = readFileSync(`${ROOT}/${PATHS}`, 'utf8').split('\n')
  const words = lines.map((line) => line.trim().split(/\s+/)).find(([name]) => name === part)
  if (!words) throw new Error(`${PATHS} has no line for ${part}.`)
  return words.slice(1)
}

function git(...args: string[]): string[] {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean)
}

if (isMain(import.meta.url)) process.exitCode = main(process.argv.slice(2))
