import { spawn, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { globSync } from 'tinyglobby'
import { SECOND } from '../core/contract/time.ts'
import { freePort } from '../local/ports.ts'
import { type BenchContext, defineBenchmark, print, ROOT } from './support.ts'

/** What a person would choose for a page and a server without this product. */
const PEER = ['vite', '@vitejs/plugin-react', 'react', 'react-dom', 'koa', '@koa/router']
/** Printed by the last step. */
const READY = 'Ctrl-C stops everything'

/** `emptyCaches`: rounds in which npm has downloaded nothing yet. */
const FULL = { rounds: 1, emptyCaches: 1 }

export const start = defineBenchmark({
  measures:
    'How long `npm start` takes in a fresh clone of the last commit, and the second time, beside `npm ci` of a plain Vite + Koa project.',
  full: FULL,
  smoke: { rounds: 1, emptyCaches: 0 },
  run,
})

async function run(_: BenchContext, { rounds, emptyCaches }: typeof FULL): Promise<void> {
  const rows: Record<string, Record<string, number | string>> = {}
  for (let round = 1; round <= rounds + emptyCaches; round++) {
    const isEmpty = round > rounds
    const folder = await mkdtemp(join(tmpdir(), 'leadwell-start-'))
    const env = { ...process.env, ...(isEmpty && { npm_config_cache: join(folder, 'cache') }) }
    try {
      const peer = await installPeer(join(folder, 'peer'), env)
      const clone = join(folder, 'clone')
      command('git', ['clone', '--quiet', ROOT, clone], folder, env)
      const name = isEmpty ? 'empty npm cache' : `npm cache, round ${round}`
      const first = await startAndStop(clone, env)
      rows[name] = {
        ...first,
        files: globSync('node_modules/**', { cwd: clone, dot: true }).length,
        'npm ci of Vite + Koa': peer,
      }
      rows[`${name}, second start`] = await startAndStop(clone, env)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
  print('Seconds of `npm start` (goals: ready in 45, the second time in 6)', rows)
}

/** Installs the peer in our versions, and returns the seconds of `npm ci`. */
async function installPeer(folder: string, env: NodeJS.ProcessEnv): Promise<number> {
  const { dependencies, devDependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  const versions = { ...dependencies, ...devDependencies }
  await mkdir(folder)
  const manifest = {
    name: 'peer',
    private: true,
    dependencies: Object.fromEntries(PEER.map((name) => [name, versions[name]])),
  }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  command('npm', ['install', '--package-lock-only', '--no-audit'], folder, { ...env, npm_config_cache: undefined })
  const startedAt = Date.now()
  command('npm', ['ci', '--no-audit', '--no-fund'], folder, env)
  return (Date.now() - startedAt) / SECOND
}

/** Starts a clone until it is ready, and returns the seconds of its steps. */
async function startAndStop(cwd: string, env: NodeJS.ProcessEnv): Promise<Record<string, number | string>> {
  const startedAt = Date.now()
  const child = spawn(process.execPath, ['local/start.mjs'], {
    cwd,
    env: { ...env, PORT: String(await freePort()) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  let output = ''
  for await (const chunk of child.stdout) {
    output += chunk
    if (output.includes(READY)) break
  }
  const ready = (Date.now() - startedAt) / SECOND
  child.kill('SIGINT')
  await ended
  if (!output.includes(READY)) throw new Error(`It did not start:\n${output}`)
  const secondsOf = (step: RegExp) => Number(step.exec(output)?.[1]) || '-'
  return {
    install: secondsOf(/✓ Packages installed +([\d.]+) s/),
    build: secondsOf(/✓ Product built in ([\d.]+) s/),
    database: secondsOf(/✓ Database ready.* ([\d.]+) s$/m),
    ready,
  }
}

function command(program: string, args: string[], cwd: string, env: NodeJS.ProcessEnv): void {
  const { status, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args[0]}: ${stderr}`)
}
