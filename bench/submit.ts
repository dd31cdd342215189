import { type BenchContext, defineBenchmark, type Load, median, postForms, print, startServer } from './support.ts'

const FULL = { connections: 50, seconds: 8, rounds: 3 }

export const submit = defineBenchmark({
  measures: '`POST /api/leads`, beside the least that stores a lead in one row, in turns.',
  needs: ['redis-server'],
  full: FULL,
  smoke: { connections: 5, seconds: 1, rounds: 1 },
  run,
})

async function run({ env, createDatabase, seedProviders }: BenchContext, size: typeof FULL): Promise<void> {
  const DATABASE_URL = await createDatabase()
  await seedProviders(DATABASE_URL)
  const settings = { ...env, DATABASE_URL }
  const baseline = await startServer('bench/baseline-server.ts', settings)
  const api = await startServer('dist/api/main.js', settings)

  const rounds: { baseline: Load; api: Load }[] = []
  while (rounds.length < size.rounds) {
    rounds.push({ baseline: await postForms(baseline.url, size), api: await postForms(api.url, size) })
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
  const title = `POST /api/leads, ${size.connections} connections, median of ${size.rounds} rounds`
  print(`${title} (goal: 0.6 of the requests/s, 2 times the p99)`, {
    'Koa + zod + pg, one row': row('baseline'),
    'POST /api/leads': row('api'),
    ratio: { 'requests/s': ratio('requestsPerSecond'), 'p50 ms': ratio('p50'), 'p99 ms': ratio('p99'), failed: '' },
  })
}
