import type { Export } from '../contract/exports.ts'
import type { LeadExportQuery } from '../contract/leads.ts'
import { countRows, type Db, only, type Transaction } from '../platform/db.ts'
import { currentRequest } from '../platform/request-context.ts'
import { traceParent } from '../platform/trace.ts'
import { DAY, HOUR } from '../time.ts'
import * as changes from './changes.ts'
import { JOBS_CHANNEL, OPEN } from './jobs.ts'
import type { Changes, Row, RowWith } from './table.ts'

/*
 * The files of large exports. A worker writes a file in pieces. Each beginning of an export raises its `attempt`, and only
 * the worker that has the newest one can write, so that two workers never mix their pieces.
 */

/** Sets how long a file is kept after its rows were read, or an export waits for a worker, in milliseconds. */
export const LIFETIME = DAY

/** In milliseconds: longer than any transaction that deletes a lead. */
const DELETION_TIMEOUT = HOUR

/** The person who asked for an export. */
export type ExportOwner = { actor: string; actorId?: number | null }

export type ExportRow = Row<'exports'>
/** A begun attempt. */
export type Run = { id: string; attempt: number; query: LeadExportQuery }

const ownedBy = ({ actor, actorId = null }: ExportOwner) => ({
  'exports.actor': actor,
  'exports.account_id': actorId,
})
const after = (db: Db, ms: number) => db.raw(`clock_timestamp() + ? * interval '1 ms'`, [ms])

/** Makes the transactions that start exports wait for each other, so that they can count them. */
export async function lockStarts(trx: Transaction): Promise<void> {
  await trx.raw(`select pg_advisory_xact_lock(hashtext('exports'))`)
}

/** Counts the exports of a person that are prepared or stored. */
export async function countKept(db: Db, owner: ExportOwner): Promise<number> {
  return countRows(
    current(db, owner)
      .whereNull('deleted_because')
      .whereIn('state', [...OPEN, 'done']),
  )
}

/** Adds an export of `total` leads. Returns the id of its job. */
export async function add(
  trx: Transaction,
  { query, total, auditLine }: { query: LeadExportQuery; total: number; auditLine: number },
  { actor, actorId: account_id = null }: ExportOwner,
): Promise<string> {
  const { id: request_id = null, ip = null, sessionId: session_id = null } = currentRequest() ?? {}
  const job = { name: 'export', purpose: 'leads', request_id, trace_parent: traceParent() } as const
  const { id } = only(await trx('jobs').insert(job).returning('id'))
  await trx('exports').insert({
    ...{ job_id: id, actor, account_id, ip, session_id, query: JSON.stringify(query), total, audit_line: auditLine },
    expires_at: after(trx, LIFETIME),
  })
  await changes.announce(trx, { exports: [id] })
  await trx.raw('select pg_notify(?, ?)', [JOBS_CHANNEL, ''])
  return id
}

/** Finds an export, of a person or of anybody. */
export async function find(db: Db, id: string, owner?: ExportOwner): Promise<ExportRow | null> {
  return (
    (await db('exports')
      .where({ job_id: id, ...(owner && ownedBy(owner)) })
      .first()) ?? null
  )
}

/** Lists the exports of a person that have not expired, the newest first, without those that the person deleted. */
export async function list(db: Db, owner: ExportOwner): Promise<Export[]> {
  const rows = await current(db, owner)
    .whereRaw(`deleted_because is distinct from 'unwanted'`)
    .orderBy('exports.created_at', 'desc')
    .select('job_id', 'state', 'done', 'total', 'query', 'expires_at', 'deleted_because', 'exports.finished_at')
  return rows.map(present)
}

type ListedRow = RowWith<
  'exports',
  'job_id' | 'done' | 'total' | 'query' | 'expires_at' | 'deleted_because' | 'finished_at'
> &
  RowWith<'jobs', 'state'>

function present({ job_id: id, state, expires_at, deleted_because, finished_at, ...row }: ListedRow): Export {
  const stage = deleted_because ? 'erased' : finished_at ? 'done' : state === 'failed' ? 'failed' : 'running'
  const { done, total, query } = row
  return { id, state: stage, done, total, query, expires_at: expires_at.toISOString() }
}

function current(db: Db, owner: ExportOwner) {
  return db('exports')
    .join('jobs', 'jobs.id', 'exports.job_id')
    .where(ownedBy(owner))
    .where('expires_at', '>', db.fn.now())
}

/**
 * Begins to write the file, from its start. An earlier worker of this export can write no more. Waits for transactions
 * that delete leads for good, so that none of their leads is read.
 * @returns null when the file is finished or deleted
 */
