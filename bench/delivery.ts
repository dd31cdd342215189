import { setTimeout as sleep } from 'node:timers/promises'
import { startPeers } from './peers.ts'
import { type BenchContext, defineBenchmark, newForm, percentile, print, startServer, waitUntil } from './support.ts'

/** `rate` is in leads per second. */
const FULL = { rate: 50, seconds: 20 }

export const delivery = defineBenchmark({
  measures: "The time from the click to the mail server's and the CRM's answer, at a steady rate.",
  needs: ['redis-server'],
  full: FULL,
  smoke: { rate: 10, seconds: 1 },
  run,
})

async function run({ env, createDatabase, seedProviders }: BenchContext, { rate, seconds }: typeof FULL) {
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
  for (let lead = 0; lead < rate * seconds; lead++) {
    await sleep(Math.max(0, begin + (lead * 1000) / rate - performance.now()))
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
  print(`Submit to delivered, ${rate} leads/s for ${seconds} s (goal: p99 under 1000 ms)`, {
    'form answered': row(answered),
    "clinic's mail accepted": row(since(peers.mailed)),
    'CRM answered': row(since(peers.synced)),
  })
  await Promise.all([api.stop(), worker.stop()])
  await peers.close()
}
