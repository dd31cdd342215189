import { dayOf } from '../core/dates.ts'
import { DEFAULT_TIME_ZONE } from '../core/env.ts'
import { type Db, only, openDb, queryRows } from '../core/platform/db.ts'
import { periodOf } from '../core/rules/periods.ts'
import * as attempts from '../core/stores/attempts.ts'
import * as dueJobs from '../core/stores/due-jobs.ts'
import { countFailed } from '../core/stores/failed-jobs.ts'
import * as funnel from '../core/stores/funnel.ts'
import * as jobs from '../core/stores/jobs.ts'
import * as metrics from '../core/stores/metrics.ts'
import * as overview from '../core/stores/overview.ts'
import { DAY, MINUTE } from '../core/time.ts'
import { storeLeads } from './drain.ts'
import { type BenchContext, defineBenchmark, median, percentile, print } from './support.ts'

const FULL = { jobs: 50_000_000, rounds: 200 }
/** The small ledger has this share of the big one's rows. */
const SMALL_SHARE = 0.001
/** Attempts that are older than their retention, as a share of the big ledger, in both ledgers. */
const OVERDUE_SHARE = 0.004
/** Leads of a round. Each has three jobs, which one relay pass takes. */
const LEADS = 30
const RELAY_BATCH = 100
/** One delivery in so many fails for good. */
const FAILING = 50
/** Rounds after which the heavy reads of the dashboard are measured once. */
const HEAVY_EVERY = 10
/** The part of the rounds that warms the caches up. */
const WARM_UP = 0.2
const SLICE = 1_000_000

export const ledgerSize = defineBenchmark({
  measures: 'What the ledger does while it holds old settled jobs, beside a ledger with a thousandth of them.',
  full: FULL,
  smoke: { jobs: 3000, rounds: 5 },
  run,
})

async function run({ createDatabase, seedProviders }: BenchContext, size: typeof FULL): Promise<void> {
  const overdue = Math.ceil(size.jobs * OVERDUE_SHARE)
  const ledgers = { small: Math.ceil(size.jobs * SMALL_SHARE), big: size.jobs }
  const open = async (old: number): Promise<Ledger> => {
    const url = await createDatabase()
    await seedProviders(url)
    await addOldJobs(url, old, overdue)
    return { db: openDb(url, { poolSize: 2, statementTimeout: 0 }), oldLeads: Math.ceil(old / 3), times: new Map() }
  }
  const small = await open(ledgers.small)
  const started = performance.now()
  const big = await open(ledgers.big)
  console.log(`Filled with ${size.jobs} jobs in ${Math.round((performance.now() - started) / 1000)} s`)
  try {
    // In turns, so that both have the same neighbors on this machine.
    for (let round = 0; round < size.rounds; round += 1) {
      if (round === Math.floor(size.rounds * WARM_UP)) for (const { times } of [small, big]) times.clear()
      for (const ledger of round % 2 === 0 ? [small, big] : [big, small]) await playRound(ledger, round)
    }
    for (const ledger of [small, big]) await purgeAttempts(ledger, overdue)
    print(`A ledger of ${ledgers.big} old jobs, ms, beside one of ${ledgers.small}`, compare(small.times, big.times))
    print('Sizes in MB', { small: await sizesOf(small.db), big: await sizesOf(big.db) })
  } finally {
    await Promise.all([small, big].map(({ db }) => db.destroy()))
  }
}

/** `times` has the measured milliseconds of each step. */
type Ledger = { db: Db; oldLeads: number; times: Map<string, number[]> }

async function timed<Result>({ times }: Ledger, step: string, work: () => Promise<Result>): Promise<Result> {
  const started = performance.now()
  const result = await work()
  times.set(step, [...(times.get(step) ?? []), performance.now() - started])
  return result
}

