import { applySync } from '../core/commands/sync/apply-sync.ts'
import { type BegunRun, beginSync } from '../core/commands/sync/begin-sync.ts'
import { startSync } from '../core/commands/sync/start-sync.ts'
import { readSyncEnv } from '../core/env.ts'
import { type Db, openDb } from '../core/platform/db.ts'
import { readPosts } from '../worker/sync/run.ts'
import { type BenchContext, defineBenchmark, print, startServer } from './support.ts'

const FULL = { providers: 10_000 }
const PAGE_SIZE = 100
/** The time of a page of a hundred posts, in milliseconds. */
const PAGE_TIME = 50
const MEGABYTE = 1024 * 1024

export const sync = defineBenchmark({
  measures: `The sync of providers from a server that takes ${PAGE_TIME} ms for each page, beside the sum of these: the first, one that changes nothing, and one that changes each.`,
  full: FULL,
  smoke: { providers: 500 },
  run,
})

async function run({ createDatabase }: BenchContext, { providers }: typeof FULL): Promise<void> {
  const pages = Math.ceil(providers / PAGE_SIZE)
  const DATABASE_URL = await createDatabase()
  const db = openDb(DATABASE_URL)
  const server = await startServer('bench/wordpress-server.ts', {
    PAGE_TIME: String(PAGE_TIME),
    PROVIDERS: String(pages * PAGE_SIZE),
  })

  const measure = async (site: string) => {
    const env = readSyncEnv({ DATABASE_URL, WORDPRESS_URL: `${server.url}${site}` })
    const before = await writtenRows(db)
    const memory = watchMemory()
    const started = performance.now()
    const id = await startSync(db, { trigger: 'command', actor: 'command line' })
    const run = (await beginSync(db, id as number)) as BegunRun
    const progress = { pagesDone: 0, pagesTotal: null }
    const reading = await readPosts({ env, db }, progress, new AbortController().signal)
    const read = performance.now()
    const { plan } = await applySync(db, run, reading, {
      ...progress,
      radiusMiles: 100,
      waitingDays: 30,
      mainDomain: env.MAIN_DOMAIN,
    })
    const ended = performance.now()
    const grown = memory.stop()
    const { created, updated, unchanged } = plan.counts
    return {
      'created/updated/unchanged': `${created}/${updated}/${unchanged}`,
      'reading ms': Math.round(read - started),
      'of bare reading': ((read - started) / bare).toFixed(2),
      'database ms': Math.round(ended - read),
      "of the pages' sum": ((ended - started) / (pages * PAGE_TIME)).toFixed(2),
      'rows written': (await writtenRows(db)) - before,
      'memory MB': Math.round(grown / MEGABYTE),
    }
  }
  const bare = await readBare(server.url, pages)
  const first = await measure('')
  const again = await measure('')
  const changed = await measure('/changed')
  await server.stop()
  await db.destroy()
  print(
    `Sync of ${providers} providers, ${pages} pages of ${PAGE_TIME} ms (goals: 2 times their sum, 2000 ms in the database, 100 MB)`,
    { 'the first sync': first, 'nothing has changed': again, 'each has changed': changed },
  )
}

/** Reads the same pages with plain fetch and JSON. @returns the time in milliseconds */
async function readBare(url: string, count: number): Promise<number> {
  const started = performance.now()
  const pages = Array.from({ length: count }, (_, index) => index + 1).values()
  const work = async () => {
    for (const page of pages) await (await fetch(`${url}/?page=${page}`)).json()
  }
  await Promise.all(Array.from({ length: 4 }, work))
  return performance.now() - started
}

async function writtenRows(db: Db): Promise<number> {
  await db.raw('select pg_stat_force_next_flush()')
  const { rows } = await db.raw(
    `select n_tup_ins + n_tup_upd + n_tup_del as written from pg_stat_user_tables where relname = 'providers'`,
  )
  return Number(rows[0].written)
}

/** Watches how far the memory of this process grows. */
function watchMemory(): { stop(): number } {
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, 20)
  return {
    stop() {
      clearInterval(timer)
      return Math.max(most, process.memoryUsage().rss) - before
    },
  }
}
