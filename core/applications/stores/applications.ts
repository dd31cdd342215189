import type { Knex } from 'knex'
import { deliveryStatusSql } from '../../deliveries/stores/delivery-status.ts'
import * as jobs from '../../deliveries/stores/jobs.ts'
import { AppError } from '../../errors.ts'
import { searchTerms } from '../../leads/rules/search.ts'
import { PLACE_WORDS } from '../../leads/stores/places.ts'
import { countRows, type Db, queryRows, type Transaction } from '../../platform/db.ts'
import * as auditLog from '../../staff/stores/audit-log.ts'
import type { RowWith } from '../../tables/table.ts'
import type {
  Application,
  ApplicationDetails,
  ApplicationList,
  ApplicationListQuery,
  ApplicationNote,
  ApplicationStage,
  ApplicationStatus,
} from '../contract/applications.ts'

/** The number of rows that an export reads at once. */
export const BATCH = 500

/**
 * Locks an application until the transaction ends. Every change of it or its jobs takes this lock first, then those of
 * the jobs.
 */
export async function lock(trx: Transaction, id: number): Promise<Application | null> {
  const row = await query(trx).where('id', id).forNoKeyUpdate().first()
  return row ? present(row) : null
}

export async function find(db: Db, id: number): Promise<Application | null> {
  const row = await query(db).where('id', id).first()
  return row ? present(row) : null
}

export const notFound = () => new AppError('not_found', 'There is no such application. It may have been deleted.')

/** Lists one page of the applications that match, the newest first, and counts those of each status. */
export async function list(db: Db, { page, limit, status, q }: ApplicationListQuery): Promise<ApplicationList> {
  const matching = <Query extends Knex.QueryBuilder>(rows: Query) => {
    if (status) rows.where({ status })
    if (q !== undefined) whereFound(rows, q)
    return rows
  }
  const [rows, counts, found] = await Promise.all([
    matching(query(db))
      // Applications are created in the order of their ids.
      .orderBy('id', 'desc')
      .limit(limit)
      .offset((page - 1) * limit),
    countByStatus(db),
    q === undefined ? undefined : countRows(matching(db('provider_applications'))),
  ])
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return { applications: rows.map(present), total: found ?? (status ? counts[status] : all), counts }
}

/** SQL for the words of an application. Email and phone are not among them: viewers see neither. */
const WORDS = `name_words(folded(practice_name || ' ' || name || ' ' || zip_code))`

/** Adds the conditions of a search: its parts are those of a search for leads. */
function whereFound(query: Knex.QueryBuilder, q: string): void {
  const terms = searchTerms(q)
  if (terms.length === 0) query.whereRaw('false')
  for (const { lead, place, number } of terms) {
    query.whereRaw(
      `(${WORDS} @@ lower(:words)::tsquery or id = :number::integer
        or zip_code in (select zip from zip_codes where ${PLACE_WORDS} @@ lower(:place)::tsquery))`,
      // An empty query matches nothing.
      { words: lead ?? '', place: place ?? '', number },
    )
  }
}

/** Reads every application, the newest first, in batches. */
export async function* readAll(db: Db): AsyncGenerator<Application> {
  for (let rows = await readBefore(db); rows.length > 0; rows = await readBefore(db, rows.at(-1)?.id)) {
    yield* rows.map(present)
  }
}

async function countByStatus(db: Db): Promise<Record<ApplicationStatus, number>> {
  const rows = await db('provider_applications')
    .select<RowWith<'provider_applications', 'status', { count: number }>[]>('status', db.raw('count(*)::integer'))
    .groupBy('status')
  const none = { new: 0, contacted: 0, approved: 0, training: 0, certified: 0, declined: 0 }
  return { ...none, ...Object.fromEntries(rows.map(({ status, count }) => [status, count])) }
}

