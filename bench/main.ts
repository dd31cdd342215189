import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEFAULT_TIME_ZONE } from '../core/env.ts'
import { prepareDatabase } from '../core/migrate.ts'
import { openDb } from '../core/platform/db.ts'
import { addDemoProviders } from '../local/demo-providers.ts'
import { createDatabase, type Postgres, startPostgres } from '../local/postgres.ts'
import { hasRedis, startRedis } from '../local/redis.ts'
import { findChromium } from '../tests/support/chromium.ts'
import { helpText, type Request, readCommandLine } from './command-line.ts'
import { dashboard } from './dashboard.ts'
import { delivery } from './delivery.ts'
import { drain } from './drain.ts'
import { leads } from './leads.ts'
import { map } from './map.ts'
import { matching } from './matching.ts'
import { migrations } from './migrations.ts'
import { start } from './start.ts'
import { submit } from './submit.ts'
import { type BenchContext, type Benchmark, killServers } from './support.ts'
import { web } from './web.ts'

// What `npm run bench` runs; `npm run bench -- --help` says how to ask for less.
const BENCHMARKS: Record<string, Benchmark> = {
  submit,
  delivery,
  matching,
  leads,
  drain,
  web,
  map,
  dashboard,
  migrations,
  start,
}
const TEMPLATE = 'bench_template'
/** A quarter of 4 GB, as PostgreSQL's manual recommends (runtime-config-resource). */
const SHARED_BUFFERS = '1GB'
const IS_HERE = { 'redis-server': hasRedis(), Chromium: findChromium() !== null }

const requests = readRequests()
buildProduct()
const problems = await runAll(requests)
if (problems.length > 0) console.error(`\nCould not run:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
process.exit(problems.length > 0 ? 1 : 0)

function readRequests(): Request[] {
  try {
    const read = readCommandLine(process.argv.slice(2), BENCHMARKS)
    if (read) return read
    console.log(helpText(BENCHMARKS))
    process.exit(0)
  } catch (error) {
    console.error((error as Error).message)
    process.exit(1)
  }
}

/** Builds what production runs. */
function buildProduct(): void {
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}

/**
 * Runs the benchmarks one after the other; a failure does not stop the others. @returns the benchmarks that failed,
 * with their errors
 */
async function runAll(requests: Request[]): Promise<string[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'leadwell-bench-'))
  const postgres = await startPostgres({ dataDir: join(dataDir, 'postgres'), sharedBuffers: SHARED_BUFFERS })
  const redis = await startRedis({ dataDir: join(dataDir, 'redis') })
  const problems: string[] = []
  try {
    const contextOf = await prepare(postgres, redis?.url ?? null)
    for (const [index, { name, benchmark, size }] of requests.entries()) {
      const missing = benchmark.needs?.filter((program) => !IS_HERE[program]) ?? []
      if (missing.length > 0) {
        problems.push(`${name}: there is no ${missing.join(' and no ')} on this machine`)
        continue
      }
      console.log(`\n${name} (${numbersOf(size)}): ${benchmark.measures}`)
      await benchmark.run(contextOf(index), size).catch((error: Error) => {
        console.error(error)
        problems.push(`${name}: ${error.message}`)
      })
      killServers()
    }
  } finally {
    await redis?.stop()
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  return problems
}

function numbersOf(size: Record<string, number>): string {
  return Object.entries(size)
    .map(([key, value]) => `${key}=${value}`)
    .join(' ')
}

/** Prepares the database that the others are copied from. @returns what the benchmark with that number works on */
async function prepare(postgres: Postgres, redisUrl: string | null): Promise<(benchmark: number) => BenchContext> {
  const template = openDb(await createDatabase(postgres.url, TEMPLATE), { poolSize: 1 })
  await prepareDatabase(template, DEFAULT_TIME_ZONE)
  await template.destroy()

  let databases = 0
  return (benchmark) => ({
    async createDatabase() {
      databases += 1
      return createDatabase(postgres.url, `bench_${databases}`, TEMPLATE)
    },
    async seedProviders(databaseUrl) {
      const db = openDb(databaseUrl)
      await addDemoProviders(db)
      await db.raw(`update providers set email = 'clinic' || id || '@clinics.example'`)
      await db.raw('analyze')
      await db.destroy()
    },
    postgresPid: postgres.pid,
    env: {
      NODE_ENV: 'production',
      TRUST_PROXY_HOPS: '0',
      // A Redis database each, so that no benchmark works off another's jobs.
      ...(redisUrl && { REDIS_URL: `${redisUrl}/${benchmark}` }),
      PUBLIC_URL: 'http://localhost:3000',
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'Leadwell <care@leadwell.example>',
      TEAM_EMAIL: 'team@leadwell.example',
      ADMIN_PASSWORD: 'a password for benchmarks',
      DATA_KEY: Buffer.alloc(32).toString('base64'),
      LEAD_RATE_PER_MINUTE: 'unlimited',
      REQUEST_RATE_PER_MINUTE: 'unlimited',
      ADDRESS_LEADS_PER_HOUR: 'unlimited',
      CLINIC_LEADS_PER_HOUR: 'unlimited',
      LEADS_PER_HOUR: 'unlimited',
      // Every lead has a provider, so every lead has the same deliveries.
      MATCH_RADIUS_MILES: '12000',
    },
  })
}
