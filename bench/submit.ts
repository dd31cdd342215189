import { countRows, openDb } from '../core/platform/db.ts'
import { storeHistory } from './drain.ts'
import {
  type BenchContext,
  defineBenchmark,
  type Load,
  median,
  postForms,
  print,
  type Server,
  startServer,
  waitUntil,
} from './support.ts'

const FULL = { connections: 50, seconds: 8, rounds: 3 }

export const submit = defineBenchmark({
  measures: '`POST /api/leads`, beside the least that stores a lead in one row, in turns.',
  needs: ['redis-server'],
  full: FULL,
  smoke: { connections: 5, seconds: 1, rounds: 1 },
  run,
})

async function run(
  { env, createDatabase, seedProviders, postgresPid }: BenchContext,
  size: typeof FULL,
): Promise<void> {
  const DATABASE_URL = await createDatabase()
  await seedProviders(DATABASE_URL)
  await storeHistory(DATABASE_URL)
  const settings = { ...env, DATABASE_URL }
  const baseline = await startServer('bench/baseline-server.ts', settings)
  const api = await startServer('dist/api/main.js', settings)

  const db = openDb(DATABASE_URL)

  const rounds: { baseline: Load; api: Load }[] = []
  while (rounds.length < size.rounds) {
    const post = ({ url, pid }: Server) => postForms(url, { ...size, pids: [pid, postgresPid] })
    rounds.push({ baseline: await post(baseline), api: await post(api) })
    // The relay works off the jobs of the rush. That must not slow the other side's turn.
    await waitUntil('the relay', async () => (await countRows(db('jobs').where({ state: 'waiting' }))) === 0)
  }
  await Promise.all([baseline.stop(), api.stop(), db.destroy()])

  const of = (side: 'baseline' | 'api', value: 'requestsPerSecond' | 'p50' | 'p99') =>
    Math.round(median(rounds.map((round) => round[side][value])))
  const cpu = (side: 'baseline' | 'api', of: number) =>
    median(rounds.map((round) => round[side].cpuMs[of] ?? Number.NaN)).toFixed(2)
  const row = (side: 'baseline' | 'api') => ({
    'requests/s': of(side, 'requestsPerSecond'),
    'p50 ms': of(side, 'p50'),
    'p99 ms': of(side, 'p99'),
    'CPU ms/form': cpu(side, 0),
    'database CPU ms/form': cpu(side, 1),
    failed: rounds.reduce((sum, round) => sum + round[side].failed, 0),
  })
  const ratio = (value: 'requestsPerSecond' | 'p50' | 'p99') =>
    median(rounds.map(({ api, baseline }) => api[value] / baseline[value])).toFixed(2)
  const title = `POST /api/leads, ${size.connections} connections, median of ${size.rounds} rounds`
  print(`${title} (goal: 0.65 of the requests/s, 2 times the p99)`, {
    'Koa + zod + pg, one row': row('baseline'),
    'POST /api/leads': row('api'),
    ratio: { 'requests/s': ratio('requestsPerSecond'), 'p50 ms': ratio('p50'), 'p99 ms': ratio('p99'), failed: '' },
  })
}
