import { Queue, Worker } from 'bullmq'
import { submitLeads } from '../core/commands/leads/submit-leads.ts'
import type { JobState } from '../core/contract/jobs.ts'
import type { NewLead } from '../core/contract/lead-form.ts'
import { countRows, only, openDb } from '../core/platform/db.ts'
import { startPeers } from './peers.ts'
import { type BenchContext, defineBenchmark, newForm, print, startServer, waitUntil } from './support.ts'

const FULL = { leads: 5000 }

export const drain = defineBenchmark({
  measures: "A backlog of leads' jobs through one worker, beside as many of BullMQ's jobs that do nothing.",
  needs: ['redis-server'],
  full: FULL,
  smoke: { leads: 50 },
  run,
})

async function run({ env, createDatabase, seedProviders }: BenchContext, { leads }: typeof FULL): Promise<void> {
  const DATABASE_URL = await createDatabase()
  await seedProviders(DATABASE_URL)
  const db = openDb(DATABASE_URL)
  await storeLeads(db, leads)

  const peers = await startPeers()
  const settings = { ...env, ...peers.env, DATABASE_URL }
  const api = await startServer('dist/api/main.js', settings)
  const count = (state: JobState) => countRows(db('jobs').where({ state }))
  await waitUntil('the relay', async () => (await count('waiting')) === 0)
  const jobs = await count('enqueued')

  const started = performance.now()
  const worker = await startServer('dist/worker/main.js', settings)
  await waitUntil('the worker', async () => (await count('done')) === jobs)
  const ours = jobs / ((performance.now() - started) / 1000)
  await Promise.all([api.stop(), worker.stop()])
  await peers.close()
  await db.destroy()

  const nothing = await drainNoOps(String(env.REDIS_URL), jobs)
  print(`Draining ${jobs} jobs of ${leads} leads, one worker process`, {
    "BullMQ's jobs that do nothing": { 'jobs/s': Math.round(nothing), ratio: 1 },
    'e-mails and CRM calls': { 'jobs/s': Math.round(ours), ratio: (ours / nothing).toFixed(3) },
  })
}

/** Stores so many leads that have a provider, with the jobs that they owe. */
export async function storeLeads(db: ReturnType<typeof openDb>, count: number): Promise<void> {
  const provider = only(await db('providers').limit(1))
  const match = { providerId: provider.id, kind: 'nearest', miles: 5 } as const
  const visit = { ip: '203.0.113.7', userAgent: 'bench', pageUrl: 'http://localhost/' }
  for (let stored = 0; stored < count; stored += 500) {
    const forms = Array.from({ length: Math.min(500, count - stored) }, (): NewLead => JSON.parse(newForm()))
    await submitLeads(
      db,
      forms.map((lead) => ({ lead, match, visit })),
      Buffer.alloc(32),
    )
  }
}

async function drainNoOps(url: string, jobs: number): Promise<number> {
  const queue = new Queue('nothing', { connection: { url } })
  const options = { removeOnComplete: true, attempts: 8 }
  await queue.addBulk(Array.from({ length: jobs }, (_, id) => ({ name: 'nothing', data: { id }, opts: options })))

  const started = performance.now()
  let done = 0
  const worker = new Worker('nothing', async () => void done++, {
    connection: { url, maxRetriesPerRequest: null },
    concurrency: 20,
  })
  await waitUntil("BullMQ's jobs", () => done === jobs)
  const rate = jobs / ((performance.now() - started) / 1000)
  await worker.close()
  await queue.close()
  return rate
}
