import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isMain } from '../core/cli/command-line.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PATHS = '.ci/nightly-paths'
/** How old a commit may be that `--changed` counts: a working day, and CI's own time. */
const CHANGED_SINCE = '12 hours ago'

/** The parts that are projects of vitest.config.ts: one run for all of them, because each run builds and starts the product. */
const PROJECTS = ['faults', 'kills', 'starts', 'inbox', 'journeys']
/** The command of each other part. */
const COMMANDS: Record<string, string[]> = {
  brand: ['run', 'brand', '--', 'check'],
  wordpress: ['run', 'test:wordpress'],
  bench: ['run', 'bench:smoke'],
  compose: ['run', 'test:compose'],
}

/**
 * Runs `npm run test:nightly`: what is slow and rarely breaks. `--changed` runs the parts whose paths (`.ci/nightly-paths`) were
 * changed lately; `--list` names the parts and runs nothing.
 * @returns the exit code: 1 if a part failed
 */
function main(args: string[]): number {
  const chosen = [...PROJECTS, ...Object.keys(COMMANDS)].filter(
    (part) => !args.includes('--changed') || isTouched(part),
  )
  if (args.includes('--list')) {
    console.log(chosen.join('\n'))
    return 0
  }
  const projects = PROJECTS.filter((part) => chosen.includes(part))
  const runs: [names: string, args: string[]][] = [
    [projects.join(', '), ['test', '--', ...projects.flatMap((name) => ['--project', name])]],
    ...Object.entries(COMMANDS).filter(([part]) => chosen.includes(part)),
  ]
  const failed = runs.filter(([names, command]) => {
    if (!names) return false
    console.log(`\nnightly: ${names}`)
    return spawnSync('npm', command, { cwd: ROOT, stdio: 'inherit' }).status !== 0
  })
  console.log(
    failed.length > 0
      ? `\nnightly: ${failed.map(([names]) => names).join(', ')} failed`
      : `\nnightly: ${chosen.length} parts passed`,
  )
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
