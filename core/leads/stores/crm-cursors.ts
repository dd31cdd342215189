import { type Db, queryRows } from '../../platform/db.ts'
import { MINUTE, SECOND } from '../../time.ts'

/** The source of the mailbox to which replies go. */
export const INBOX = 'inbox'

/*
 * How far the outcomes that a CRM is asked for, and the replies in the mailbox, have been read, by the name of the source. Times in `changed_since` and
 * `pass_began_at` are those of the CRM's clock.
 */

/** The time from the end of a pass to the next one. */
export const READ_INTERVAL = MINUTE
/** The time after which another worker reads on, unless the cursor is renewed. */
const LEASE = 20 * SECOND
/** How often the worker that reads renews its cursor. */
export const HEARTBEAT_INTERVAL = 5 * SECOND
/** A shorter failure is no news for staff. */
export const MIN_FAILURE_SHOWN = 15 * MINUTE

/** A cursor that a worker has claimed: the changes since a time, of the records with greater ids than `afterId`. */
export type CrmCursor = {
  source: string
  attempt: number
  since: Date
  afterId: string | null
  failures: number
}

/** SQL for a `CrmCursor`. */
const CURSOR = 'source, attempt, changed_since as since, after_id as "afterId", failures'

/**
 * Claims a cursor that is due. The first claim of all begins at the present. Returns null when another worker reads, or the
 * next pass is not due yet.
 */
export async function claim(db: Db, source: string): Promise<CrmCursor | null> {
  const [cursor] = await queryRows<CrmCursor>(
    db,
    `insert into crm_cursors (source, due_at) values (:source, now() + :lease * interval '1 ms')
     on conflict (source) do update set attempt = crm_cursors.attempt + 1, due_at = excluded.due_at
       where crm_cursors.due_at <= now()
     returning ${CURSOR}`,
    { source, lease: LEASE },
  )
  return cursor ?? null
}

/** Keeps a claimed cursor. Returns false when another worker has it. */
export async function renew(db: Db, cursor: CrmCursor): Promise<boolean> {
  return (await ofClaim(db, cursor).update({ due_at: after(db, LEASE) })) > 0
}

/**
 * Records that the changes of a page are recorded, and ends a failure.
 * @param page `readAt` is the time by the CRM's clock; `lastId` is null where no page follows, which ends the pass
 * @returns the cursor of the next page, or null when another worker has taken over
 */
export async function advance(
  db: Db,
  { source, attempt }: CrmCursor,
  { readAt, lastId }: { readAt: Date; lastId: string | null },
): Promise<CrmCursor | null> {
  // What changed during the pass is found by the next one.
  const place =
    lastId === null
      ? `changed_since = coalesce(pass_began_at, :readAt), pass_began_at = null, after_id = null`
      : `pass_began_at = coalesce(pass_began_at, :readAt), after_id = :lastId`
  const [next] = await queryRows<CrmCursor>(
    db,
    `update crm_cursors set ${place}, due_at = now() + :wait * interval '1 ms',
       failing_since = null, failures = 0, error = null
     where source = :source and attempt = :attempt returning ${CURSOR}`,
    { source, attempt, readAt, lastId, wait: lastId === null ? READ_INTERVAL : LEASE },
  )
  return next ?? null
}

/** Records a failure. The next attempt is due after `wait` milliseconds. Returns since when it has failed. */
export async function fail(
  db: Db,
  { source, attempt }: CrmCursor,
  { error, wait }: { error: string; wait: number },
): Promise<Date | undefined> {
  const [row] = await queryRows<{ since: Date }>(
    db,
    `update crm_cursors set due_at = now() + :wait * interval '1 ms', failures = failures + 1,
       failing_since = coalesce(failing_since, now()), error = :error
     where source = :source and attempt = :attempt returning failing_since as since`,
    { source, attempt, error, wait },
  )
  return row?.since
}

/** Lets another worker read on at once. */
export async function handBack(db: Db, cursor: CrmCursor): Promise<void> {
  await ofClaim(db, cursor).update({ due_at: db.fn.now() })
}

/** Ends the failures of all sources but these, which are no longer read. */
export async function forgetOthers(db: Db, sources: string[]): Promise<void> {
  await db('crm_cursors')
    .whereNotIn('source', sources)
    .whereNotNull('failing_since')
    .update({ failing_since: null, failures: 0, error: null })
}

/** Lists the failures that have lasted for long: of what, since when, and why. */
export async function listFailures(db: Db): Promise<{ source: string; since: string; error: string }[]> {
  const rows = await queryRows<{ source: string; since: Date; error: string }>(
    db,
    `select source, failing_since as since, error from crm_cursors
     where failing_since < now() - ? * interval '1 ms' order by failing_since`,
    [MIN_FAILURE_SHOWN],
  )
  return rows.map(({ since, ...row }) => ({ ...row, since: since.toISOString() }))
}

const ofClaim = (db: Db, { source, attempt }: CrmCursor) => db('crm_cursors').where({ source, attempt })
const after = (db: Db, ms: number) => db.raw(`now() + ? * interval '1 ms'`, [ms])
