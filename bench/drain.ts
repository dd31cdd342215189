import { once } from 'node:events'
import type { NewLead } from '../core/contract/forms.ts'
import type { JobState } from '../core/deliveries/contract/jobs.ts'
import { createInserter, storeLead } from '../core/leads/store-lead.ts'
import { countRows, only, openDb } from '../core/platform/db.ts'
import { cpuTime } from './cpu.ts'
import { startPeers } from './peers.ts'
import { type BenchContext, defineBenchmark, newForm, print, startServer, waitUntil } from './support.ts'

const FULL = { leads: 5000, small: 1667, backlog: 33_334, workers: 3 }

/** `cpuMs` is the processor time of a delivery in the sending processes, `databaseMs` in PostgreSQL. */
type Drained = { deliveries: number; seconds: number; cpuMs: number; databaseMs: number }

export const drain = defineBenchmark({
  measures:
    "A backlog of leads' emails and CRM calls through one worker, a small and a large one through several, beside a bare sender of the same.",
  needs: ['redis-server'],
  full: FULL,
  smoke: { leads: 50, small: 20, backlog: 100, workers: 2 },
  run,
})

async function run(context: BenchContext, { leads, small, backlog, workers }: typeof FULL): Promise<void> {
  const bare = await drainBare(context, leads)
  const one = await drainBacklog(context, leads, 1)
  const few = await drainBacklog(context, small, workers)
  const many = await drainBacklog(context, backlog, workers)
  const row = (side: Drained) => ({
    deliveries: side.deliveries,
    'deliveries/s': Math.round(side.deliveries / side.seconds),
    ratio: (side.deliveries / side.seconds / (bare.deliveries / bare.seconds)).toFixed(2),
    'CPU ms/delivery': side.cpuMs.toFixed(2),
    'above the bare sender': (side.cpuMs - bare.cpuMs).toFixed(2),
    'database CPU ms/delivery': side.databaseMs.toFixed(2),
  })
  print('Draining a backlog of emails and CRM calls (goals: ratio 0.6 and 0.7 ms above, with one worker)', {
    'bare sender': row(bare),
    'one worker': row(one),
    [`${workers} workers, small backlog`]: row(few),
    [`${workers} workers, large backlog`]: row(many),
  })
}

/** Sends as many deliveries as so many leads have, without database and queue. */
async function drainBare({ env, createDatabase, seedProviders }: BenchContext, leads: number): Promise<Drained> {
  const DATABASE_URL = await createDatabase()
  await seedProviders(DATABASE_URL)
  const db = openDb(DATABASE_URL)
  await storeLeads(db, Math.min(100, leads))
  await db.destroy()

  const peers = await startPeers()
  const sender = await startServer('bench/bare-sender.ts', { ...env, ...peers.env, DATABASE_URL })
  const deliveries = 3 * leads
  sender.process.send(deliveries)
  const [{ seconds, cpuMs }] = await once(sender.process, 'message')
  await sender.stop()
  await peers.close()
  return { deliveries, seconds, cpuMs: cpuMs / deliveries, databaseMs: 0 }
}

async function drainBacklog(context: BenchContext, leads: number, workers: number): Promise<Drained> {
  const { env, createDatabase, seedProviders, postgresPid } = context
  const DATABASE_URL = await createDatabase()
  await seedProviders(DATABASE_URL)
  const db = openDb(DATABASE_URL)
  await storeLeads(db, leads)

  const peers = await startPeers()
  const settings = { ...env, ...peers.env, DATABASE_URL }
  const api = await startServer('dist/api/main.js', settings)
  const count = (state: JobState) => countRows(db('jobs').where({ state, subject_kind: 'lead' }))
  await waitUntil('the relay', async () => (await count('waiting')) === 0)
  const deliveries = await count('enqueued')
  await db.raw('checkpoint')

  const running = await Promise.all(Array.from({ length: workers }, () => startServer('dist/worker/main.js', settings)))
  const cpu = () => running.reduce((sum, { pid }) => sum + cpuTime(pid), 0)
  const before = { at: performance.now(), accepted: peers.accepted(), cpu: cpu(), database: cpuTime(postgresPid) }
  await waitUntil('the deliveries', () => peers.accepted() >= deliveries)
  const sent = deliveries - before.accepted
  const drained = {
    deliveries,
    seconds: ((performance.now() - before.at) / 1000) * (deliveries / sent),
    cpuMs: (cpu() - before.cpu) / sent,
    databaseMs: (cpuTime(postgresPid) - before.database) / sent,
  }
  await waitUntil('the ledger', async () => (await count('done')) === deliveries)
  await Promise.all([api, ...running].map((process) => process.stop()))
  await peers.close()
  await db.destroy()
  return drained
}

/** Stores so many leads that have a provider, with the jobs that they owe. */
export async function storeLeads(db: ReturnType<typeof openDb>, count: number): Promise<void> {
  const provider = only(await db('providers').limit(1))
  const match = { providerId: provider.id, kind: 'nearest', miles: 5 } as const
  const visit = { ip: '203.0.113.7', userAgent: 'bench', pageUrl: 'http://localhost/' }
  const insert = createInserter(db)
  for (let stored = 0; stored < count; stored += 500) {
    const forms = Array.from({ length: Math.min(500, count - stored) }, (): NewLead => JSON.parse(newForm()))
    await Promise.all(forms.map((lead) => storeLead(db, { lead, match, visit }, Buffer.alloc(32), insert)))
  }
}

/** Stores settled leads, so that PostgreSQL makes its plans as for a database in use and not as for an empty one. */
export async function storeHistory(databaseUrl: string): Promise<void> {
  const db = openDb(databaseUrl)
  await storeLeads(db, 2000)
  await db('jobs').update({ state: 'done', attempts: 1, finished_at: db.fn.now() })
  await db.raw('vacuum (analyze)')
  await db.destroy()
}
