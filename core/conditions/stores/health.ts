import { type Db, only, queryRows } from '../../platform/db.ts'
import type { Attempts, Integrations } from '../contract/integrations.ts'

type Syncs = { hour: Attempts; day: Attempts; lastFailure: { at: Date; error: string } | null }

/** Reads the runs of the provider sync that have ended, without dry runs. Runs that wait for approval have not failed. */
export async function readSyncs(db: Db): Promise<Syncs> {
  const within = (state: string, period: string) =>
    `count(*) filter (where state = '${state}' and finished_at > now() - interval '${period}')`
  const { failedAt, error, ...counts } = only(
    await queryRows<Omit<Syncs, 'lastFailure'> & { failedAt: Date | null; error: string | null }>(
      db,
      `with failure as (
         select finished_at, error from provider_syncs where state = 'failed' and not dry_run order by id desc limit 1
       )
       select
         json_build_object('succeeded', ${within('done', '1 hour')}, 'failed', ${within('failed', '1 hour')}) as hour,
         json_build_object('succeeded', ${within('done', '1 day')}, 'failed', ${within('failed', '1 day')}) as day,
         (select finished_at from failure) as "failedAt", (select error from failure) as error
       from provider_syncs where not dry_run and finished_at > now() - interval '1 day'`,
    ),
  )
  return { ...counts, lastFailure: failedAt && { at: failedAt, error: error ?? 'It failed.' } }
}

/** Counts the jobs of the ledger that are handed to the queue, and those that are due and not yet handed to it. */
export async function countOpen(db: Db): Promise<{ enqueued: number; waiting: number }> {
  return only(
    await queryRows(
      db,
      `select (select count(*)::integer from jobs where state = 'enqueued') as enqueued,
         (select count(*)::integer from jobs where state = 'waiting') as waiting`,
    ),
  )
}

/** Measures the database: the duration of a short query, its size, connections and longest transaction. */
export async function readDatabase(db: Db): Promise<Omit<Integrations['database'], 'state' | 'note'>> {
  const begun = performance.now()
  await db.raw('select 1')
  const answer_ms = Math.round((performance.now() - begun) * 10) / 10
  const facts = only(
    await queryRows<Omit<Integrations['database'], 'state' | 'note' | 'answer_ms'>>(
      db,
      `select pg_database_size(current_database())::double precision as bytes,
         (select count(*)::integer from pg_stat_activity where backend_type = 'client backend') as connections,
         current_setting('max_connections')::integer as max_connections,
         coalesce((
           select extract(epoch from max(now() - xact_start)) from pg_stat_activity
           where datname = current_database() and backend_type = 'client backend'
         ), 0)::double precision as longest_transaction`,
    ),
  )
  return { answer_ms, ...facts }
}
