import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDb } from '../core/db.ts'
import { prepareDatabase } from '../core/migrate.ts'
import { addDemoProviders } from '../local/demo-providers.ts'
import { createDatabase, startPostgres } from '../local/postgres.ts'
import { startRedis } from '../local/redis.ts'
import { benchCrmBacklog } from './crm-backlog.ts'
import { benchDelivery } from './delivery.ts'
import { benchDrain } from './drain.ts'
import { benchLeads } from './leads.ts'
import { benchMap } from './map.ts'
import { benchNearest } from './nearest.ts'
import { benchSubmit } from './submit.ts'
import type { BenchContext } from './support.ts'
import { benchSync } from './sync.ts'
import { benchWeb } from './web.ts'

const TEMPLATE = 'bench_template'
/** What PostgreSQL's manual recommends of a server with 4 GB: a quarter (runtime-config-resource). */
const SHARED_BUFFERS = '1GB'
const BENCHMARKS = {
  submit: benchSubmit,
  delivery: benchDelivery,
  nearest: benchNearest,
  leads: benchLeads,
  drain: benchDrain,
  'crm-backlog': benchCrmBacklog,
  sync: benchSync,
  web: benchWeb,
  map: benchMap,
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in BENCHMARKS))
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}. There are: ${Object.keys(BENCHMARKS).join(', ')}.`)
  process.exit(1)
}

const { status } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
  stdio: 'inherit',
})
if (status !== 0) process.exit(1)

const dataDir = await mkdtemp(join(tmpdir(), 'leadwell-bench-'))
const postgres = await startPostgres({ dataDir: join(dataDir, 'postgres'), sharedBuffers: SHARED_BUFFERS })
const redis = await startRedis({ dataDir: join(dataDir, 'redis') })
try {
  if (!redis) throw new Error('The benchmarks need redis-server on the PATH.')
  await run(postgres.url, redis.url)
} finally {
  await redis?.stop()
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}

async function run(postgresUrl: string, redisUrl: string): Promise<void> {
  let databases = 0
  let redisDatabases = 0
  const context: BenchContext = {
    async createDatabase() {
      databases += 1
      return createDatabase(postgresUrl, `bench_${databases}`, TEMPLATE)
    },
    async seedProviders(databaseUrl) {
      const db = openDb(databaseUrl)
      await addDemoProviders(db)
      await db.raw(`update providers set email = 'clinic' || id || '@clinics.example'`)
      await db.raw('analyze')
      await db.destroy()
    },
    env: {
      NODE_ENV: 'production',
      PUBLIC_URL: 'http://localhost:3000',
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'Velmora <care@velmora.example>',
      TEAM_EMAIL: 'team@velmora.example',
      ADMIN_PASSWORD: 'a password for benchmarks',
      LEAD_RATE_PER_MINUTE: '100000000',
      // Every lead has a provider, so every lead has the same deliveries.
      MATCH_RADIUS_MILES: '12000',
    },
  }
  const template = openDb(await createDatabase(postgresUrl, TEMPLATE), { poolSize: 1 })
  await prepareDatabase(template)
  await template.destroy()

  for (const [name, bench] of Object.entries(BENCHMARKS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    // A Redis database each, so that no benchmark works off another's jobs.
    redisDatabases += 1
    await bench({ ...context, env: { ...context.env, REDIS_URL: `${redisUrl}/${redisDatabases}` } })
  }
}