/** Takes some leads all the way through the ledger, and reads it as staff and monitoring do. */
async function playRound(ledger: Ledger, round: number): Promise<void> {
  const { db, oldLeads } = ledger
  await timed(ledger, `store ${LEADS} leads with their jobs`, () => storeLeads(db, LEADS))
  const due = await timed(ledger, 'relay: take due jobs', () =>
    db.transaction((trx) => dueJobs.takeDue(trx, RELAY_BATCH)),
  )
  const ids = due.map(({ id }) => id)
  const begun = await timed(ledger, 'begin a batch of attempts', () => attempts.begin(db, ids))
  const ended = begun.map((attempt, index) => ({ attempt, settlement: settlementOf(index), ms: 20 }))
  await timed(ledger, 'settle a batch of attempts', () => db.transaction((trx) => attempts.settleAll(trx, ended)))
  await timed(ledger, 'sweep', () => dueJobs.sweep(db, 5 * MINUTE))

  const { id: leadId } = only(await db('leads').select('id').orderBy('id', 'desc').limit(1))
  await timed(ledger, 'add a job: a retry by staff', () =>
    db.transaction((trx) => jobs.add(trx, { leadId }, [{ name: 'sync-crm', purpose: 'created' }])),
  )
  await timed(ledger, 'ledger of a new lead', () => jobs.list(db, { leadId }))
  const oldLead = 1 + Math.floor(Math.random() * oldLeads)
  await timed(ledger, 'ledger of an old lead', () => jobs.list(db, { leadId: oldLead }))
  const since = new Date(Date.now() - 7 * DAY).toISOString()
  await timed(ledger, 'count failed jobs of a week', () => countFailed(db, { since }))
  await timed(ledger, 'backlog, for the metrics', () => metrics.readBacklog(db))
  if (round % HEAVY_EVERY > 0) return
  const period = periodOf({ to: dayOf(new Date(), DEFAULT_TIME_ZONE) }, new Date(), DEFAULT_TIME_ZONE)
  await timed(ledger, 'overview of 30 days', () => overview.read(db, { ...period, timeZone: DEFAULT_TIME_ZONE }))
  await timed(ledger, 'funnel of 30 days', () => funnel.read(db, { ...period, timeZone: DEFAULT_TIME_ZONE }))
  await timed(ledger, 'count failed jobs of all time', () => countFailed(db, {}))
}

function settlementOf(index: number): attempts.Settlement {
  return index % FAILING === 0
    ? { state: 'failed', cause: 'refused', error: 'The other side refused it.' }
    : {
        state: 'done',
        result: { status: 250, to: 'clinic@clinics.example', response: '250 2.0.0 Ok: queued as 4F7C2' },
      }
}

/**
 * Measures the purge of attempts: while there is something to purge, when nothing is left, and again once new attempts
 * have taken the room of the deleted ones. PostgreSQL's BRIN ranges only ever widen, so a range that once held old
 * attempts is read by every later purge (manual, "BRIN Indexes", 64.5).
 */
async function purgeAttempts(ledger: Ledger, overdue: number): Promise<void> {
  const { db } = ledger
  const nothingLeft = async (step: string) => {
    for (let run = 0; run < 5; run += 1) await timed(ledger, step, () => attempts.purge(db))
  }
  for (let left = overdue; left > 0; ) {
    left -= await timed(ledger, 'purge a batch of attempts', () => attempts.purge(db))
  }
  await db.raw('vacuum (index_cleanup on, truncate off) job_attempts')
  await nothingLeft('purge, nothing to do')
  await db.raw(
    `insert into job_attempts (job_id, started_at, duration_ms, outcome, status)
     select gen_random_uuid(), now(), 20, 'done', 250 from generate_series(1, ?::integer)`,
    [overdue],
  )
  await nothingLeft(`purge, nothing to do, ${overdue} rows in reused room`)
}

function compare(small: Ledger['times'], big: Ledger['times']): Record<string, Record<string, string>> {
  return Object.fromEntries(
    [...small].map(([step, times]) => {
      const bigTimes = big.get(step) ?? []
      const ratio = (share: number) => (percentile(bigTimes, share) / percentile(times, share)).toFixed(2)
      const p50 = { 'small p50': median(times).toFixed(1), 'big p50': median(bigTimes).toFixed(1), ratio: ratio(0.5) }
      return [step, { ...p50, 'big p95': percentile(bigTimes, 0.95).toFixed(1), 'ratio of p95': ratio(0.95) }]
    }),
  )
}

/**
 * Adds settled jobs, three a lead, with one attempt each, spread evenly over the year before the last month; `overdue`
 * attempts are older than their retention. The leads themselves are not needed: `jobs` has no foreign key. New leads get
 * ids after them.
 */
