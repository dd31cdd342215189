import { HOUR } from '../../contract/time.ts'
import type { LedgerAct } from '../../deliveries/contract/jobs.ts'
import { rateLimited } from '../../errors.ts'
import { countRows, type Db, only, queryRows, type Transaction } from '../../platform/db.ts'
import { currentRequest } from '../../platform/log.ts'
import type { RowWith } from '../../tables/table.ts'
import {
  type AccessEntity,
  type AccessLine,
  type AccessLog,
  type AccessLogQuery,
  type AuditAction,
  type AuditEntity,
  type AuditLine,
  type AuditLog,
  type AuditLogQuery,
  MAX_ROWS_NAMED,
} from '../contract/audit-log.ts'

/** The period over which failures to sign in are counted together, in milliseconds. */
const COUNTED_FOR = HOUR

/** One act on one row. `details` never holds the name, email, phone or message of a visitor or an applicant. */
export type AuditEntry = {
  /** An account's email, `staff` for the shared password, `command line`, or `clinic` and `visitor` for a link in an email. */
  actor: string
  action: AuditAction
  entity: AuditEntity
  entityId: number | 'all'
  details?: Record<string, unknown>
}

/** The actors that are no staff. Their addresses are not kept: lines stay for years, also after an erasure. */
const OUTSIDERS = new Set(['visitor', 'clinic', 'crm'])

/** Returns the origin of the current request, as far as it is kept for an actor. */
function origin(actor: string) {
  const { ip = null, sessionId = null } = currentRequest() ?? {}
  return { ip: OUTSIDERS.has(actor) ? null : ip, session_id: sessionId }
}

/** Records an act. The caller passes the transaction of the act itself. Returns the id of the line. */
export async function record(db: Db, { entityId, details = {}, ...act }: AuditEntry): Promise<number> {
  const { actor, action, entity } = act
  const line = { actor, action, entity, entity_id: String(entityId), details: JSON.stringify(details) }
  return only(
    await db('audit_log')
      .insert({ ...line, ...origin(actor) })
      .returning('id'),
  ).id
}

/**
 * Counts a wrong password of an account, of the shared password, or of an unknown email, which is not stored. Wrong
 * codes of the second step have a count of their own. Within an hour only the 1st, 3rd, 10th, 30th, 100th and
 * so on have a line, so that guessing does not flood the log.
 */
export async function countFailedSignIn(
  db: Db,
  target: number | 'shared' | 'unknown',
  wrong: 'password' | 'code' = 'password',
): Promise<void> {
  await db.raw(
    `with counted as (
       insert into sign_in_attempts as known (key, points, expire) values ('failed:' || :counter, 1, cast(:now as bigint) + :hour)
       on conflict (key) do update set
         points = case when known.expire > :now then known.points + 1 else 1 end,
         expire = case when known.expire > :now then known.expire else cast(:now as bigint) + :hour end
       returning points as count
     )
     insert into audit_log (actor, action, entity, entity_id, details, ip, session_id)
     select 'unknown', 'sign-in-failed', 'staff', :target, jsonb_build_object('count', count) || cast(:wrong as jsonb), :ip, :session_id
     from counted where count::text ~ '^[13]0*$'`,
    {
      target: String(target),
      counter: wrong === 'password' ? String(target) : `${target} ${wrong}`,
      wrong: wrong === 'password' ? '{}' : JSON.stringify({ wrong }),
      now: Date.now(),
      hour: COUNTED_FOR,
      ...origin('unknown'),
    },
  )
}

/** Lists one page of the log, the newest line first, and counts the lines that match. */
export async function list(db: Db, { page, limit, ...filter }: AuditLogQuery): Promise<AuditLog> {
  const { entityId: entity_id, ...columns } = filter
  const given = Object.entries({ ...columns, entity_id }).filter(([, value]) => value !== undefined)
  const matching = () => db('audit_log').where(Object.fromEntries(given))
  const [rows, total] = await Promise.all([
    matching()
      .select<LineRow[]>(...COLUMNS, db.raw(NAMES))
      // Lines are written in the order of their ids.
      .orderBy('id', 'desc')
      .limit(limit)
      .offset((page - 1) * limit),
    countRows(matching()),
  ])
  return { lines: rows.map(present), total }
}

/**
 * Lists the acts on one row, the oldest first. An act is recorded in the transaction that makes its jobs, so both have
 * the same time.
 */
export async function listActs(db: Db, entity: AuditEntity, id: number): Promise<LedgerAct[]> {
  const providerOf = (key: 'from' | 'to') =>
    db.raw(`(select name from providers where id::text = details ->> '${key}') as ??`, [
      key === 'to' ? 'provider' : 'previous_provider',
    ])
  const rows = await db('audit_log')
    .select<ActRow[]>('at', 'actor', 'action', providerOf('to'), providerOf('from'), db.raw(ACTOR_NAME))
    .select<ActRow[]>(db.raw(`(action = 'release' or details -> 'released' is not null) as released`))
    .select<ActRow[]>(db.raw(`case when action = 'release' then details ->> 'consent' end as consent`))
    .select<ActRow[]>(db.raw(`case when action = 'change-work' then details -> 'fields' else '[]' end as fields`))
    .select<ActRow[]>(db.raw(`(select name from staff_accounts where id::text = details ->> 'owner') as owner`))
    .where({ entity, entity_id: String(id) })
    .orderBy('id')
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }))
}