async function readBefore(db: Db, id?: number): Promise<ApplicationRow[]> {
  const rows = query(db).orderBy('id', 'desc').limit(BATCH)
  return id === undefined ? rows : rows.where('id', '<', id)
}

const COLUMNS = [
  'id',
  'created_at',
  'status',
  'name',
  'practice_name',
  'email',
  'phone',
  'zip_code',
  'website',
  'message',
  'held_reason',
  'owner_id',
] as const
type ApplicationRow = RowWith<
  'provider_applications',
  (typeof COLUMNS)[number],
  Pick<Application, 'email_status' | 'owner_name'> & { promised_at: Date | null; reviewed_at: Date | null }
>

const ACTS = `from audit_log where entity = 'application' and entity_id = provider_applications.id::text`
/** SQL for the time from which the promise of a review counts: that of the release of a held application, or of its form. */
export const PROMISED_AT = `coalesce((select max(at) ${ACTS} and action = 'release'), provider_applications.created_at)`
const COMPUTED = `
  (select name from staff_accounts where id = owner_id) as owner_name,
  case when held_reason is null then ${PROMISED_AT} end as promised_at,
  (select min(at) ${ACTS} and action = 'set-status') as reviewed_at,
  ${deliveryStatusSql('send-email', 'application', 'provider_applications.id')} as email_status`

function query(db: Db) {
  return db('provider_applications').select<ApplicationRow[]>(...COLUMNS, db.raw(COMPUTED))
}

function present(row: ApplicationRow): Application {
  return {
    ...row,
    created_at: row.created_at.toISOString(),
    promised_at: row.promised_at?.toISOString() ?? null,
    reviewed_at: row.reviewed_at?.toISOString() ?? null,
  }
}

export async function read(db: Db, application: Application): Promise<ApplicationDetails> {
  const { id, zip_code } = application
  const [place, stages, notes, provider, list, acts] = await Promise.all([
    db('zip_codes').where('zip', zip_code).first('city', 'state'),
    listStages(db, application),
    listNotes(db, id),
    findProvider(db, id),
    jobs.list(db, `application:${id}`),
    auditLog.listActs(db, 'application', id),
  ])
  return {
    ...application,
    place: place?.city ? { city: place.city, state: place.state } : null,
    ...{ stages, notes, provider },
    ledger: { jobs: list, acts, outcomes: [], edits: [] },
  }
}

export async function findProvider(db: Db, id: number): Promise<ApplicationDetails['provider']> {
  const [row] = await queryRows<NonNullable<ApplicationDetails['provider']>>(
    db,
    `select providers.id, case providers.status when 't' then 'active' else 'inactive' end as status
     from provider_applications application join providers on providers.id = provider_id where application.id = ?`,
    [id],
  )
  return row ?? null
}

const nameOf = (column: string) =>
  `(select name from staff_accounts where lower(email) = lower(${column})) as actor_name`

async function listStages(db: Db, { id, created_at }: Application): Promise<ApplicationStage[]> {
  const rows = await db('audit_log')
    .where({ entity: 'application', entity_id: String(id), action: 'set-status' })
    .select<Stage[]>('at', 'actor', db.raw(`details ->> 'to' as status`), db.raw(nameOf('actor')))
    .orderBy('id')
  const first = { status: 'new' as const, at: created_at, actor: null, actor_name: null }
  return [first, ...rows.map(({ at, ...stage }) => ({ ...stage, at: at.toISOString() }))]
}
type Stage = Omit<ApplicationStage, 'at'> & { at: Date }

async function listNotes(db: Db, id: number): Promise<ApplicationNote[]> {
  const rows = await db('application_notes')
    .where('application_id', id)
    .select<Note[]>('id', 'at', 'author as actor', 'text', db.raw(nameOf('author')))
    .orderBy('id')
  return rows.map(({ at, ...note }) => ({ ...note, at: at.toISOString() }))
}
type Note = Omit<ApplicationNote, 'at'> & { at: Date }
