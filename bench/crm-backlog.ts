import type { JobState } from '../core/contract/jobs.ts'
import { countRows, openDb } from '../core/platform/db.ts'
import { HUBSPOT_TOKEN, startHubspot } from '../tests/support/hubspot-server.ts'
import { storeLeads } from './drain.ts'
import { type BenchContext, defineBenchmark, print, startServer, waitUntil } from './support.ts'

const FULL = { leads: 10_000, workers: 3 }
/** The time of a call of the CRM, in milliseconds. */
const DELAY = 200
/** Calls in any ten seconds. */
const RATE = 100
const PER_CALL = 100

export const crmBacklog = defineBenchmark({
  measures: `Leads that wait for a CRM which takes ${PER_CALL} in a call, and ${RATE} calls in ten seconds; one worker and several.`,
  needs: ['redis-server'],
  full: FULL,
  smoke: { leads: 150, workers: 2 },
  run,
})

async function run(context: BenchContext, { leads, workers: several }: typeof FULL): Promise<void> {
  const idealCalls = Math.ceil(leads / PER_CALL)
  const idealSeconds = (idealCalls / RATE) * 10
  const rows: Record<string, Record<string, number | string>> = {
    'ideal: full batches at the limit': row(idealCalls, idealSeconds, 0),
    'one lead a call, at the limit (computed)': row(leads, (leads / RATE) * 10, 0),
  }
  for (const workers of [1, several]) {
    const { calls, seconds, refused } = await drain(context, leads, workers)
    rows[workers === 1 ? 'one worker' : `${workers} workers`] = row(calls, seconds, refused)
  }
  print(`A backlog of ${leads} leads, a CRM that answers in ${DELAY} ms, ${RATE} calls in 10 s`, rows)

  function row(calls: number, seconds: number, refused: number) {
    return {
      calls,
      'leads a call': Math.round((leads / calls) * 10) / 10,
      'too often': refused,
      seconds: Math.round(seconds * 10) / 10,
      ratio: (seconds / idealSeconds).toFixed(2),
    }
  }
}

async function drain({ env, createDatabase, seedProviders }: BenchContext, leads: number, workers: number) {
  const DATABASE_URL = await createDatabase()
  await seedProviders(DATABASE_URL)
  const db = openDb(DATABASE_URL)
  await storeLeads(db, leads)
  // The CRM alone.
  await db('jobs').whereNot('name', 'sync-crm').delete()

  const hubspot = await startHubspot({ callsPer10Seconds: RATE, delay: DELAY })
  const settings = { ...env, DATABASE_URL, CRM_KIND: 'hubspot', HUBSPOT_TOKEN, HUBSPOT_BASE_URL: hubspot.url }
  const api = await startServer('dist/api/main.js', settings)
  const count = (state: JobState) => countRows(db('jobs').where({ state }))
  await waitUntil('the relay', async () => (await count('enqueued')) === leads)

  const started = performance.now()
  const running = await Promise.all(
    Array.from({ length: workers }, () => startServer('dist/worker/main.js', { ...settings, HUBSPOT_RATE: `${RATE}` })),
  )
  await waitUntil('the CRM', async () => (await count('done')) === leads)
  const seconds = (performance.now() - started) / 1000
  await Promise.all([api, ...running].map((process) => process.stop()))
  await hubspot.close()
  await db.destroy()
  return { calls: hubspot.calls.length, seconds, refused: hubspot.rejected.length }
}
