import { setTimeout as sleep } from 'node:timers/promises'
import { storeHistory } from './drain.ts'
import { type Peers, startPeers } from './peers.ts'
import { type BenchContext, defineBenchmark, newForm, percentile, print, startServer, waitUntil } from './support.ts'

/** `rate` and `rush` are in leads per second. Each is kept for so many seconds, after `warmup` seconds that do not count. */
const FULL = { rate: 50, rush: 100, seconds: 20, warmup: 3 }

export const delivery = defineBenchmark({
  measures: "The time from the click to the mail server's and the CRM's answer, at two steady rates, with one worker.",
  needs: ['redis-server'],
  full: FULL,
  smoke: { rate: 10, rush: 20, seconds: 1, warmup: 1 },
  run,
})

async function run({ env, createDatabase, seedProviders }: BenchContext, size: typeof FULL) {
  const DATABASE_URL = await createDatabase()
  await seedProviders(DATABASE_URL)
  await storeHistory(DATABASE_URL)
  const peers = await startPeers()
  const settings = { ...env, ...peers.env, DATABASE_URL }
  const api = await startServer('dist/api/main.js', settings)
  const worker = await startServer('dist/worker/main.js', settings)

  await submitAt(size.rate, size.warmup, api.url, peers)
  await measure(size.rate, size.seconds, 500)
  await measure(size.rush, size.seconds, 1000)
  await Promise.all([api.stop(), worker.stop()])
  await peers.close()

  async function measure(rate: number, seconds: number, goal: number): Promise<void> {
    const { submitted, answered } = await submitAt(rate, seconds, api.url, peers)
    const since = (times: Map<string, number>) =>
      [...submitted].map(([email, time]) => (times.get(email) ?? Number.NaN) - time)
    print(`Submit to delivered, ${rate} leads/s for ${seconds} s (goal: the clinic's mail p99 under ${goal} ms)`, {
      'form answered': row(answered),
      "clinic's mail accepted": row(since(peers.mailed)),
      'CRM answered': row(since(peers.synced)),
    })
  }
}

/** Submits leads at a steady rate, and waits until each is delivered. Returns when each was sent, and its answer's times. */
async function submitAt(rate: number, seconds: number, url: string, { mailed, synced }: Peers) {
  const submitted = new Map<string, number>()
  const answered: number[] = []
  const submit = async () => {
    const body = newForm()
    const started = performance.now()
    submitted.set(JSON.parse(body).email, started)
    await fetch(`${url}/api/leads`, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    answered.push(performance.now() - started)
  }
  const pending: Promise<void>[] = []
  const begin = performance.now()
  for (let lead = 0; lead < rate * seconds; lead++) {
    await sleep(Math.max(0, begin + (lead * 1000) / rate - performance.now()))
    pending.push(submit())
  }
  await Promise.all(pending)
  const isDelivered = (email: string) => mailed.has(email) && synced.has(email)
  await waitUntil('every delivery', () => [...submitted.keys()].every(isDelivered))
  return { submitted, answered }
}

const row = (times: number[]) => ({
  leads: times.length,
  'p50 ms': Math.round(percentile(times, 0.5)),
  'p95 ms': Math.round(percentile(times, 0.95)),
  'p99 ms': Math.round(percentile(times, 0.99)),
})
