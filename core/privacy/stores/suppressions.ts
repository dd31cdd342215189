import { z } from 'zod'
import type { Db, Query, Transaction } from '../../platform/db.ts'
import type { RowWith } from '../../tables/table.ts'
import {
  type ClinicOptOut,
  type LeadOptOut,
  type OptOutReason,
  RECENT_SUPPRESSIONS,
  Suppression,
} from '../contract/opt-outs.ts'
import { type Contact, optOutDeadline, type PersonHash, personHashes } from '../rules/opt-outs.ts'

/*
 * The list of persons that must not be contacted, as keyed hashes. It outlives every lead. `key` is that of the purpose
 * `person-hash`.
 */

export const ACTIVE = { lifted_at: null }

const plain = (hashes: PersonHash[]) => hashes.map(({ hash }) => hash)

/** Returns which of these people must not be contacted, in one query. */
export async function among<Person extends Contact>(db: Db, key: Buffer, people: Person[]): Promise<Set<Person>> {
  const hashesOf = new Map(people.map((person) => [person, plain(personHashes(key, person))]))
  const found = await db('suppressions')
    .where(ACTIVE)
    .whereRaw('hash = any(?)', [[...hashesOf.values()].flat()])
    .options({ name: 'find-suppressions' })
    .pluck('hash')
  const suppressed = new Set(found)
  return new Set(people.filter((person) => hashesOf.get(person)?.some((hash) => suppressed.has(hash))))
}

/** Returns for those of these people who must not be contacted which of their email and phone is on the list. */
export async function ways<Person extends Contact>(
  db: Db,
  key: Buffer,
  people: Person[],
): Promise<Map<Person, Set<PersonHash['kind']>>> {
  const apart = people.flatMap((person) => [
    { person, kind: 'email' as const, email: person.email },
    { person, kind: 'phone' as const, phone: person.phone },
  ])
  const found = new Map<Person, Set<PersonHash['kind']>>()
  for (const { person, kind } of await among(db, key, apart))
    found.set(person, (found.get(person) ?? new Set()).add(kind))
  return found
}

export const listedQuery = (hashes: PersonHash[]): Query => [
  'select hash from suppressions where lifted_at is null and hash = any(?)',
  [plain(hashes)],
]

export async function mark<Row extends Contact>(
  db: Db,
  key: Buffer,
  rows: Row[],
): Promise<(Row & { do_not_contact?: true })[]> {
  const suppressed = await among(db, key, rows)
  return rows.map((row) => (suppressed.has(row) ? { ...row, do_not_contact: true } : row))
}

/** Reads the whole list. Returns a function that tells whether a person is on it. */
export async function readAll(db: Db, key: Buffer): Promise<(person: Contact) => boolean> {
  const hashes = new Set(await db('suppressions').where(ACTIVE).pluck('hash'))
  return (person) => personHashes(key, person).some(({ hash }) => hashes.has(hash))
}

export async function isSuppressed(db: Db, key: Buffer, person: Contact): Promise<boolean> {
  return (await among(db, key, [person])).size > 0
}

/** Adds the hashes that are not on the list. Returns the ids of the new rows. */
export async function add(
  trx: Transaction,
  hashes: PersonHash[],
  said: { reason: OptOutReason; leadId: number | null; actor: string },
): Promise<number[]> {
  const { reason, leadId: lead_id, actor } = said
  if (hashes.length === 0) return []
  return addMissing(
    trx,
    hashes.map((hash) => ({ ...hash, reason, lead_id, actor })),
  )
}

async function addMissing(
  db: Db,
  rows: (Omit<KeptSuppression, 'created_at'> & Partial<KeptSuppression>)[],
): Promise<number[]> {
  const one = db.raw('(kind, hash) where lifted_at is null')
  const added = await db('suppressions').insert(rows).onConflict(one).ignore().returning('id')
  return added.map(({ id }) => id)
}

/**
 * Lifts the suppressions that these conditions find. The rows stay. Returns their ids. With an email's row, the other one that the
 * same act made for its mailbox is lifted (`personHashes`).
 */
export async function lift(
  trx: Transaction,
  which: { id: number } | { hashes: PersonHash[] },
  { actor, because }: { actor: string; because: string },
): Promise<{ id: number; lead_id: number | null }[]> {
  return trx('suppressions')
    .where(ACTIVE)
    .where((rows) =>
      'id' in which
        ? rows.where(which).orWhereRaw(
            `(kind, lead_id is null, coalesce(lead_id, 0), created_at) = (
              select kind, lead_id is null, coalesce(lead_id, 0), created_at from suppressions where id = ? and kind = 'email')`,
            [which.id],
          )
        : rows.whereIn('hash', plain(which.hashes)),
    )
    .update({ lifted_at: trx.fn.now(), lifted_by: actor, lifted_because: because })
    .returning(['id', 'lead_id'])
}

/** Returns whether contact with a person was allowed again since a time (ISO 8601). */
export async function wasLiftedSince(db: Db, hashes: PersonHash[], since: string): Promise<boolean> {
  const lifted = await db('suppressions').whereIn('hash', plain(hashes)).where('lifted_at', '>', since).first('id')
  return lifted !== undefined
}

/** Lists all suppressions of a person, lifted or not, the newest first. */
export async function listOfPerson(db: Db, hashes: PersonHash[]): Promise<Suppression[]> {
  const rows = await query(db).whereIn('hash', plain(hashes)).orderBy('id', 'desc')
  return rows.map(present)
}

