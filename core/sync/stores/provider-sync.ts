import { type Db, queryRows, type Transaction } from '../../platform/db.ts'
import {
  type KnownProvider,
  type NewProvider,
  type ProviderUpdate,
  type SyncedFields,
  type SyncPlan,
  standingOf,
  type Unactivated,
  type ZipCenters,
} from '../rules/sync-plan.ts'
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
      ...['id', COLUMNS, 'activation', { missedSyncs: 'missed_syncs' }],
      { deliveryEmail: 'email' },
      trx.raw(`wordpress_id as "wordpressId", status = 't' or activation = 'waiting' as "isActive",
        hidden and activation <> 'waiting' as "isHidden"`),
      trx.raw('coalesce(new_email, email) as email'),
    )
    .whereNotNull('wordpress_id')
  const foreignDomains = await trx('providers')
    .whereNull('wordpress_id')
    .whereNotNull('domain')
    .select<{ domain: string }[]>(trx.raw('lower(domain) as domain'))
  return { known, foreignDomains: foreignDomains.map(({ domain }) => domain) }
}

/** Reads the centers of zip codes. */
export async function readZipCenters(trx: Transaction, zips: string[]): Promise<ZipCenters> {
  const rows = await trx('zip_codes')
    .whereRaw('zip = any(?::text[])', [[...new Set(zips)]])
    .select('zip', 'latitude', 'longitude')
  return new Map(rows.map(({ zip, ...center }) => [zip, center]))
}

/** Lists the ids of posts that WordPress has published, as far as we know. */
export async function publishedPosts(db: Db): Promise<number[]> {
  return db('providers')
    .where((published) => published.where('status', 't').orWhere('hidden', false).orWhere('activation', 'waiting'))
    .whereNotNull('wordpress_id')
    .pluck<number[]>('wordpress_id')
}

/**
 * Writes the changes of a plan, and no other row.
 * @param seenAt the time of the last complete run before this one, which saw the providers that are missing now
 * @returns the ids of the providers that were written
 */
export async function write(
  trx: Transaction,
  plan: SyncPlan,
  { unactivated, seenAt }: { unactivated: Unactivated; seenAt: Date | null },
): Promise<number[]> {
  const written: number[] = []
  // A domain may move from one provider to another, but is unique at every moment.
  await trx('providers')
    .whereRaw('id = any(?)', [plan.updates.map(({ id }) => id)])
    .whereNotNull('domain')
    .whereRaw('domain is distinct from (?::jsonb ->> id::text)', [
      JSON.stringify(Object.fromEntries(plan.updates.map(({ id, fields }) => [id, fields.domain]))),
    ])
    .update({ domain: null })
  for (const some of chunks(plan.updates)) written.push(...(await update(trx, some, unactivated)))
  for (const some of chunks(plan.creations)) written.push(...(await insert(trx, some, unactivated)))
  await trx.raw(
    `update providers set missed_syncs = new.missed_syncs,
       last_seen_at = case when new.missed_syncs = 1 then ?::timestamptz else last_seen_at end
     from unnest(?::integer[], ?::integer[]) as new (id, missed_syncs) where providers.id = new.id`,
    [seenAt, plan.missed.map(({ id }) => id), plan.missed.map(({ missedSyncs }) => missedSyncs)],
  )
  return written
}

async function update(trx: Transaction, updates: ProviderUpdate[], unactivated: Unactivated): Promise<number[]> {
  const rows = updates.map(({ id, missedSyncs, fields, ...said }) => ({
    ...{ id, missed_syncs: missedSyncs, ...standingOf(said, { isActivated: !unactivated.ids.has(id) }) },
    ...columnsOf(fields),
  }))
  // An address is changed by `providerEmails.change`, which asks for a confirmation.
  const columns = ['status', 'hidden', 'activation', 'missed_syncs', ...COLUMN_NAMES.filter((name) => name !== 'email')]
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

async function insert(trx: Transaction, creations: NewProvider[], unactivated: Unactivated): Promise<number[]> {
  const rows = creations.map(({ wordpressId, fields, ...said }) => ({
    ...{ wordpress_id: wordpressId, ...standingOf(said, { isActivated: !unactivated.posts.has(wordpressId) }) },
    ...columnsOf(fields),
  }))
  const columns = ['wordpress_id', 'status', 'hidden', 'activation', ...COLUMN_NAMES]
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
