import { chooseProvider } from '../core/leads/rules/matching.ts'
import { findCandidates } from '../core/leads/stores/candidates.ts'
import { type Db, only, openDb } from '../core/platform/db.ts'
import { type BenchContext, defineBenchmark, percentile, print } from './support.ts'

const FULL = { providers: 100_000, queries: 2000 }
const RADIUS = 100
/** Queries that are not counted: the first ones read pages from the disk, and their code is not compiled yet. */
const WARM_UP = 250

export const matching = defineBenchmark({
  measures:
    'Finding and choosing the provider of a lead: without rules, with rules on all, and where the nearest are full.',
  full: FULL,
  smoke: { providers: 1000, queries: 20 },
  run,
})

async function run({ createDatabase }: BenchContext, size: typeof FULL): Promise<void> {
  const url = await createDatabase()
  const db = openDb(url, { poolSize: 1 })
  await addManyProviders(db, size.providers)
  const zips: string[] = await db('zip_codes')
    .whereBetween('latitude', [24, 50])
    .orderByRaw('md5(zip)')
    .limit(size.queries)
    .pluck('zip')
  // Each on a connection of its own: PostgreSQL compares the plan of a prepared statement with those that the connection had
  // before the tables were filled, and would plan each time.
  const time = async (ask: (db: Db, zip: string) => PromiseLike<unknown>) => {
    const own = openDb(url, { poolSize: 1 })
    for (const zip of zips.slice(0, WARM_UP)) await ask(own, zip)
    const times: number[] = []
    for (const zip of zips) {
      const started = performance.now()
      await ask(own, zip)
      times.push(performance.now() - started)
    }
    await own.destroy()
    return times
  }
  const match = async (own: Db, zip: string) => {
    const [candidates] = await findCandidates(own, [{ zip }], { radiusMiles: RADIUS })
    return chooseProvider({ ...candidates, radiusMiles: RADIUS })
  }

  const nothing = await time((own) => own.raw('select 1'))
  const without = await time(match)
  await addRules(db)
  const withRules = await time(match)
  await fillMany(db)
  const full = await time(match)
  await db.destroy()

  const row = (times: number[]) => ({
    'p50 ms': percentile(times, 0.5).toFixed(2),
    'p95 ms': percentile(times, 0.95).toFixed(2),
    'times without rules': (percentile(times, 0.5) / percentile(without, 0.5)).toFixed(2),
  })
  print(`Matching with ${size.providers} providers (goal: p95 under 2 ms), round trips included`, {
    'a query that does nothing': row(nothing),
    'without rules': row(without),
    'rules on all of them': row(withRules),
    'and most of the nearest are full or paused': row(full),
  })
}

/** Gives every provider caps, zips, hours and a backup; one in fifty is preferred, one in fifty comes last or is paused. */
async function addRules(db: Db): Promise<void> {
  await db.raw(`
    insert into provider_rules (
      provider_id, daily_cap, weekly_cap, monthly_cap, hours, radius_miles, extra_zips, excluded_zips,
      backup_provider_id, priority, is_paused, updated_by
    )
    select id, 10, 40, 120, '{"1": [["09:00", "17:00"]]}', 50 + id % 100, array[zip_code], array['00501', '00544'],
      nullif(id % 1000 + 1, id), case id % 50 when 2 then 1 when 3 then -1 else 0 end, id % 50 = 4, 'benchmark'
    from providers;
    insert into answer_clocks (lead_id, provider_id)
    select row_number() over (), id from providers cross join generate_series(1, 5)`)
  await db.raw('vacuum analyze provider_rules')
  await db.raw('vacuum analyze answer_clocks')
}

/** Pauses or fills two thirds of the providers. */
async function fillMany(db: Db): Promise<void> {
  await db.raw(
    `update provider_rules set is_paused = true where provider_id % 3 = 0;
     insert into answer_clocks (lead_id, provider_id)
     select 10000000 + row_number() over (), id from providers cross join generate_series(1, 5) where id % 3 = 1`,
  )
  await db.raw('vacuum analyze provider_rules')
  await db.raw('vacuum analyze answer_clocks')
}

/** Adds providers near zips of the contiguous states, nine in ten of them active. */
export async function addManyProviders(db: Db, count: number): Promise<void> {
  const places = await db('zip_codes').whereBetween('latitude', [24, 50]).orderByRaw('md5(zip)')
  const rows = Array.from({ length: count }, (_, number) => {
    const { zip, latitude, longitude } = only(places.slice(number % places.length))
    return {
      name: `Provider ${number}`,
      practice_name: `Clinic ${number}`,
      address: `${number} Main Street`,
      phone: '(202) 555-0100',
      zip_code: zip,
      email: `clinic${number}@clinics.example`,
      latitude: latitude + Math.random() - 0.5,
      longitude: longitude + Math.random() - 0.5,
      status: number % 10 === 0 ? 'f' : 't',
    }
  })
  await db.batchInsert('providers', rows, 5000)
  await db.raw('vacuum analyze providers')
}