/** An active suppression with its hash, for a list that is kept beside the backups. */
export const KeptSuppression = Suppression.pick({
  ...{ kind: true, reason: true, lead_id: true, actor: true, created_at: true },
}).extend({ hash: z.string().regex(/^[0-9a-f]{64}$/) })
type KeptSuppression = z.infer<typeof KeptSuppression>

export async function listKept(db: Db): Promise<KeptSuppression[]> {
  const rows = await db('suppressions')
    .where(ACTIVE)
    .select('kind', 'hash', 'reason', 'lead_id', 'actor', 'created_at')
    .orderBy('id')
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }))
}

/** Adds the missing suppressions after a backup was restored. Returns their number. */
export async function addKept(db: Db, kept: KeptSuppression[]): Promise<number> {
  let count = 0
  for (const row of kept) count += (await addMissing(db, [row])).length
  return count
}

/** Lists the newest suppressions, lifted or not. */
export async function listRecent(db: Db): Promise<Suppression[]> {
  return (await query(db).orderBy('id', 'desc').limit(RECENT_SUPPRESSIONS)).map(present)
}

function query(db: Db) {
  return db('suppressions').select<SuppressionRow[]>(
    ...COLUMNS,
    db.raw('(select name from staff_accounts where lower(email) = lower(actor)) as actor_name'),
  )
}

export async function areListed(db: Db, hashes: PersonHash[]): Promise<boolean> {
  const found = await db('suppressions').where(ACTIVE).whereIn('hash', plain(hashes)).pluck('id')
  return found.length === hashes.length
}

const COLUMNS = ['id', 'kind', 'reason', 'lead_id', 'actor', 'created_at', 'lifted_at', 'lifted_because'] as const
type SuppressionRow = RowWith<'suppressions', (typeof COLUMNS)[number], Pick<Suppression, 'actor_name'>>

function present(row: SuppressionRow): Suppression {
  return { ...row, created_at: row.created_at.toISOString(), lifted_at: row.lifted_at?.toISOString() ?? null }
}

/*
 * What clinics were asked: to stop contacting the person of a lead, and to confirm it in time.
 */

/**
 * Asks these clinics to stop contacting the person of a lead. Business days of the deadline are those of the time zone.
 * Returns the clinics that were not asked before.
 */
export async function ask(
  trx: Transaction,
  leadId: number,
  providerIds: number[],
  timeZone: string,
): Promise<number[]> {
  if (providerIds.length === 0) return []
  const asked_at = new Date()
  const due_at = optOutDeadline(asked_at, timeZone)
  const rows = await trx('opt_outs')
    .insert(providerIds.map((provider_id) => ({ lead_id: leadId, provider_id, asked_at, due_at })))
    .onConflict(trx.raw('(lead_id, provider_id) where withdrawn_at is null'))
    .ignore()
    .returning('provider_id')
  return rows.map(({ provider_id }) => provider_id)
}

/** Records that a clinic has stopped. Returns the lead, or null when it was not asked, or has confirmed before. */
export async function confirm(
  trx: Transaction,
  which: { id: number } | { lead_id: number; provider_id: number },
  actor: string,
): Promise<number | null> {
  const [row] = await trx('opt_outs')
    .where({ ...which, withdrawn_at: null, confirmed_at: null })
    .update({ confirmed_at: trx.fn.now(), confirmed_by: actor })
    .returning('lead_id')
  return row?.lead_id ?? null
}

/** Withdraws the requests: the person may be contacted again. The rows stay. */
export async function withdraw(trx: Transaction, leadIds: number[]): Promise<void> {
  await trx('opt_outs').whereIn('lead_id', leadIds).whereNull('withdrawn_at').update({ withdrawn_at: trx.fn.now() })
}

/** Finds the requests to clinics that were not withdrawn. */
export async function find(
  db: Db,
  which: { id: number } | { lead_id: number; provider_id?: number },
): Promise<ClinicOptOut[]> {
  return (await clinicQuery(db).where(prefixed(which)).orderBy('opt_outs.id')).map(presentClinicOptOut)
}

/**
 * Finds the newest active suppression of a lead's person, of the phone number only if that alone is on the list, and which
 * clinics were asked to stop.
 */
export async function findOfLead(db: Db, lead: Contact & { id: number }, key: Buffer): Promise<LeadOptOut> {
  const hashes = plain(personHashes(key, lead))
  const row = await query(db).where(ACTIVE).whereIn('hash', hashes).orderByRaw(`kind = 'phone', id desc`).first()
  return { since: row ? present(row) : null, clinics: await find(db, { lead_id: lead.id }) }
}

function clinicQuery(db: Db) {
  return db('opt_outs')
    .join('providers', 'providers.id', 'provider_id')
    .select<OptOutRow[]>(
      ...['opt_outs.id', 'lead_id', 'asked_at', 'due_at', 'confirmed_at', 'confirmed_by'],
      db.raw('coalesce(practice_name, name) as clinic'),
      db.raw('(select name from staff_accounts where lower(email) = lower(confirmed_by)) as confirmed_by_name'),
    )
    .whereNull('withdrawn_at')
}

const prefixed = (columns: object) =>
  Object.fromEntries(Object.entries(columns).map(([name, value]) => [`opt_outs.${name}`, value]))

type OptOutRow = RowWith<
  'opt_outs',
  'id' | 'lead_id' | 'asked_at' | 'due_at' | 'confirmed_at' | 'confirmed_by',
  Pick<ClinicOptOut, 'clinic' | 'confirmed_by_name'>
>

function presentClinicOptOut(row: OptOutRow): ClinicOptOut {
  return {
    ...row,
    asked_at: row.asked_at.toISOString(),
    due_at: row.due_at.toISOString(),
    confirmed_at: row.confirmed_at?.toISOString() ?? null,
  }
}