export async function begin(db: Db, id: string): Promise<Run | null> {
  return db.transaction(async (trx) => {
    await trx.raw(`select pg_advisory_xact_lock(hashtext('export-rows'))`)
    const [row] = await trx('exports')
      .where({ job_id: id, finished_at: null, deleted_because: null })
      .update({
        attempt: trx.raw('attempt + 1'),
        done: 0,
        started_at: trx.raw('clock_timestamp()'),
        expires_at: after(trx, LIFETIME),
      })
      .returning(['attempt', 'query'])
    if (!row?.query) return null
    await trx('export_pieces').where({ job_id: id }).delete()
    return { id, attempt: row.attempt, query: row.query }
  })
}

/** Adds a piece to the file, and its rows to the progress. Returns false when this attempt can write no more. */
export async function addPiece(
  db: Db,
  run: Run,
  { position, content, ids }: { position: number; content: string; ids: number[] },
): Promise<boolean> {
  return db.transaction(async (trx) => {
    if (!(await update(trx, run, { done: trx.raw('done + ?', [ids.length]) }))) return false
    await trx('export_pieces').insert({ job_id: run.id, position, content, row_ids: ids })
    return true
  })
}

/** Ends the file, which has `rows` rows. Returns false when this attempt can write no more. */
export async function finish(trx: Transaction, run: Run, rows: number): Promise<boolean> {
  return update(trx, run, { finished_at: trx.fn.now(), done: rows, total: rows })
}

async function update(trx: Transaction, { id, attempt }: Run, values: Changes<'exports'>): Promise<boolean> {
  const own = trx('exports').where({ job_id: id, attempt, finished_at: null, deleted_because: null })
  return (await own.update(values)) > 0
}

/** Reads a finished file, which has one piece at least. @throws Error when the file is deleted meanwhile */
export async function* readPieces(db: Db, id: string): AsyncGenerator<{ content: string; ids: number[] }> {
  const pieces = await countRows(db('export_pieces').where({ job_id: id }))
  for (let position = 0; position < Math.max(pieces, 1); position++) {
    const piece = await db('export_pieces').where({ job_id: id, position }).first('content', 'row_ids')
    if (!piece) throw new Error('The export was deleted during a download.')
    yield { content: piece.content, ids: piece.row_ids }
  }
}

/**
 * Deletes the file of an export, finished or not, and cancels the job. Removes one that was deleted before from the list,
 * and returns false.
 */
export async function remove(trx: Transaction, id: string): Promise<boolean> {
  if ((await drop(trx, trx('exports').where({ job_id: id }), 'unwanted')).length > 0) return true
  await trx('exports').where({ job_id: id }).update({ expires_at: trx.fn.now() })
  await changes.announce(trx, { exports: [id] })
  return false
}

/**
 * Deletes the files that may hold a lead that is deleted for good in this transaction: those whose rows were read before
 * the lead was taken out of the list, at `deletedAt`. An export that begins meanwhile waits for the end of the transaction.
 */
export async function eraseHolding(trx: Transaction, deletedAt: Date): Promise<void> {
  await trx.raw(`select pg_advisory_xact_lock_shared(hashtext('export-rows'))`)
  const latest = new Date(deletedAt.getTime() + DELETION_TIMEOUT)
  await drop(trx, trx('exports').where('started_at', '<=', latest), 'erased')
}

/** Deletes the files that have expired. Returns their number. */
export async function expire(db: Db): Promise<number> {
  const expired = db('exports').where('expires_at', '<=', db.fn.now())
  return (await db.transaction((trx) => drop(trx, expired.transacting(trx), 'expired'))).length
}

/** Deletes files with their searches, and cancels open jobs. Returns the ids. */
async function drop(
  trx: Transaction,
  which: ReturnType<typeof exportsQuery>,
  because: NonNullable<ExportRow['deleted_because']>,
): Promise<string[]> {
  const rows = await which
    .whereNull('deleted_because')
    .update({ query: null, deleted_because: because })
    .returning('job_id')
  const ids = rows.map(({ job_id }) => job_id)
  if (ids.length === 0) return ids
  // A statement of its own, which sees a piece that was written while the update waited for it.
  await trx('export_pieces').whereIn('job_id', ids).delete()
  await trx('jobs').whereIn('id', ids).whereIn('state', OPEN).update({ state: 'cancelled', finished_at: trx.fn.now() })
  await changes.announce(trx, { exports: ids })
  return ids
}

const exportsQuery = (trx: Transaction) => trx('exports')
