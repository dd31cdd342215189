import { countRows, type Db, queryRows } from '../../platform/db.ts'
import type { RowWith } from '../../tables/table.ts'
import {
  type AccessEntity,
  type AccessLine,
  type AccessLog,
  type AccessLogQuery,
  MAX_ROWS_NAMED,
} from '../contract/access-log.ts'

/** One reading of rows. `filter` never holds the text of a search. */
export type Access = {
  at: Date
  actor: string
  accountId: number | null
  sessionId: number | null
  ip: string
  call: string
  entity: AccessEntity
  rowIds: number[]
  filter: Record<string, unknown>
}

export async function record(db: Db, lines: Access[]): Promise<void> {
  await db('access_log').insert(
    lines.map(({ at, actor, accountId, sessionId, ip, call, entity, rowIds, filter }) => ({
      ...{ at, actor, ip, call, entity },
      account_id: accountId,
      session_id: sessionId,
      row_ids: rowIds,
      filter: JSON.stringify(filter),
    })),
  )
}

/** Lists one page of the log, the newest line first, and counts the lines that match. */
export async function list(db: Db, { page, limit, actor, entity, rowId }: AccessLogQuery): Promise<AccessLog> {
  const matching = () => {
    const lines = db('access_log')
    if (actor !== undefined) lines.where('actor', actor)
    if (entity !== undefined) lines.where('entity', entity)
    if (rowId === undefined) return lines
    // First the few lines of a row: PostgreSQL expects many, and would read the log backwards for them.
    lines.whereRaw('row_ids @> array[?::integer]', [rowId])
    return db.withMaterialized('access_log', lines).from('access_log')
  }
  const [rows, total] = await Promise.all([
    matching()
      .select<LineRow[]>(
        ...COLUMNS,
        db.raw('cardinality(row_ids) as count'),
        db.raw(`row_ids[1:${MAX_ROWS_NAMED}] as row_ids`),
        db.raw(ACTOR_NAME),
      )
      .orderBy('id', 'desc')
      .limit(limit)
      .offset((page - 1) * limit),
    countRows(matching()),
  ])
  return { lines: rows.map((row) => ({ ...row, id: Number(row.id), at: row.at.toISOString() })), total }
}

/** The name of an account, or of the clinic whose actor is `clinic 72`. */
const ACTOR_NAME = `coalesce(
  (select name from staff_accounts where lower(email) = lower(actor)),
  (select coalesce(practice_name, name) from providers where providers.id = substring(actor from '^clinic ([0-9]+)$')::integer)
) as actor_name`

const COLUMNS = ['id', 'at', 'actor', 'session_id', 'ip', 'call', 'entity', 'filter'] as const
type LineRow = RowWith<'access_log', (typeof COLUMNS)[number], Pick<AccessLine, 'count' | 'row_ids' | 'actor_name'>>

/** Returns the rows that a person has read within the last hour. */
export async function listRecentRows(db: Db, actor: string): Promise<{ entity: AccessEntity; id: number }[]> {
  return queryRows<RowWith<'access_log', 'entity', { id: number }>>(
    db,
    `select distinct entity, read.id from access_log cross join lateral unnest(row_ids) as read (id)
     where actor = ? and at > now() - interval '1 hour'`,
    [actor],
  )
}
