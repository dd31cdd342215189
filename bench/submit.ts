import { type BenchContext, type Load, median, postForms, print, startServer } from './support.ts'

const ROUNDS = 3

/** `POST /api/leads` at 50 connections, beside the least that stores a lead in one row, in turns. */
export async function benchSubmit({ env, createDatabase, seedProviders }: BenchContext): Promise<void> {
  const DATABASE_URL = await createDatabase()
  await seedProviders(DATABASE_URL)
  const settings = { ...env, DATABASE_URL }
  const baseline = await startServer('bench/baseline-server.ts', settings)
  const api = await startServer('dist/api/main.js', settings)

  const rounds: { baseline: Load; api: Load }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({ baseline: await postForms(baseline.url), api: await postForms(api.url) })
  }
  await Promise.all([baseline.stop(), api.stop()])

  const of = (side: 'baseline' | 'api', value: 'requestsPerSecond' | 'p50' | 'p99') =>
    Math.round(median(rounds.map((round) => round[side][value])))
  const row = (side: 'baseline' | 'api') => ({
    'requests/s': of(side, 'requestsPerSecond'),
    'p50 ms': of(side, 'p50'),
    'p99 ms': of(side, 'p99'),
    failed: rounds.reduce((sum, round) => sum + round[side].failed, 0),
  })
  const ratio = (value: 'requestsPerSecond' | 'p50' | 'p99') =>
    median(rounds.map(({ api, baseline }) => api[value] / baseline[value])).toFixed(2)
  print(`POST /api/leads, 50 connections, median of ${ROUNDS} rounds (goal: 0.6 of the requests/s, 2 times the p99)`, {
    'Koa + zod + pg, one row': row('baseline'),
    'POST /api/leads': row('api'),
    ratio: { 'requests/s': ratio('requestsPerSecond'), 'p50 ms': ratio('p50'), 'p99 ms': ratio('p99'), failed: '' },
  })
}
