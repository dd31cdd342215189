import { type Db, queryRows, type Transaction } from '../platform/db.ts'
import type { KnownProvider, NewProvider, ProviderUpdate, SyncedFields, SyncPlan } from '../rules/sync-plan.ts'
import { SYNCED_FIELDS, type SyncedField } from '../rules/wordpress-mapping.ts'

/** The number of rows in one statement: a few hundred kilobytes of JSON. */
const ROWS_PER_STATEMENT = 1000

const RENAMED: Partial<Record<SyncedField, string>> = { practiceName: 'practice_name', zipCode: 'zip_code' }
const COLUMNS = Object.fromEntries(SYNCED_FIELDS.map((field) => [field, RENAMED[field] ?? field]))
const COLUMN_NAMES = Object.values(COLUMNS)

/** Reads the providers that came from WordPress, and the domains of the others in lower case. */
export async function readKnown(trx: Transaction): Promise<{ known: KnownProvider[]; foreignDomains: string[] }> {
  const known = await trx('providers')
    .select<KnownProvider[]>(
      ...['id', COLUMNS, { missedSyncs: 'missed_syncs', isHidden: 'hidden' }],
      { deliveryEmail: 'email' },
      trx.raw(`wordpress_id as "wordpressId", status = 't' as "isActive"`),
      trx.raw('coalesce(new_email, email) as email'),
    )
    .whereNotNull('wordpress_id')
  const foreignDomains = await trx('providers')
    .whereNull('wordpress_id')
    .whereNotNull('domain')
    .select<{ domain: string }[]>(trx.raw('lower(domain) as domain'))
  return { known, foreignDomains: foreignDomains.map(({ domain }) => domain) }
}

/** Lists the ids of posts whose providers are public: active, or inactive and not hidden. */
export async function publicPosts(db: Db): Promise<number[]> {
  return db('providers')
    .where((isPublic) => isPublic.where('status', 't').orWhere('hidden', false))
    .whereNotNull('wordpress_id')
    .pluck<number[]>('wordpress_id')
}

/**
 * Writes the changes of a plan, and no other row.
 * @param seenAt the time of the last complete run before this one, which saw the providers that are missing now
 * @returns the ids of the providers that were written
 */
export async function write(trx: Transaction, plan: SyncPlan, { seenAt }: { seenAt: Date | null }): Promise<number[]> {
  const written: number[] = []
  // A domain may move from one provider to another, but is unique at every moment.
  await trx('providers')
    .whereRaw('id = any(?)', [plan.updates.map(({ id }) => id)])
    .whereNotNull('domain')
    .whereRaw('domain is distinct from (?::jsonb ->> id::text)', [
      JSON.stringify(Object.fromEntries(plan.updates.map(({ id, fields }) => [id, fields.domain]))),
    ])
    .update({ domain: null })
  for (const some of chunks(plan.updates)) written.push(...(await update(trx, some)))
  for (const some of chunks(plan.creations)) written.push(...(await insert(trx, some)))
  await trx.raw(
    `update providers set missed_syncs = new.missed_syncs,
       last_seen_at = case when new.missed_syncs = 1 then ?::timestamptz else last_seen_at end
     from unnest(?::integer[], ?::integer[]) as new (id, missed_syncs) where providers.id = new.id`,
    [seenAt, plan.missed.map(({ id }) => id), plan.missed.map(({ missedSyncs }) => missedSyncs)],
  )
  return written
}

async function update(trx: Transaction, updates: ProviderUpdate[]): Promise<number[]> {
  const rows = updates.map(({ id, isActive, isHidden, missedSyncs, fields }) => ({
    id,
    status: isActive ? 't' : 'f',
    hidden: isHidden,
    missed_syncs: missedSyncs,
    ...columnsOf(fields),
  }))
  // An address is changed by `providerEmails.change`, which asks for a confirmation.
  const columns = ['status', 'hidden', 'missed_syncs', ...COLUMN_NAMES.filter((name) => name !== 'email')]
  const written = await queryRows<{ id: number }>(
    trx,
    `update providers set ${columns.map((name) => `${name} = new.${name}`).join(', ')},
       updated_at = now(), last_seen_at = case when new.missed_syncs = 0 then now() else providers.last_seen_at end
     from jsonb_populate_recordset(null::providers, ?) new
     where providers.id = new.id
     returning providers.id`,
    [JSON.stringify(rows)],
  )
  return written.map(({ id }) => id)
}

async function insert(trx: Transaction, creations: NewProvider[]): Promise<number[]> {
  const rows = creations.map(({ wordpressId, isActive, isHidden, fields }) => ({
    wordpress_id: wordpressId,
    status: isActive ? 't' : 'f',
    hidden: isHidden,
    ...columnsOf(fields),
  }))
  const columns = ['wordpress_id', 'status', 'hidden', ...COLUMN_NAMES]
  const written = await queryRows<{ id: number }>(
    trx,
    `insert into providers (${columns}, last_seen_at)
     select ${columns}, now() from jsonb_populate_recordset(null::providers, ?)
     returning id`,
    [JSON.stringify(rows)],
  )
  return written.map(({ id }) => id)
}

function columnsOf(fields: SyncedFields): Record<string, unknown> {
  return Object.fromEntries(SYNCED_FIELDS.map((field) => [COLUMNS[field], fields[field]]))
}

function* chunks<Row>(rows: Row[]): Generator<Row[]> {
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    yield rows.slice(start, start + ROWS_PER_STATEMENT)
  }
}
