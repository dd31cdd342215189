import * as jobKinds from '../../deliveries/jobs.ts'
import type { NewJob } from '../../deliveries/rules/deliveries.ts'
import { JOBS_CHANNEL } from '../../deliveries/stores/jobs.ts'
import { MILES, POINT } from '../../leads/stores/places.ts'
import { type Db, only, queryRows, type Transaction } from '../../platform/db.ts'
import type { SensitiveKind, SyncChange, SyncImpact, SyncRunDetails } from '../contract/sync.ts'
import type { SensitiveChange } from '../rules/sync-approval.ts'
import {
  type KnownProvider,
  type NewProvider,
  type ProviderUpdate,
  type SyncPlan,
  standingOf,
  type Unactivated,
  type ZipCenters,
} from '../rules/sync-plan.ts'
import { SYNCED_FIELDS, type SyncedField, type SyncedFields } from '../rules/wordpress-mapping.ts'

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

/** The kinds of unapproved changes that a provider is notified of. The team reports a deactivation itself. */
const NOTIFIED: SensitiveKind[] = ['email', 'place', 'phone', 'website', 'address', 'name', 'reactivate']

/**
 * Adds the emails about the unapproved changes of a run: one to each provider, at its previous address, one to each new provider
 * that waits for its activation, and one to our team. Records the address in the changes of the plan, because it may change
 * before the email is sent.
 */
export async function add(
  trx: Transaction,
  syncId: number,
  plan: SyncPlan,
  {
    known,
    unapproved,
    unactivated,
  }: { known: KnownProvider[]; unapproved: SensitiveChange[]; unactivated: Unactivated },
): Promise<void> {
  const changed = new Set(unapproved.filter(({ kind }) => NOTIFIED.includes(kind)).map(({ id }) => id))
  const addresses = new Map(known.map(({ id, deliveryEmail }) => [id, deliveryEmail]))
  for (const change of plan.changes) {
    const address = addresses.get(change.provider_id ?? 0)
    if (address && (changed.has(change.provider_id ?? 0) || getsDomain(change))) change.recipient = address
  }

  const notified = plan.changes.flatMap(({ recipient, provider_id }) =>
    recipient === undefined || provider_id === null ? [] : [provider_id],
  )
  const waiting = plan.creations.flatMap((one) =>
    one.isActive && unactivated.posts.has(one.wordpressId) ? [one.wordpressId] : [],
  )
  const created = await trx('providers')
    .whereRaw('wordpress_id = any(?)', [waiting])
    .select('id', 'wordpress_id', 'email')
  for (const { id, wordpress_id, email } of created) {
    const change = plan.changes.find((one) => one.provider_id === null && one.wordpress_id === wordpress_id)
    if (change) change.recipient = email
    notified.push(id)
  }
  if (notified.length === 0 && !unapproved.some(({ kind }) => kind === 'create')) return
  const jobs: NewJob<'sync'>[] = [
    { name: 'send-email', purpose: 'team' },
    ...notified.map(
      (providerId): NewJob<'sync'> => ({ name: 'send-email', purpose: 'provider_changed', payload: { providerId } }),
    ),
  ]
  await trx('jobs').insert(
    jobs.map(({ name, purpose, payload = {} }) => ({
      ...{ name, purpose, payload: JSON.stringify(payload), ...jobKinds.columnsOf(`sync:${syncId}`) },
    })),
  )
  await trx.raw('select pg_notify(?, ?)', [JOBS_CHANNEL, ''])
}

/** Returns whether a provider without a site gets one. Changing an existing domain needs an approval. */
function getsDomain({ kind, fields }: SyncChange): boolean {
  return kind !== 'create' && fields.some(({ field, from, to }) => field === 'domain' && from === null && to !== null)
}

const DAYS = 30

/**
 * Works out what happens to the leads of the providers that a run would deactivate, by those of the last 30 days. A zip is
 * looked up once, in the index of places. Providers that the run would activate count as active, new ones do not.
 */
export async function read(
  db: Db,
  { changes }: Pick<SyncRunDetails, 'changes'>,
  { radiusMiles }: { radiusMiles: number },
): Promise<SyncImpact> {
  const idsOf = (kind: 'deactivate' | 'reactivate') =>
    changes.flatMap((change) => (change.kind === kind && change.provider_id !== null ? [change.provider_id] : []))
  const gone = idsOf('deactivate')
  const row = only(
    await queryRows<Omit<SyncImpact, 'providers' | 'days'>>(
      db,
      `with taken as materialized (
         select zip_code as zip, match_distance_miles as before from leads
         where provider_id = any(cast(:gone as integer[])) and created_at > now() - :days * interval '24 hours' and not is_test
       ), wanted as materialized (
         select zip, ${POINT} as point from (select distinct zip from taken) wanted
       ), next as materialized (
         select zip, miles from wanted left join lateral (
           select ${MILES} as miles from providers
           where (status = 't' or id = any(cast(:back as integer[]))) and id <> all(cast(:gone as integer[]))
             and location is not null and point is not null
           order by location <-> point limit 1
         ) nearest on true
       )
       select count(*)::integer as leads, count(distinct zip)::integer as zips,
         (count(*) filter (where miles <= :radiusMiles))::integer as elsewhere,
         (count(*) filter (where miles is null or miles > :radiusMiles))::integer as unmatched,
         percentile_cont(0.5) within group (order by miles - before) filter (where miles <= :radiusMiles) as extra_miles
       from taken join next using (zip)`,
      { gone, back: idsOf('reactivate'), days: DAYS, radiusMiles },
    ),
  )
  return { providers: gone.length, days: DAYS, ...row }
}
