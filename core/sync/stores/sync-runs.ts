import { DAY } from '../../contract/time.ts'
import * as jobs from '../../deliveries/stores/jobs.ts'
import { AppError } from '../../errors.ts'
import { countRows, type Db, type Transaction } from '../../platform/db.ts'
import type { Row, RowWith } from '../../tables/table.ts'
import { SyncCounts, SyncRun, type SyncRunDetails, type SyncRunListQuery } from '../contract/sync.ts'

/** The job of a run. The other jobs of a run are emails about it. */
export const SYNC_JOB = { name: 'sync-providers', purpose: 'run' } as const

/** Sets how long a run is kept, in milliseconds. */
export const RETENTION = 90 * DAY
const PURGED_AT_ONCE = 100

/** States of a run that has not ended. */
export const OPEN = ['waiting', 'running']

/** Finds a run, without its lists. @throws AppError `not_found` */
export async function get(db: Db, id: number): Promise<SyncRun> {
  const row = await query(db).where('run.id', id).first()
  if (!row) throw noSuchSync()
  return present(row)
}

export async function find(db: Db, id: number): Promise<SyncRunDetails | null> {
  const row = await query(db)
    .select<RunRow<'changes' | 'skipped_posts' | 'doubts'>[]>('changes', 'skipped_posts', 'doubts')
    .where('run.id', id)
    .first()
  return row
    ? { ...present(row), changes: row.changes, skipped: row.skipped_posts, doubts: row.doubts, impact: null }
    : null
}

export const noSuchSync = () => new AppError('not_found', 'There is no such sync.')

/** Lists one page of the runs, the newest first, and counts them. */
export async function list(db: Db, { page, limit }: SyncRunListQuery): Promise<{ runs: SyncRun[]; total: number }> {
  const [rows, total] = await Promise.all([
    query(db)
      .orderBy('run.id', 'desc')
      .limit(limit)
      .offset((page - 1) * limit),
    countRows(db('provider_syncs')),
  ])
  return { runs: rows.map(present), total }
}

/** Reads the run under way, the time of the last applied run, and the last run that can be approved. */
export async function status(db: Db): Promise<{
  current: SyncRun | null
  lastSuccessAt: Date | null
  needsApproval: number | null
}> {
  // One after the other, because alerts read it in a transaction, whose connection takes one query at a time.
  const current = await query(db).whereIn('state', OPEN).orderBy('state').first()
  const times = await db('provider_syncs')
    .where({ dry_run: false, state: 'done' })
    .max({ lastSuccess: 'finished_at' })
    .first()
  const pending = await query(db).where('state', 'needs_approval').orderBy('run.id', 'desc').first()
  return {
    current: current ? present(current) : null,
    lastSuccessAt: times?.lastSuccess ?? null,
    needsApproval: pending?.can_be_approved ? pending.id : null,
  }
}

/**
 * Deletes a batch of runs that are older than their retention, with their jobs, but never the last applied run. Returns
 * their number.
 */
export async function purge(db: Db): Promise<number> {
  return db.transaction(async (trx) => {
    const ids: number[] = await old(trx).limit(PURGED_AT_ONCE).forUpdate().pluck('id')
    for (const syncId of ids) await jobs.remove(trx, `sync:${syncId}`)
    await trx('provider_syncs').whereIn('id', ids).delete()
    return ids.length
  })
}

function old(db: Db) {
  return db('provider_syncs')
    .where('finished_at', '<', db.raw(`now() - ? * interval '1 ms'`, [RETENTION]))
    .whereNotIn(
      'id',
      db('provider_syncs').where({ dry_run: false, state: 'done' }).orderBy('id', 'desc').limit(1).select('id'),
    )
}

/** Locks a run until the transaction ends. Every change of its jobs takes this lock first. */
export async function lock(trx: Transaction, id: number): Promise<SyncRunDetails | null> {
  const row = await trx('provider_syncs').where({ id }).forNoKeyUpdate().first('id')
  return row ? find(trx, id) : null
}

function query(db: Db) {
  return db('provider_syncs as run').select<RunRow[]>(
    'run.id',
    'run.created_at',
    ...COLUMNS,
    db.raw('(select name from staff_accounts where lower(email) = lower(started_by)) as started_by_name'),
    db.raw(`approval_reasons <> '[]' and (state = 'needs_approval' or (dry_run and state = 'done'))
      and not exists (select from provider_syncs later
        where later.id > run.id and not later.dry_run and later.state = 'done')
      as can_be_approved`),
    db.raw(`(select count(*)::integer from jobs
      where payload ->> 'syncId' = run.id::text and jobs.state = 'done' and result ->> 'providerId' is not null) as leads_matched`),
    db.raw(`(select count(*)::integer from leads where id = any(run.old_leads) and ${ASKED}) as old_leads`),
    db.raw(`(
      select json_build_object('id', id, 'trigger', trigger, 'started_by', started_by, 'created_at', created_at,
        'started_by_name', (select name from staff_accounts where lower(email) = lower(approval.started_by)))
      from provider_syncs approval where approval.approves = run.id and approval.state <> 'failed'
      order by id desc limit 1
    ) as approved`),
  )
}

/** SQL for the leads of a run that are still to be matched. */
const ASKED = 'provider_id is null and held_reason is null and not is_test'

/** Queries the ids of the leads that a run asks about and that are not matched yet. */
export function askedLeads(db: Db, runId: number) {
  return db('leads')
    .select('id')
    .whereRaw(`id = any((select old_leads from provider_syncs where id = ?)::integer[]) and ${ASKED}`, [runId])
}

const COLUMNS = [
  ...(['dry_run', 'trigger', 'started_by', 'state', 'started_at', 'finished_at', 'pages_done', 'pages_total'] as const),
  ...SyncCounts.keyof().options,
  ...(['approval_reasons', 'approves', 'leads_queued', 'old_leads_before', 'error'] as const),
]
type RunRow<More extends keyof Row<'provider_syncs'> = never> = RowWith<
  'provider_syncs',
  'id' | 'created_at' | (typeof COLUMNS)[number] | More,
  Pick<SyncRun, 'started_by_name' | 'can_be_approved' | 'leads_matched' | 'old_leads' | 'approved'>
>

/** Returns the run of a row: the contract leaves out what does not belong to it. */
function present(row: RunRow): SyncRun {
  const { created_at, started_at, finished_at, old_leads_before, approved } = row
  return SyncRun.parse({
    ...row,
    created_at: created_at.toISOString(),
    started_at: started_at?.toISOString() ?? null,
    finished_at: finished_at?.toISOString() ?? null,
    counts: row,
    approved: approved && { ...approved, created_at: new Date(approved.created_at).toISOString() },
    old_leads_before: old_leads_before?.toISOString() ?? null,
  })
}
