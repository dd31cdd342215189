import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { CONSENT } from '../core/contract/consent.ts'
import { freePort } from '../local/ports.ts'
import { cpuTime } from './cpu.ts'

export const ROOT = fileURLToPath(new URL('../', import.meta.url))

/** The surroundings of a benchmark: a PostgreSQL that syncs to disk and a Redis that appends, as in production. */
export type BenchContext = {
  env: Record<string, string>
  /** A fresh, prepared database; returns its address. */
  createDatabase(): Promise<string>
  seedProviders(databaseUrl: string): Promise<void>
  /** The process of PostgreSQL, whose children serve the connections. */
  postgresPid: number
}

type Sizes = Record<string, number>
type Program = 'redis-server' | 'Chromium'

/** A benchmark, with the sizes of its full and its smoke run. */
export type Benchmark<Size extends Sizes = Sizes> = {
  /** One sentence for `--help`, and for the beginning of its report. */
  measures: string
  /** Programs that it cannot do without. */
  needs?: Program[]
  /** Its numbers. Each may be set on the command line. */
  full: Size
  /** The smallest numbers that still run all of it. They say nothing about speed. */
  smoke: Size
  /** @throws Error when something does not work; slow is not an error */
  run(context: BenchContext, size: Size): Promise<void>
}

export function defineBenchmark<Size extends Sizes>(benchmark: Benchmark<Size>): Benchmark {
  return benchmark as unknown as Benchmark
}

/** Zips of large cities all over the country, so that leads go to many providers. */
const ZIPS = [
  '10001',
  '90012',
  '60601',
  '77002',
  '85003',
  '19102',
  '78205',
  '92101',
  '75201',
  '95113',
  '32202',
  '98101',
]

let sequence = Date.now() % 1_000_000_000

/** Returns the body of a form whose person has not sent one yet. */
export function newForm(): string {
  sequence += 1
  return JSON.stringify({
    first_name: 'Jordan',
    last_name: 'Avery',
    email: `visitor${sequence}@visitors.example`,
    phone: phoneOf(sequence),
    zip_code: ZIPS[sequence % ZIPS.length],
    acceptance_consent: true,
    acceptance_message: CONSENT.form.wording,
    consent_version: CONSENT.form.version,
  })
}

/** Returns a US number, as almost every form has: the search for others, by libphonenumber-js, takes longer. */
function phoneOf(number: number): string {
  const digits = String(2_000_000 + (number % 8_000_000))
  return `(202) ${digits.slice(0, 3)}-${digits.slice(3)}`
}

export type Server = { url: string; pid: number; process: ChildProcess; stop(signal?: NodeJS.Signals): Promise<void> }

const running = new Set<ChildProcess>()
process.once('exit', killServers)

/** Ends what a failed benchmark has left. */
export function killServers(): void {
  for (const child of running) child.kill('SIGKILL')
}

/** With BENCH_PROFILES, a folder, every process writes a profile of its processor time there when it ends. */
const PROFILING = process.env.BENCH_PROFILES ? ['--cpu-prof', `--cpu-prof-dir=${process.env.BENCH_PROFILES}`] : []

/**
 * Starts a process that says `ready` once it serves on `PORT`, a free one unless told otherwise.
 * @throws Error when it ends before that
 */
export async function startServer(main: string, env: Record<string, string>, wantedPort?: number): Promise<Server> {
  const port = wantedPort ?? (await freePort())
  const child: ChildProcess = fork(main, {
    env: { PATH: process.env.PATH, ...env, PORT: String(port) },
    execArgv: [...(main.endsWith('.ts') ? ['--import', 'tsx'] : []), ...PROFILING],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  running.add(child)
  const ended = once(child, 'exit').then(([code, signal]) => {
    running.delete(child)
    return code ?? signal
  })
  const isReady = await Promise.race([once(child, 'message').then(() => true), ended.then(() => false)])
  if (!isReady) throw new Error(`${main} ended with ${await ended} before it was ready.`)
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    process: child,
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      await ended
    },
  }
}

/** Without background calls of its own to anybody. */
export const CHROMIUM_FLAGS = ['--no-sandbox', '--disable-background-networking', '--disable-sync']

/** Latencies in milliseconds. `cpuMs` is the processor time of a request in each of the processes that were named. */
export type Load = { requestsPerSecond: number; p50: number; p99: number; failed: number; cpuMs: number[] }

/** Posts new forms over `connections` connections for some seconds, after a second to warm up. */
export async function postForms(
  url: string,
  { connections, seconds, pids = [] }: { connections: number; seconds: number; pids?: number[] },
): Promise<Load> {
  const run = (duration: number) =>
    autocannon({
      url: `${url}/api/leads`,
      method: 'POST',
      connections,
      duration,
      headers: { 'content-type': 'application/json' },
      requests: [{ setupRequest: (request) => ({ ...request, body: newForm() }) }],
    })
  await run(1)
  const before = pids.map(cpuTime)
  const { requests, latency, non2xx, errors } = await run(seconds)
  const cpuMs = pids.map((pid, position) => (cpuTime(pid) - (before[position] ?? 0)) / requests.total)
  return { requestsPerSecond: requests.average, p50: latency.p50, p99: latency.p99, failed: non2xx + errors, cpuMs }
}

/** Waits until something is so. @throws Error when it is not so in time, so that no benchmark runs for ever */
export async function waitUntil(what: string, isSo: () => boolean | Promise<boolean>, within = 300_000): Promise<void> {
  const deadline = performance.now() + within
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`Waited ${within} ms in vain for: ${what}`)
    await sleep(20)
  }
}

/** The value below which `share` (0 to 1) of the values lie. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** The value in the middle. */
export const median = (values: number[]): number => percentile(values, 0.5)

export function print(title: string, rows: Record<string, Record<string, number | string>>): void {
  console.log(`\n${title}`)
  console.table(rows)
}
