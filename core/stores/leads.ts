import { Lead, type LeadDetails } from '../contract/leads.ts'
import { AppError } from '../errors.ts'
import { type Db, queryRows, type Transaction } from '../platform/db.ts'
import type { Match, NoMatch } from '../rules/matching.ts'
import { withDeliveries } from './delivery-status.ts'
import type { RowWith } from './table.ts'

/**
 * Locks a lead until the transaction ends. Every change of a lead or its jobs takes this lock first, then those of the
 * jobs.
 */
export async function lock(trx: Transaction, id: number): Promise<Lead | null> {
  const row = await query(trx).where('id', id).forNoKeyUpdate().first()
  return row ? present(row) : null
}

/** Locks those of the leads that no other transaction holds. Returns their ids. */
export async function lockFree(trx: Transaction, ids: number[]): Promise<number[]> {
  const free = await queryRows<RowWith<'leads', 'id'>>(
    trx,
    'select id from leads where id = any(?::integer[]) for no key update skip locked',
    [ids],
    { name: 'lock-free-leads' },
  )
  return free.map(({ id }) => id)
}

export async function find(db: Db, id: number): Promise<Lead | null> {
  const row = await query(db).where('id', id).first()
  return row ? present(row) : null
}

/** Finds a lead with its clinic, the evidence of its consent, and how the visitor came. */
export async function findDetails(db: Db, id: number): Promise<Omit<LeadDetails, 'samePerson' | 'requests'> | null> {
  const row = await query(db)
    .select<RowWith<'leads', keyof Lead | 'crm_external_id' | 'attribution'>[]>('crm_external_id', 'attribution')
    .where('id', id)
    .first()
  if (!row) return null
  const [lead] = await withDeliveries(db, [present(row)])
  if (!lead) return null
  const clinic = await db('providers')
    .select('name', { practiceName: 'practice_name' }, 'phone', 'email')
    .where('id', lead.provider_id)
    .first()
  const consent = await db('consents')
    .select('wording', 'wording_version', 'wording_hash', 'sharing_wording', 'sharing_version')
    .select('given_at', 'ip', 'user_agent', 'page_url')
    .where('lead_id', id)
    .first()
  return {
    ...lead,
    clinic: clinic ?? null,
    consent: consent ? { ...consent, given_at: consent.given_at.toISOString() } : null,
  }
}

/** Finds leads by their ids, in the order of the ids. Skips missing ones. */
export async function findMany(db: Db, ids: number[]): Promise<Lead[]> {
  const rows = await query(db).whereRaw('id = any(?::integer[])', [ids]).options({ name: 'find-leads' })
  const found = new Map(rows.map((row) => [row.id, present(row)]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

/** Lists the full names of leads, by id. Skips missing ones. */
export async function listNames(db: Db, ids: number[]): Promise<Map<number, string>> {
  const rows = await db('leads').select('id', 'first_name', 'last_name').whereIn('id', ids)
  return new Map(rows.map(({ id, first_name, last_name }) => [id, `${first_name} ${last_name}`]))
}

/**
 * Records when the lead was first found to have no provider within reach. A later match keeps this time. The caller holds
 * its lock.
 */
export async function noteUnreached(trx: Transaction, id: number): Promise<void> {
  await trx('leads').where({ id }).whereNull('unreached_at').update({ unreached_at: trx.fn.now() })
}

/** A new clinic starts without the outcome at the one before. */
const UNANSWERED = { outcome: null, outcome_at: null }

export function matchColumns(trx: Transaction, match: Match | NoMatch) {
  return match.providerId === null
    ? { ...UNANSWERED, provider_id: null, matched_at: null, match_kind: null, match_distance_miles: null }
    : {
        ...UNANSWERED,
        provider_id: match.providerId,
        matched_at: trx.fn.now(),
        match_kind: match.kind,
        match_distance_miles: match.miles,
      }
}

function query(db: Db) {
  return db('leads').select<LeadRow[]>(...COLUMNS)
}

const COLUMNS = Object.keys(Lead.shape)
type LeadRow = RowWith<'leads', keyof Lead>

function present<Row extends Pick<LeadRow, 'created_at' | 'matched_at' | 'outcome_at'>>(row: Row) {
  return {
    ...row,
    created_at: row.created_at.toISOString(),
    matched_at: row.matched_at?.toISOString() ?? null,
    outcome_at: row.outcome_at?.toISOString() ?? null,
  }
}

export const noSuchLead = () => new AppError('not_found', 'There is no such lead. It may have been deleted.')
