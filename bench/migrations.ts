import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND } from '../core/contract/time.ts'
import { type Db, openDb } from '../core/platform/db.ts'
import { seedLeads } from './seed-leads.ts'
import { type BenchContext, defineBenchmark, print } from './support.ts'

const FULL = { leads: 1_000_000, seconds: 10 }
/** Between two writes of the writer: a write every few milliseconds, as on a very busy day. */
const PAUSE = 5

/** Ways to change the table, and what `docs/migrations.md` recommends in their place. */
const CHANGES: Record<string, string[]> = {
  'create index': ['create index bench_idx on all_leads (email, id)'],
  'create index concurrently': [
    'drop index concurrently if exists bench_idx',
    'create index concurrently bench_idx on all_leads (email, id)',
  ],
  'add column, with a default': [`alter table all_leads add column bench_column text not null default 'none'`],
  'add check': [`alter table all_leads add constraint bench_check check (zip_code <> '')`],
  'add check not valid, then validate': [
    `alter table all_leads add constraint bench_late_check check (zip_code <> '') not valid`,
    'alter table all_leads validate constraint bench_late_check',
  ],
}

export const migrations = defineBenchmark({
  measures: 'How long writes to `leads` wait while its schema changes, beside no change.',
  full: FULL,
  smoke: { leads: 2000, seconds: 1 },
  run,
})

async function run({ createDatabase }: BenchContext, size: typeof FULL): Promise<void> {
  const url = await createDatabase()
  console.log(`Storing ${size.leads} leads, which takes a while`)
  await seedLeads(url, size.leads)
  const db = openDb(url, { poolSize: 2, statementTimeout: 0 })
  try {
    const base = await measure(db, () => sleep(size.seconds * SECOND))
    const rows = { 'no change': row(base, base) }
    for (const [name, statements] of Object.entries(CHANGES)) {
      const times = await measure(db, async () => {
        for (const statement of statements) await db.raw(statement)
      })
      Object.assign(rows, { [name]: row(times, base) })
    }
    print(`Longest wait of a write to ${size.leads} leads (goal: below a second)`, rows)
  } finally {
    await db.destroy()
  }
}

type Times = { change: number; longestWrite: number }

/** Changes the table while leads are written, one after the other. Returns milliseconds. */
async function measure(db: Db, change: () => Promise<unknown>): Promise<Times> {
  let isDone = false
  let longestWrite = 0
  const write = async () => {
    for (let id = 1; !isDone; id += 1) {
      const started = performance.now()
      await db.raw('update leads set last_name = last_name where id = ?', id)
      longestWrite = Math.max(longestWrite, performance.now() - started)
      await sleep(PAUSE)
    }
  }
  const writing = write()
  await sleep(SECOND / 2)
  const started = performance.now()
  await change()
  const took = performance.now() - started
  isDone = true
  await writing
  return { change: took, longestWrite }
}

function row({ change, longestWrite }: Times, base: Times) {
  return {
    'change ms': change.toFixed(0),
    'longest write ms': longestWrite.toFixed(1),
    'times no change': (longestWrite / base.longestWrite).toFixed(1),
    'share of the change': (longestWrite / change).toFixed(4),
  }
}
