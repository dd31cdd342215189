import { DAY, SECOND } from '../../contract/time.ts'
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

/** In milliseconds: how long the heartbeat of a stopped worker is kept. */
const RETENTION = 7 * DAY

/** In milliseconds: a worker writes a heartbeat every ten seconds. One that was not seen for so long does not run. */
const TIMEOUT = 45 * SECOND

/** What a worker is connected to, without secrets. */
export type WorkerSettings = {
  /** Host and port of the mail server, and the addresses of the settings. */
  mail: { server: string; from: string; team: string }
  /** `host` is null where the sender names none. */
  crm: { kind: string; host: string | null }
}

/** Records that a worker takes up jobs. `id` is the worker’s own, made at its start. */
export async function beat(db: Db, id: string, settings: WorkerSettings): Promise<void> {
  const [known] = await db('worker_heartbeats').where({ id }).update({ seen_at: db.fn.now() }).returning('id')
  if (known) return
  await db('worker_heartbeats')
    .insert({ id, settings: JSON.stringify(settings) })
    .onConflict('id')
    .ignore()
  await db('worker_heartbeats')
    .where('seen_at', '<', db.raw(`now() - ? * interval '1 ms'`, [RETENTION]))
    .delete()
}

export async function stop(db: Db, id: string): Promise<void> {
  await db('worker_heartbeats').where({ id }).update({ stopped_at: db.fn.now() })
}

/** Reads what the newest running worker is connected to. Returns null when none runs. */
export async function readSettings(db: Db): Promise<WorkerSettings | null> {
  const newest = await db('worker_heartbeats')
    .whereNull('stopped_at')
    .whereRaw(`seen_at > now() - ? * interval '1 ms'`, [TIMEOUT])
    .orderBy('started_at', 'desc')
    .first('settings')
  return newest?.settings ?? null
}

export async function read(db: Db): Promise<{ running: number; lastSeen: Date | null; runningSince: Date | null }> {
  return only(
    await queryRows(
      db,
      `select (count(*) filter (where runs))::integer as running, max(seen_at) as "lastSeen",
         min(started_at) filter (where runs) as "runningSince"
       from (
         select *, stopped_at is null and seen_at > now() - ? * interval '1 ms' as runs from worker_heartbeats
       ) worker`,
      [TIMEOUT],
    ),
  )
}
