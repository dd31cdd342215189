import { openDb } from '../core/db.ts'
import { HUBSPOT_TOKEN, startHubspot } from '../tests/support/hubspot-server.ts'
import { storeLeads } from './drain.ts'
import { type BenchContext, print, startServer, waitUntil } from './support.ts'

const LEADS = 10_000
const DELAY = 200
/** Calls in any ten seconds. */
const RATE = 100
const PER_CALL = 100

/** 10,000 leads that wait for a CRM which takes a hundred in a call, after 200 ms, and 100 calls in ten seconds. */
export async function benchCrmBacklog(context: BenchContext): Promise<void> {
  const idealCalls = LEADS / PER_CALL
  const idealSeconds = (idealCalls / RATE) * 10
  const rows: Record<string, Record<string, number | string>> = {
    'ideal: full batches at the limit': row(idealCalls, idealSeconds, 0),
    'one lead a call, at the limit (computed)': row(LEADS, (LEADS / RATE) * 10, 0),
  }
  for (const workers of [1, 3]) {
    const { calls, seconds, refused } = await drain(context, workers)
    rows[workers === 1 ? 'one worker' : `${workers} workers`] = row(calls, seconds, refused)
  }
  print(`A backlog of ${LEADS} leads, a CRM that answers in ${DELAY} ms, ${RATE} calls in 10 s`, rows)

  function row(calls: number, seconds: number, refused: number) {
    return {
      calls,
      'leads a call': Math.round((LEADS / calls) * 10) / 10,
      'too often': refused,
      seconds: Math.round(seconds * 10) / 10,
      ratio: (seconds / idealSeconds).toFixed(2),
    }
  }
}

async function drain({ env, createDatabase, seedProviders }: BenchContext, workers: number) {
  const DATABASE_URL = await createDatabase()
  await seedProviders(DATABASE_URL)
  const db = openDb(DATABASE_URL)
  await storeLeads(db, LEADS)
  // The CRM alone.
  await db('jobs').whereNot('name', 'sync-crm').delete()

  const hubspot = await startHubspot({ callsPer10Seconds: RATE, delay: DELAY })
  const settings = { ...env, DATABASE_URL, CRM_KIND: 'hubspot', HUBSPOT_TOKEN, HUBSPOT_BASE_URL: hubspot.url }
  const api = await startServer('dist/api/main.js', settings)
  const count = async (state: string) => Number((await db('jobs').where({ state }).count())[0]?.count)
  await waitUntil('the relay', async () => (await count('enqueued')) === LEADS)

  const started = performance.now()
  const running = await Promise.all(
    Array.from({ length: workers }, () => startServer('dist/worker/main.js', { ...settings, HUBSPOT_RATE: `${RATE}` })),
  )
  await waitUntil('the CRM', async () => (await count('done')) === LEADS)
  const seconds = (performance.now() - started) / 1000
  await Promise.all([api, ...running].map((process) => process.stop()))
  await hubspot.close()
  await db.destroy()
  return { calls: hubspot.calls.length, seconds, refused: hubspot.rejected.length }
}
