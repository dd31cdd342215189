import { type ChildProcess, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import { CONSENT } from '../core/contract/consent.ts'
import { freePort } from '../local/ports.ts'

/** What each benchmark works on: a PostgreSQL that syncs to disk and a Redis that appends, as in production. */
export type BenchContext = {
  env: Record<string, string>
  /** A fresh, prepared database; returns its address. */
  createDatabase(): Promise<string>
  seedProviders(databaseUrl: string): Promise<void>
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

/** A form of somebody who has not sent one yet, as the body of a request. */
export function newForm(): string {
  sequence += 1
  return JSON.stringify({
    first_name: 'Jordan',
    last_name: 'Avery',
    email: `visitor${sequence}@visitors.example`,
    phone: `(202) 555-${sequence}`,
    zip_code: ZIPS[sequence % ZIPS.length],
    acceptance_consent: true,
    acceptance_message: CONSENT.form.wording,
  })
}

/** Starts a process that says `ready` once it serves on `PORT`, a free one unless told otherwise. */
export async function startServer(
  main: string,
  env: Record<string, string>,
  wantedPort?: number,
): Promise<{ url: string; pid: number; stop(): Promise<void> }> {
  const port = wantedPort ?? (await freePort())
  const child: ChildProcess = fork(main, {
    env: { PATH: process.env.PATH, ...env, PORT: String(port) },
    execArgv: main.endsWith('.ts') ? ['--import', 'tsx'] : [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  // A benchmark that fails leaves nobody behind.
  process.once('exit', () => child.kill('SIGKILL'))
  await once(child, 'message')
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

/** Without background calls of its own to anybody. */
export const CHROMIUM_FLAGS = ['--no-sandbox', '--disable-background-networking', '--disable-sync']

/** Builds the web for production. */
export function buildWeb(): void {
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', 'web/render/build.ts'], { stdio: 'inherit' })
  if (status !== 0) throw new Error('The web could not be built.')
}

export type Load = { requestsPerSecond: number; p50: number; p99: number; failed: number }

/** Posts new forms over `connections` connections for some seconds, after a second to warm up. Latencies in ms. */
export async function postForms(url: string, { connections = 50, seconds = 8 } = {}): Promise<Load> {
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
  const { requests, latency, non2xx, errors } = await run(seconds)
  return { requestsPerSecond: requests.average, p50: latency.p50, p99: latency.p99, failed: non2xx + errors }
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
