import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../local/ports.ts'
import { waitFor } from '../support/wait.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** Names the processes of one run: they inherit it, whatever group or session they are in. */
const MARK = 'LEADWELL_TEST_RUN'
const PATIENCE = { within: 90_000 }

/** Linux shows the environment of a process under /proc. */
describe.runIf(process.platform === 'linux')('a run that is interrupted by a SIGINT to its group', () => {
  // A copy: the run builds the product, which the tests beside this one are using.
  let copy: string
  beforeAll(async () => {
    copy = await mkdtemp(join(tmpdir(), 'leadwell-interrupted-'))
    const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT })
    for (const file of files.toString().split('\0').filter(Boolean)) await cp(join(ROOT, file), join(copy, file))
    await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  })
  afterAll(() => rm(copy, { recursive: true, force: true }))

  const TEST = ['test', '--', 'tests/api/health.test.ts']
  const moments: [string, string[], (run: Run) => Promise<unknown>][] = [
    ['npm test, as it starts PostgreSQL', TEST, (run) => waitFor('PostgreSQL', () => run.has('postgres'), PATIENCE)],
    ['npm test, while its tests run', TEST, (run) => waitFor('a test', () => run.has('vitest/dist/workers'), PATIENCE)],
    [
      'npm start, as it starts PostgreSQL',
      ['start'],
      (run) => waitFor('PostgreSQL', () => run.has('postgres'), PATIENCE),
    ],
    ['npm start, when everything runs', ['start'], (run) => run.prints('Ctrl-C stops everything')],
  ]
  test.each(moments)('%s: leaves no process and no folder behind', async (_, command, moment) => {
    const run = await start(command, copy)
    await moment(run)
    process.kill(-run.pid, 'SIGINT')
    await run.ended
    await waitFor('the end of its processes', async () => (await run.processes()).length === 0, { within: 30_000 })
    // tsx keeps its cache.
    expect((await readdir(run.temporary)).filter((name) => !name.startsWith('tsx-'))).toEqual([])
    await rm(run.temporary, { recursive: true })
  })
})

type Run = {
  pid: number
  temporary: string
  ended: Promise<unknown>
  processes(): Promise<string[]>
  has(words: string): Promise<boolean>
  prints(words: string): Promise<unknown>
}

async function start(command: string[], cwd: string): Promise<Run> {
  // Open to the user of PostgreSQL, which does not run as root: else its data would be elsewhere.
  const temporary = await mkdtemp(join(tmpdir(), 'leadwell-open-'))
  execFileSync('chmod', ['755', temporary])
  const mark = `${process.pid}-${temporary}`
  const child = spawn('npm', command, {
    cwd,
    detached: true,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      TMPDIR: temporary,
      PORT: String(await freePort()),
      [MARK]: mark,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const processes = () => commandLines(`${MARK}=${mark}`)
  return {
    pid: child.pid as number,
    temporary,
    ended: once(child, 'exit'),
    processes,
    has: async (words) => (await processes()).some((line) => line.includes(words)),
    prints: (words) => waitFor(`“${words}”`, () => output.includes(words), PATIENCE),
  }
}

/** Lists the processes with a variable in their environment. One that ends meanwhile is left out. */
async function commandLines(variable: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(
    pids.map(async (pid) => {
      try {
        const environment = await readFile(`/proc/${pid}/environ`, 'utf8')
        return environment.split('\0').includes(variable) ? await readFile(`/proc/${pid}/cmdline`, 'utf8') : ''
      } catch {
        return ''
      }
    }),
  )
  return lines.filter(Boolean)
}
