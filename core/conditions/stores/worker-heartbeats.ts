import { type Db, only, queryRows } from '../../platform/db.ts'
import { DAY, SECOND } from '../../time.ts'

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

/** Records that a worker has stopped. */
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

/** Reads the signs of life of all workers. */
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
