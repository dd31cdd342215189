import { openDb } from '../core/platform/db.ts'
import { findCandidates } from '../core/stores/candidates.ts'
import { addManyProviders } from './many-providers.ts'
import { type BenchContext, defineBenchmark, percentile, print } from './support.ts'

const FULL = { providers: 100_000, queries: 2000 }

export const nearest = defineBenchmark({
  measures: 'Finding the nearest provider, beside computing every distance, and beside a query that does nothing.',
  full: FULL,
  smoke: { providers: 1000, queries: 20 },
  run,
})

async function run({ createDatabase }: BenchContext, size: typeof FULL): Promise<void> {
  const db = openDb(await createDatabase(), { poolSize: 1 })
  await addManyProviders(db, size.providers)
  const zips: string[] = await db('zip_codes').orderByRaw('md5(zip)').limit(size.queries).pluck('zip')

  const time = async (query: (zip: string) => PromiseLike<unknown>, count = size.queries) => {
    const times: number[] = []
    for (const zip of zips.slice(0, count)) {
      const started = performance.now()
      await query(zip)
      times.push(performance.now() - started)
    }
    return times
  }
  const nothing = await time(() => db.raw('select 1'))
  const nearest = await time((zip) => findCandidates(db, [{ zip }]))
  const everyDistance = await time(
    (zip) =>
      db.raw(
        `select id from providers, zip_location(?) point where status = 't'
         order by earth_distance(location, point) limit 1`,
        [zip],
      ),
    20,
  )
  await db.destroy()

  const row = (times: number[]) => ({
    'p50 ms': percentile(times, 0.5).toFixed(2),
    'p95 ms': percentile(times, 0.95).toFixed(2),
    'p50 of every distance': (percentile(times, 0.5) / percentile(everyDistance, 0.5)).toFixed(4),
  })
  print(`Nearest of ${size.providers} providers (goal: p95 under 2 ms in the database)`, {
    'nearest, round trip included': row(nearest),
    'a query that does nothing': row(nothing),
    'computing every distance': row(everyDistance),
  })
}
