import { openDb } from '../core/db.ts'
import * as providers from '../core/stores/providers.ts'
import { addManyProviders } from './many-providers.ts'
import { type BenchContext, percentile, print } from './support.ts'

const PROVIDERS = 100_000
const QUERIES = 2000

/** Finding the nearest of 100,000 providers, beside computing every distance, and beside a query that does nothing. */
export async function benchNearest({ createDatabase }: BenchContext): Promise<void> {
  const db = openDb(await createDatabase(), { poolSize: 1 })
  await addManyProviders(db, PROVIDERS)
  const zips: string[] = await db('zip_codes').orderByRaw('md5(zip)').limit(QUERIES).pluck('zip')

  const time = async (query: (zip: string) => PromiseLike<unknown>, count = QUERIES) => {
    const times: number[] = []
    for (const zip of zips.slice(0, count)) {
      const started = performance.now()
      await query(zip)
      times.push(performance.now() - started)
    }
    return times
  }
  const nothing = await time(() => db.raw('select 1'))
  const nearest = await time((zip) => providers.findCandidates(db, [{ zip }]))
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
  print(`Nearest of ${PROVIDERS} providers (goal: p95 under 2 ms in the database)`, {
    'nearest, round trip included': row(nearest),
    'a query that does nothing': row(nothing),
    'computing every distance': row(everyDistance),
  })
}