/** Returns the actor who matched a lead last, passed it on or released it; undefined if no staff did. */
export async function findMatcher(db: Db, leadId: number): Promise<string | undefined> {
  const act = await db('audit_log')
    .where({ entity: 'lead', entity_id: String(leadId) })
    .whereIn('action', ['assign-provider', 'pass-on', 'release'])
    .orderBy('id', 'desc')
    .first('actor')
  return act?.actor
}

/** Finds the act in whose transaction a job was made. Returns null without one. */
export async function findActOf(
  db: Db,
  jobId: string,
): Promise<Pick<AuditLine, 'actor' | 'action' | 'details'> | null> {
  const row = await db('audit_log')
    .join('jobs', (same) => same.on('jobs.created_at', 'audit_log.at'))
    .where('jobs.id', jobId)
    .where((own) =>
      own
        .where({ entity_id: db.raw('subject_id::text') })
        .whereRaw(`(entity, subject_kind) in (('staff', 'account'), ('provider', 'provider'))`),
    )
    .select('actor', 'action', 'details')
    .first()
  return row ?? null
}

const ACTOR_NAME = '(select name from staff_accounts where lower(email) = lower(actor)) as actor_name'
const NAMES = `
  ${ACTOR_NAME},
  case
    when entity = 'staff' then (select name from staff_accounts where id::text = entity_id)
    when entity = 'lead' and entity_id <> 'all'
      then (select first_name || ' ' || last_name from leads where id = entity_id::integer)
    when entity = 'provider' and entity_id <> 'all'
      then (select coalesce(practice_name, name) from providers where id = entity_id::integer)
  end as entity_name`

const COLUMNS = ['id', 'at', 'actor', 'action', 'entity', 'entity_id', 'details', 'ip', 'session_id'] as const
type LineRow = RowWith<'audit_log', (typeof COLUMNS)[number], Pick<AuditLine, 'actor_name' | 'entity_name'>>
type ActRow = RowWith<'audit_log', 'at'> & Omit<LedgerAct, 'at'>

function present(row: LineRow): AuditLine {
  return { ...row, at: row.at.toISOString() }
}

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

export async function recordAccess(db: Db, lines: Access[]): Promise<void> {
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
export async function listAccess(db: Db, { page, limit, actor, entity, rowId }: AccessLogQuery): Promise<AccessLog> {
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
      .select<AccessRow[]>(
        ...ACCESS_COLUMNS,
        db.raw('cardinality(row_ids) as count'),
        db.raw(`row_ids[1:${MAX_ROWS_NAMED}] as row_ids`),
        db.raw(READER_NAME),
      )
      .orderBy('id', 'desc')
      .limit(limit)
      .offset((page - 1) * limit),
    countRows(matching()),
  ])
  return { lines: rows.map((row) => ({ ...row, id: Number(row.id), at: row.at.toISOString() })), total }
}

/** The name of an account, or of the clinic whose actor is `clinic 72`. */
const READER_NAME = `coalesce(
  (select name from staff_accounts where lower(email) = lower(actor)),
  (select coalesce(practice_name, name) from providers where providers.id = substring(actor from '^clinic ([0-9]+)$')::integer)
) as actor_name`

const ACCESS_COLUMNS = ['id', 'at', 'actor', 'session_id', 'ip', 'call', 'entity', 'filter'] as const
type AccessRow = RowWith<
  'access_log',
  (typeof ACCESS_COLUMNS)[number],
  Pick<AccessLine, 'count' | 'row_ids' | 'actor_name'>
>

/** Returns the rows that a person has read within the last hour. */
export async function listRecentRows(db: Db, actor: string): Promise<{ entity: AccessEntity; id: number }[]> {
  return queryRows<RowWith<'access_log', 'entity', { id: number }>>(
    db,
    `select distinct entity, read.id from access_log cross join lateral unnest(row_ids) as read (id)
     where actor = ? and at > now() - interval '1 hour'`,
    [actor],
  )
}

/**
 * The actor of an act, for the audit log. `actorId` is absent without an account: for the shared password and the
 * command line.
 */
export type Actor = { actor: string; actorId?: number | null }

/** The most tests of one kind within an hour, by all staff together. Each sends a message to an address that a person has typed. */
export const MAX_TESTS_PER_HOUR = 20

/**
 * Refuses a further test, so that a session can't be used to flood an address.
 * @param action the action of the audit log that records each test
 * @throws AppError `rate_limited`
 */
export async function limitTests(trx: Transaction, action: AuditAction): Promise<void> {
  const tests = trx('audit_log').where({ action }).whereRaw(`at > now() - interval '1 hour'`)
  if ((await countRows(tests)) < MAX_TESTS_PER_HOUR) return
  throw rateLimited(
    `No more than ${MAX_TESTS_PER_HOUR} tests can be sent within an hour. Please try again later.`,
    HOUR,
  )
}
