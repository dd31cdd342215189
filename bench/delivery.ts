import { setTimeout as sleep } from 'node:timers/promises'
import { startPeers } from './peers.ts'
import { type BenchContext, newForm, percentile, print, startServer, waitUntil } from './support.ts'

const LEADS_PER_SECOND = 50
const SECONDS = 20

/** From the click to the mail server's and the CRM's answer, at a steady 50 leads a second. */
export async function benchDelivery({ env, createDatabase, seedProviders }: BenchContext): Promise<void> {
  const DATABASE_URL = await createDatabase()
  await seedProviders(DATABASE_URL)
  const peers = await startPeers()
  const settings = { ...env, ...peers.env, DATABASE_URL }
  const api = await startServer('dist/api/main.js', settings)
  const worker = await startServer('dist/worker/main.js', settings)

  const submitted = new Map<string, number>()
  const answered: number[] = []
  const pending: Promise<void>[] = []
  const submit = async (url: string) => {
    const body = newForm()
    const started = performance.now()
    submitted.set(JSON.parse(body).email, started)
    await fetch(`${url}/api/leads`, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    answered.push(performance.now() - started)
  }
  const begin = performance.now()
  for (let lead = 0; lead < LEADS_PER_SECOND * SECONDS; lead++) {
    await sleep(Math.max(0, begin + (lead * 1000) / LEADS_PER_SECOND - performance.now()))
    pending.push(submit(api.url))
  }
  await Promise.all(pending)
  await waitUntil('every delivery', () => peers.mailed.size === submitted.size && peers.synced.size === submitted.size)

  const since = (times: Map<string, number>) =>
    [...times].map(([email, time]) => time - (submitted.get(email) ?? Number.NaN))
  const row = (times: number[]) => ({
    leads: times.length,
    'p50 ms': Math.round(percentile(times, 0.5)),
    'p95 ms': Math.round(percentile(times, 0.95)),
    'p99 ms': Math.round(percentile(times, 0.99)),
  })
  print(`Submit to delivered, ${LEADS_PER_SECOND} leads/s for ${SECONDS} s (goal: p99 under 1000 ms)`, {
    'form answered': row(answered),
    "clinic's mail accepted": row(since(peers.mailed)),
    'CRM answered': row(since(peers.synced)),
  })
  await Promise.all([api.stop(), worker.stop()])
  await peers.close()
}