async function addOldJobs(url: string, count: number, overdue: number): Promise<void> {
  const db = openDb(url, { poolSize: 1, statementTimeout: 0, idleTransactionTimeout: 0 })
  await db.raw(`set synchronous_commit = off; set maintenance_work_mem = '1GB'`)
  await db.raw(`alter table leads alter column id restart with ${Math.ceil(count / 3) + 1}`)
  for (const [table, addRows] of [
    ['job_attempts', addAttempts],
    ['jobs', addJobs],
  ] as const) {
    await db.raw(`alter table ${table} set (autovacuum_enabled = off)`)
    const keys = await dropKeys(db, table)
    await addRows(db, count, overdue)
    for (const key of keys) await db.raw(key)
    await db.raw(`alter table ${table} reset (autovacuum_enabled)`)
    await db.raw(`vacuum (analyze) ${table}`)
  }
  await db.raw('checkpoint')
  await db.destroy()
}

/**
 * Drops the keys, which are faster to build once than to maintain for each row, and what refers to them. Returns the statements
 * that add all of them again.
 */
async function dropKeys(db: Db, table: string): Promise<string[]> {
  const keys = await queryRows<{ owner: string; name: string; definition: string }>(
    db,
    `select conrelid::regclass::text as owner, conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
     where conrelid = :table::regclass and contype in ('p', 'u') or confrelid = :table::regclass and contype = 'f'
     order by contype = 'f'`,
    { table },
  )
  for (const { owner, name } of keys.toReversed()) await db.raw(`alter table ${owner} drop constraint ${name}`)
  return keys.map(({ owner, name, definition }) => `alter table ${owner} add constraint ${name} ${definition}`)
}

/** The id and the time of old job number `n`. Ids are random, as in life. */
const ID = 'md5(n::text)::uuid'
const AT = `now() - interval '31 days' - interval '330 days' * (1 - n::double precision / :count)`

async function addJobs(db: Db, count: number): Promise<void> {
  await inSlices(db, count, {
    first: 1,
    sql: `insert into jobs (id, lead_id, name, purpose, state, attempts, last_error, last_cause, result, created_at,
        next_attempt_at, enqueued_at, finished_at)
      select ${ID}, (n + 2) / 3,
        case n % 3 when 2 then 'sync-crm' else 'send-email' end,
        case n % 3 when 0 then 'provider' when 1 then 'visitor' else 'created' end,
        case when is_failed then 'failed' else 'done' end, 1,
        case when is_failed then 'The other side refused it.' end, case when is_failed then 'refused' end,
        '{"status": 250, "to": "clinic@clinics.example", "response": "250 2.0.0 Ok: queued as 4F7C2"}',
        at, at, at + interval '100 ms', at + interval '300 ms'
      from (select n, ${AT} as at, n % 311 = 0 as is_failed from (select generate_series(cast(:from as integer), cast(:to as integer)) as n) each) old`,
  })
}

async function addAttempts(db: Db, count: number, overdue: number): Promise<void> {
  await inSlices(db, count, {
    first: 1 - overdue,
    sql: `insert into job_attempts (job_id, started_at, duration_ms, outcome, status)
      select ${ID}, ${AT} - case when n <= 0 then interval '30 days' else interval '0' end, 200, 'done', 250
      from (select generate_series(cast(:from as integer), cast(:to as integer)) as n) each`,
  })
}

async function inSlices(db: Db, count: number, { first, sql }: { first: number; sql: string }): Promise<void> {
  for (let from = first; from <= count; from += SLICE) {
    await db.raw(sql, { count, from, to: Math.min(count, from + SLICE - 1) })
  }
}

async function sizesOf(db: Db): Promise<Record<string, number>> {
  const rows = await queryRows<{ name: string; megabytes: number }>(
    db,
    `select relname as name, (pg_relation_size(oid) / 1048576)::integer as megabytes from pg_class
     where oid = any(array['jobs', 'job_attempts']::regclass[])
       or oid in (select indexrelid from pg_index where indrelid = any(array['jobs', 'job_attempts']::regclass[]))
     order by pg_relation_size(oid) desc limit 8`,
  )
  return Object.fromEntries(rows.map(({ name, megabytes }) => [name, megabytes]))
}
